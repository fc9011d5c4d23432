/** Partial sets of one level, in columns. */
export class Front {
  count = 0;
  /** By set and limit: what is left. */
  rooms;
  values;
  /** The most that each may become. */
  bounds;
  /** In which situation each leaves its network; 0 outside of one. */
  situations;
  /** The state that each came from, and the option that it took. */
  parents;
  options;

  constructor(
    readonly width: number,
    size: number,
  ) {
    this.rooms = new Float64Array(size * width);
    this.values = new Float64Array(size);
    this.bounds = new Float64Array(size);
    this.situations = new Int32Array(size);
    this.parents = new Int32Array(size);
    this.options = new Int32Array(size);
  }

  /** Empties the columns and makes room for so many sets. */
  reserve(size: number): void {
    this.count = 0;
    if (size <= this.values.length) return;
    const larger = Math.max(size, this.values.length * 2);
    this.rooms = new Float64Array(larger * this.width);
    this.values = new Float64Array(larger);
    this.bounds = new Float64Array(larger);
    this.situations = new Int32Array(larger);
    this.parents = new Int32Array(larger);
    this.options = new Int32Array(larger);
  }

  /** Puts a set in the place of another, which leaves as much in the same situation. */
  replace(set: number, by: number): void {
    this.values[set] = this.values[by]!;
    this.bounds[set] = this.bounds[by]!;
    this.parents[set] = this.parents[by]!;
    this.options[set] = this.options[by]!;
  }

  /** The sets with the highest bounds, of equals the first. */
  highest(most: number): number[] {
    const highest: number[] = [];
    for (let set = 0; set < this.count; set++) {
      let at = highest.length;
      while (at > 0 && this.bounds[set]! > this.bounds[highest[at - 1]!]!) at--;
      if (at < most) highest.splice(at, 0, set);
      if (highest.length > most) highest.pop();
    }
    return highest;
  }

  /** What a set leaves. */
  restOf(set: number): { readonly rooms: Float64Array; readonly situation: number } {
    return {
      rooms: this.rooms.slice(set * this.width, (set + 1) * this.width),
      situation: this.situations[set]!,
    };
  }

  /** Keeps the sets for which the answer is true, in their order. */
  keep(isKept: (set: number) => boolean): void {
    const { width } = this;
    let kept = 0;
    for (let i = 0; i < this.count; i++) {
      if (!isKept(i)) continue;
      if (kept !== i) {
        this.rooms.copyWithin(kept * width, i * width, (i + 1) * width);
        this.values[kept] = this.values[i]!;
        this.bounds[kept] = this.bounds[i]!;
        this.situations[kept] = this.situations[i]!;
        this.parents[kept] = this.parents[i]!;
        this.options[kept] = this.options[i]!;
      }
      kept++;
    }
    this.count = kept;
  }
}
