/**
 * Partial sets in a grid by what they take. What a better set leaves of a limit costs at most the gap, so the partial sets that go with
 * another one lie in a small box; a cell is as large as such a box.
 */
import type { LeastLosses } from "./least-losses.js";

/** So many limits make the grid at most: each doubles the cells that are looked into. */
const MOST_DIMENSIONS = 5;

/** With fewer cells than this along a limit it is not worth it. */
const FEW_CELLS = 2;

/** So many partial sets are looked at in all. */
const MOST_LOOKS = 1_000_000;

/** So many looks are a step. */
const LOOKS_PER_STEP = 4;

export class Grid {
  #looks = 0;
  readonly #limits: readonly number[];
  /** By limit of the grid: the size of a cell. */
  readonly #sizes: Float64Array;
  readonly #heads: Int32Array;
  readonly #nexts: Int32Array;

  constructor(
    readonly list: LeastLosses,
    readonly prices: Float64Array,
    gap: number,
  ) {
    const { count } = list;
    const cells = Array.from(prices, (price, limit) => (this.#spreadOf(limit) * price) / gap);
    this.#limits = Array.from(prices.keys())
      .filter((limit) => cells[limit]! > FEW_CELLS)
      .sort((x, y) => cells[y]! - cells[x]! || x - y)
      .slice(0, MOST_DIMENSIONS);
    // A little larger than a box: a rounding is not to hide a set.
    this.#sizes = Float64Array.from(this.#limits, (limit) => (gap * (1 + 2 ** -20)) / prices[limit]!);
    this.#heads = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(16, count * 2)))).fill(-1);
    this.#nexts = new Int32Array(count);
    for (let i = count - 1; i >= 0; i--) {
      const slot = this.#slotOf(list.amounts, i * prices.length, 0);
      this.#nexts[i] = this.#heads[slot]!;
      this.#heads[slot] = i;
    }
  }

  get steps(): number {
    return this.list.count + Math.ceil(this.#looks / LOOKS_PER_STEP);
  }

  get isSpent(): boolean {
    return this.#looks > MOST_LOOKS;
  }

  /** The set of the greatest value above one that fits into the room and loses less than what is left; below 0 where there is none. */
  best(room: Float64Array, above: number, left: number): number {
    const { values, amounts, losses } = this.list;
    const width = room.length;
    let best = -1;
    let most = above;
    for (let corner = 0; corner < 1 << this.#limits.length; corner++) {
      this.#looks++;
      for (let i = this.#heads[this.#slotOf(room, 0, corner)]!; i >= 0; i = this.#nexts[i]!) {
        this.#looks++;
        if (values[i]! <= most || losses[i]! >= left) continue;
        let fits = true;
        for (let limit = 0; limit < width && fits; limit++) fits = amounts[i * width + limit]! <= room[limit]!;
        if (!fits) continue;
        most = values[i]!;
        best = i;
      }
    }
    return best;
  }

  #spreadOf(limit: number): number {
    const { amounts } = this.list;
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    for (let at = limit; at < amounts.length; at += this.prices.length) {
      least = Math.min(least, amounts[at]!);
      most = Math.max(most, amounts[at]!);
    }
    return most - least;
  }

  /** The slot of the cell in which amounts lie, or of one below it in some limits. */
  #slotOf(amounts: Float64Array, from: number, below: number): number {
    let hash = 0;
    for (let d = 0; d < this.#limits.length; d++) {
      const cell = Math.floor(amounts[from + this.#limits[d]!]! / this.#sizes[d]!) - ((below >> d) & 1);
      hash = Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) + (cell | 0);
    }
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    return (hash ^ (hash >>> 13)) & (this.#heads.length - 1);
  }
}
