/**
 * The relaxation: a price per token at which what is worth it just fits. Charging every set that price gives a bound on all of them, and
 * a set to begin from.
 */
import type { Classes } from "./classes.js";
import type { Hulls } from "./hull.js";
import { breakKey } from "./select.js";

/** A knapsack at the price at which it is just full. */
export interface Relaxed {
  readonly classes: Classes;
  readonly hulls: Hulls;
  readonly capacity: number;
  /** Value per token. A multiple of a power of two so coarse that all sums of prices are exact. */
  readonly price: number;
  /** By class: the choice in the row of classes that is worth most at the price, of equals the cheapest. Together they fit. */
  readonly baseline: Int32Array;
  readonly tokens: number;
  readonly value: number;
  /**
   * Sum over the classes of the greatest value minus price. `surplus + price x capacity` is a bound on all sets that fit, whatever the
   * price (Lagrangian relaxation): no set of t tokens has more than `surplus + price x t`.
   */
  readonly surplus: number;
}

/** Finds the price and the baseline. Linear on average. */
export function relax(classes: Classes, hulls: Hulls, capacity: number): Relaxed {
  const slope = breakKey(hulls.slopes.slice(), hulls.tokens.slice(), capacity);
  return atPrice(classes, hulls, { capacity, price: roundUp(slope, greatestSum(classes)) });
}

/** The baseline at a price that is not below the break. */
function atPrice(classes: Classes, hulls: Hulls, { capacity, price }: { capacity: number; price: number }): Relaxed {
  const baseline = new Int32Array(classes.count);
  let tokens = 0;
  let value = 0;
  for (let c = 0; c < classes.count; c++) {
    let choice = classes.starts[c]!;
    for (let step = hulls.starts[c]!; step < hulls.starts[c + 1]!; step++) {
      if (hulls.values[step]! <= price * hulls.tokens[step]!) break;
      choice = hulls.choices[step]!;
    }
    baseline[c] = choice;
    tokens += classes.tokens[choice]!;
    value += classes.values[choice]!;
  }
  return { classes, hulls, capacity, price, baseline, tokens, value, surplus: value - price * tokens };
}

/** The sum of the greatest values of all classes; no set has more. */
export function greatestSum({ count, starts, values }: Classes): number {
  let sum = 0;
  for (let c = 0; c < count; c++) sum += values[starts[c + 1]! - 1]!;
  return sum;
}

/**
 * The next greater multiple of 2^-k, where k leaves room for sums up to the greatest in the 53 bits of a double: then differences of
 * values and prices are exact, and bounds need no allowance for rounding.
 */
function roundUp(slope: number, greatest: number): number {
  const unit = 2 ** (Math.ceil(Math.log2(greatest + 1)) - 51);
  return Math.ceil(slope / unit) * unit;
}
