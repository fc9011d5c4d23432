/** Which options of two tied variables go together. */
import type { Component } from "./variables.js";

/** Where a table begins, and how far the options of a variable, and those of the other one, lie apart in it. */
interface TableSteps {
  readonly start: number;
  readonly own: number;
  readonly other: number;
}

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
    this.#forbid(first, second, { start, own: width, other: 1 });
    this.#forbid(second, first, { start, own: 1, other: width });
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
  #forbid(variable: number, other: number, steps: TableSteps): void {
    const options = this.#variables[variable]!;
    const width = this.widthOf(other);
    for (let at = 0; at < options.length; at++) {
      for (const need of options[at]!.needs) {
        if (need.variable !== other) continue;
        const first = steps.start + (at + 1) * steps.own;
        for (let of = 0; of < width; of++) if (!need.options.includes(of)) this.#row[first + of * steps.other] = 0;
      }
    }
  }
}
