import type { CappedProblem } from "./problem.js";

/** What sets take and are worth at some prices. */
export interface Demand {
  readonly tokens: number;
  readonly value: number;
  /** By cap. */
  readonly caps: Float64Array;
}

/** Every so many of the mixed classes of a problem, their choices in columns, for the many looks that a search for prices takes. */
export class MixedColumns {
  /** How many choices there are. */
  readonly choices: number;
  readonly #width: number;
  /** By class: how many it stands for. */
  readonly #weights: Float64Array;
  /** By class: one past its last choice. */
  readonly #ends: Int32Array;
  readonly #tokens: Float64Array;
  readonly #values: Float64Array;
  /** By choice and cap. */
  readonly #demands: Float64Array;

  constructor({ mixed, rooms }: CappedProblem, stride: number) {
    const classes = mixed.filter((_, number) => number % stride === 0);
    this.choices = classes.reduce((sum, { ids }) => sum + ids.length, 0);
    this.#width = rooms.length;
    this.#weights = Float64Array.from(classes, (_, i) => Math.min(stride, mixed.length - i * stride));
    this.#ends = new Int32Array(classes.length);
    this.#tokens = new Float64Array(this.choices);
    this.#values = new Float64Array(this.choices);
    this.#demands = new Float64Array(this.choices * this.#width);
    let end = 0;
    classes.forEach(({ tokens, values, demands }, i) => {
      this.#tokens.set(tokens, end);
      this.#values.set(values, end);
      for (const demand of demands) this.#demands.set(demand, this.#width * end++);
      this.#ends[i] = end;
    });
  }

  /** The sums over all classes of the choice that is worth most beyond its prices, of equals the first. */
  demandAt(token: number, prices: Float64Array): Demand {
    const [value, tokens, ...caps] = this.sumsAt(token, prices, 1);
    return { tokens: tokens!, value: value!, caps: Float64Array.from(caps) };
  }

  /** The same by group, each class in the next one in turn: value, tokens, and what is taken of each cap, group after group. */
  sumsAt(token: number, prices: Float64Array, groups: number): Float64Array {
    const width = this.#width;
    const sums = new Float64Array(groups * (width + 2));
    let choice = 0;
    for (let i = 0; i < this.#ends.length; i++) {
      const end = this.#ends[i]!;
      let best = choice;
      let most = Number.NEGATIVE_INFINITY;
      for (; choice < end; choice++) {
        let worth = this.#values[choice]! - token * this.#tokens[choice]!;
        for (let cap = 0; cap < width; cap++) worth -= prices[cap]! * this.#demands[choice * width + cap]!;
        if (worth <= most) continue;
        most = worth;
        best = choice;
      }
      const weight = this.#weights[i]!;
      const first = (i % groups) * (width + 2);
      sums[first]! += weight * this.#values[best]!;
      sums[first + 1]! += weight * this.#tokens[best]!;
      for (let cap = 0; cap < width; cap++) sums[first + 2 + cap]! += weight * this.#demands[best * width + cap]!;
    }
    return sums;
  }

  /** The same of what takes nothing, or costs nothing: the value, by group. */
  emptyValues(groups: number): number[] {
    const values = new Array<number>(groups).fill(0);
    let start = 0;
    this.#ends.forEach((end, i) => {
      values[i % groups]! += this.#weights[i]! * this.#values[start]!;
      start = end;
    });
    return values;
  }
}
