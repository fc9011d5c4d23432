import type { Fragment } from "../../model/fragment.js";

/** Which fragment is in for each variant key, by the number of the key; keys below 0 are none, and nobody holds them. */
export class KeyHolders {
  readonly #holders: (Fragment | undefined)[];
  #size = 0;

  /** Nobody holds any of so many keys. */
  constructor(keys: number) {
    this.#holders = new Array<Fragment | undefined>(keys).fill(undefined);
  }

  /** How many keys are held. */
  get size(): number {
    return this.#size;
  }

  has(key: number): boolean {
    return this.get(key) !== undefined;
  }

  get(key: number): Fragment | undefined {
    return key < 0 ? undefined : this.#holders[key];
  }

  set(key: number, fragment: Fragment): void {
    if (this.#holders[key] === undefined) this.#size++;
    this.#holders[key] = fragment;
  }
}
