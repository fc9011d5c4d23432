/** Lists of partial sets, in rows that grow: fewest tokens first, values rising, so that none is dominated by another. */

/** Partial sets of one list. */
export class Rows {
  count = 0;
  /** Tokens and value of the whole set, the classes that are still to come at their baseline. */
  tokens = new Float64Array(8);
  values = new Float64Array(8);
  /** The state that each came from and the option that it took. */
  parents = new Int32Array(8);
  options = new Int32Array(8);

  push(tokens: number, value: number, parent: number, option: number): void {
    const at = this.count++;
    if (at === this.tokens.length) this.#grow(at * 2);
    this.tokens[at] = tokens;
    this.values[at] = value;
    this.parents[at] = parent;
    this.options[at] = option;
  }

  /** Keeps the entries for which the flag is 1, in their order. */
  keep(flags: ArrayLike<number>): void {
    let kept = 0;
    for (let i = 0; i < this.count; i++) {
      if (flags[i] === 0) continue;
      this.tokens[kept] = this.tokens[i]!;
      this.values[kept] = this.values[i]!;
      this.parents[kept] = this.parents[i]!;
      this.options[kept++] = this.options[i]!;
    }
    this.count = kept;
  }

  #grow(length: number): void {
    const { tokens, values, parents, options } = this;
    this.tokens = new Float64Array(length);
    this.values = new Float64Array(length);
    this.parents = new Int32Array(length);
    this.options = new Int32Array(length);
    this.tokens.set(tokens);
    this.values.set(values);
    this.parents.set(parents);
    this.options.set(options);
  }
}

/** Where two entries are equal in tokens and value: true where the one of the first list is to stay. */
export type KeepsFirst = (parentA: number, optionA: number, parentB: number, optionB: number) => boolean;

/** Merges two lists into a third, without what is dominated. */
export function mergeRows(a: Rows, b: Rows, into: Rows, keepsFirst: KeepsFirst): void {
  into.count = 0;
  let i = 0;
  let j = 0;
  let best = Number.NEGATIVE_INFINITY;
  while (i < a.count || j < b.count) {
    let fromA = j >= b.count;
    if (i < a.count && j < b.count) {
      const order = a.tokens[i]! - b.tokens[j]! || b.values[j]! - a.values[i]!;
      fromA = order < 0;
      if (order === 0) {
        fromA = keepsFirst(a.parents[i]!, a.options[i]!, b.parents[j]!, b.options[j]!);
        if (fromA) j++;
        else i++;
      }
    }
    const source = fromA ? a : b;
    const at = fromA ? i++ : j++;
    const value = source.values[at]!;
    if (value <= best) continue;
    best = value;
    into.push(source.tokens[at]!, value, source.parents[at]!, source.options[at]!);
  }
}

/** Where each state came from, for all states of a search; state 0 is the beginning. */
export class States {
  count = 1;
  #parents = new Int32Array(1_024).fill(-1, 0, 1);
  #options = new Int32Array(1_024);

  /** Gives the entries of a list numbers, from the one that is answered on. */
  add(rows: Pick<Rows, "count" | "parents" | "options">): number {
    const first = this.count;
    const end = first + rows.count;
    if (end > this.#parents.length) this.#grow(Math.max(end, this.#parents.length * 2));
    this.#parents.set(rows.parents.subarray(0, rows.count), first);
    this.#options.set(rows.options.subarray(0, rows.count), first);
    this.count = end;
    return first;
  }

  parentOf(state: number): number {
    return this.#parents[state]!;
  }

  optionOf(state: number): number {
    return this.#options[state]!;
  }

  #grow(length: number): void {
    const parents = this.#parents;
    const options = this.#options;
    this.#parents = new Int32Array(length);
    this.#options = new Int32Array(length);
    this.#parents.set(parents);
    this.#options.set(options);
  }
}
