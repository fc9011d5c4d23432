/** Which options of two tied variables go together. */
import type { Component } from "./variables.js";

/** Tables by pair of variables, each made when it is first asked for; all of them stand in one row. */
export class Compatibility {
  #variables: Component["variables"] = [];
  readonly #starts = new Map<number, number>();
  #row = new Uint8Array(1_024);
  #end = 0;

  /** Forgets all tables; from now on they are those of a component. */
  clear({ variables }: Component): void {
    this.#variables = variables;
    this.#starts.clear();
    this.#end = 0;
  }

  /** How many options a variable has, none of them being one. */
  widthOf(variable: number): number {
    return this.#variables[variable]!.length + 1;
  }

  /** Where the table of two variables begins: for each option of the first, what `at` says of each option of the second. */
  tableOf(first: number, second: number): number {
    const pair = first * this.#variables.length + second;
    const known = this.#starts.get(pair);
    if (known !== undefined) return known;
    const start = this.#end;
    const width = this.widthOf(second);
    this.#reserve(this.widthOf(first) * width);
    this.#starts.set(pair, start);
    this.#forbid(first, second, (own, other) => start + own * width + other);
    this.#forbid(second, first, (own, other) => start + other * width + own);
    return start;
  }

  /** 1 where two options go together. */
  at(place: number): number {
    return this.#row[place]!;
  }

  #reserve(length: number): void {
    while (this.#end + length > this.#row.length) {
      const larger = new Uint8Array(this.#row.length * 2);
      larger.set(this.#row);
      this.#row = larger;
    }
    this.#row.fill(1, this.#end, this.#end + length);
    this.#end += length;
  }

  /** Marks what the needs of one variable forbid of another. */
  #forbid(variable: number, other: number, placeOf: (option: number, of: number) => number): void {
    const width = this.widthOf(other);
    this.#variables[variable]!.forEach(({ needs }, at) => {
      for (const need of needs) {
        if (need.variable !== other) continue;
        for (let of = 0; of < width; of++) if (!need.options.includes(of)) this.#row[placeOf(at + 1, of)] = 0;
      }
    });
  }
}
