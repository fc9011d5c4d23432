/** Keeps what was used last, as long as its keys together are within a number of UTF-16 units. */
export class LruCache<V> {
  readonly #maxUnits: number;
  readonly #entries = new Map<string, V>();
  #units = 0;

  constructor(maxUnits: number) {
    this.#maxUnits = maxUnits;
  }

  get(key: string): V | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: string, value: V): void {
    if (!this.#entries.delete(key)) this.#units += key.length;
    this.#entries.set(key, value);
    for (const oldest of this.#entries.keys()) {
      if (this.#units <= this.#maxUnits) break;
      this.#entries.delete(oldest);
      this.#units -= oldest.length;
    }
  }
}
