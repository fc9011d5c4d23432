/**
 * The best mixture of some sets within budget and caps, and the prices that go with it: a linear program with a column for each set that
 * some group of classes may choose, solved by the revised simplex method (Dantzig and Wolfe, "Decomposition principle for linear
 * programs", 1960). Numbers are in shares: amounts of what there is of each, values of one great value.
 */

/** What a group of classes takes and is worth at some prices. */
export interface GroupSet {
  readonly group: number;
  readonly value: number;
  /** Of the budget, and of each cap. */
  readonly amounts: Float64Array;
}

/** Less than this is nothing. */
const TINY = 1e-11;

/** How many exchanges one call makes at most. */
const MOST_PIVOTS = 400;

export class PriceMaster {
  readonly #limits: number;
  readonly #rows: number;
  readonly #inverse: Float64Array;
  /** By row: how much of the column that stands in it is taken, and its value. */
  readonly #amounts: Float64Array;
  readonly #values: Float64Array;
  readonly #columns: GroupSet[] = [];
  readonly #entering: Float64Array;
  readonly #prices: Float64Array;

  /** Begins with nothing but the set of each group that takes nothing, and all limits unused. */
  constructor(limits: number, groups: readonly number[]) {
    this.#limits = limits;
    const rows = limits + groups.length;
    this.#rows = rows;
    this.#inverse = new Float64Array(rows * rows);
    for (let row = 0; row < rows; row++) this.#inverse[row * rows + row] = 1;
    this.#amounts = new Float64Array(rows).fill(1);
    this.#values = new Float64Array(rows);
    groups.forEach((value, group) => {
      this.#columns.push({ group, value, amounts: new Float64Array(limits) });
      this.#values[limits + group] = value;
    });
    this.#entering = new Float64Array(rows);
    this.#prices = new Float64Array(rows);
  }

  add(set: GroupSet): void {
    this.#columns.push(set);
  }

  /** The price of each limit, from 0. */
  get prices(): Float64Array {
    return this.#prices.slice(0, this.#limits).map((price) => Math.max(0, price));
  }

  /** The value of the best mixture. */
  get value(): number {
    let sum = 0;
    for (let row = 0; row < this.#rows; row++) sum += this.#amounts[row]! * this.#values[row]!;
    return sum;
  }

  /** What a set gains beyond the prices and what its group gains already. */
  gainOf({ group, value, amounts }: GroupSet): number {
    let gain = value - this.#prices[this.#limits + group]!;
    for (let limit = 0; limit < this.#limits; limit++) gain -= this.#prices[limit]! * amounts[limit]!;
    return gain;
  }

  /** Finds the best mixture of the sets that there are; answers how many exchanges that took. */
  solve(): number {
    for (let pivots = 0; ; pivots++) {
      this.#setPrices();
      if (pivots === MOST_PIVOTS) return pivots;
      const column = this.#mostGaining();
      if (column === undefined || !this.#exchange(column)) return pivots;
    }
  }

  #setPrices(): void {
    const rows = this.#rows;
    this.#prices.fill(0);
    for (let row = 0; row < rows; row++) {
      const value = this.#values[row]!;
      if (value === 0) continue;
      for (let at = 0; at < rows; at++) this.#prices[at]! += value * this.#inverse[row * rows + at]!;
    }
  }

  #mostGaining(): number | undefined {
    let best: number | undefined;
    let most = TINY;
    for (let limit = 0; limit < this.#limits; limit++) {
      if (-this.#prices[limit]! <= most) continue;
      most = -this.#prices[limit]!;
      best = -1 - limit;
    }
    for (let column = 0; column < this.#columns.length; column++) {
      const gain = this.gainOf(this.#columns[column]!);
      if (gain <= most) continue;
      most = gain;
      best = column;
    }
    return best;
  }

  /** Takes a column in for the one that it uses up first; false where there is none. */
  #exchange(column: number): boolean {
    const rows = this.#rows;
    const set = column < 0 ? undefined : this.#columns[column]!;
    const entering = this.#entering.fill(0);
    for (let row = 0; row < rows; row++) {
      const from = row * rows;
      if (set === undefined) {
        entering[row] = this.#inverse[from - 1 - column]!;
        continue;
      }
      let sum = this.#inverse[from + this.#limits + set.group]!;
      for (let limit = 0; limit < this.#limits; limit++) sum += this.#inverse[from + limit]! * set.amounts[limit]!;
      entering[row] = sum;
    }
    let leaving = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let row = 0; row < rows; row++) {
      if (entering[row]! <= 1e-9) continue;
      const ratio = this.#amounts[row]! / entering[row]!;
      if (ratio > least || (ratio === least && entering[row]! <= entering[leaving]!)) continue;
      least = ratio;
      leaving = row;
    }
    if (leaving < 0) return false;
    this.#pivot(leaving, least);
    this.#values[leaving] = set?.value ?? 0;
    return true;
  }

  #pivot(leaving: number, amount: number): void {
    const rows = this.#rows;
    const entering = this.#entering;
    const factor = 1 / entering[leaving]!;
    const own = this.#inverse.subarray(leaving * rows, leaving * rows + rows);
    for (let at = 0; at < rows; at++) own[at]! *= factor;
    for (let row = 0; row < rows; row++) {
      const part = entering[row]!;
      if (row === leaving || part === 0) continue;
      this.#amounts[row] = Math.max(0, this.#amounts[row]! - part * amount);
      for (let at = 0; at < rows; at++) this.#inverse[row * rows + at]! -= part * own[at]!;
    }
    this.#amounts[leaving] = amount;
  }
}
