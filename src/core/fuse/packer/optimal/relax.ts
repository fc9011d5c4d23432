/**
 * The relaxation: a price per token at which what is worth it just fits. Charging every set that price gives a bound on all of them, and
 * a set to begin from.
 */
import type { Classes, TieOrder } from "./classes.js";
import { findHulls, type Hulls } from "./hull.js";
import { breakKey } from "./select.js";

/** A knapsack at the price at which it is just full. */
export interface Relaxed {
  readonly classes: Classes;
  readonly capacity: number;
  /** Value per token. A multiple of a power of two so coarse that all sums of prices are exact. */
  readonly price: number;
  /** By class: the choice in the row of classes to begin from. Together they fit, and none is worth less at the price than any other. */
  readonly baseline: Int32Array;
  readonly tokens: number;
  readonly value: number;
  /** By class: the most that any choice is worth beyond its price. */
  readonly peaks: Float64Array;
  /**
   * The sum of the peaks. `surplus + price x capacity` is a bound on all sets that fit, whatever the price (Lagrangian relaxation): no set
   * of t tokens has more than `surplus + price x t`.
   */
  readonly surplus: number;
}

/** Finds the price and the baseline. Linear on average. */
export function relax(classes: Classes, capacity: number, order: TieOrder): Relaxed {
  const hulls = findHulls(classes);
  const slope = breakKey(hulls.slopes.slice(), hulls.tokens.slice(), capacity);
  const price = roundUp(slope, greatestSum(classes));
  const peaks = new Float64Array(classes.count);
  let surplus = 0;
  for (let c = 0; c < classes.count; c++) {
    peaks[c] = peakOf(c, classes, hulls, price);
    surplus += peaks[c]!;
  }
  return { classes, capacity, price, peaks, surplus, ...baselineAt(slope, classes, { hulls, capacity, order }) };
}

function peakOf(c: number, { starts, tokens, values }: Classes, hulls: Hulls, price: number): number {
  let choice = starts[c]!;
  for (let step = hulls.starts[c]!; step < hulls.starts[c + 1]!; step++) {
    if (hulls.values[step]! <= price * hulls.tokens[step]!) break;
    choice = hulls.choices[step]!;
  }
  return values[choice]! - price * tokens[choice]!;
}

/** Takes all steps above a slope, and of those that have it as many as fit, the largest first, of equals the earliest. */
function baselineAt(
  slope: number,
  { count, starts, tokens, values }: Classes,
  { hulls, capacity, order }: { hulls: Hulls; capacity: number; order: TieOrder },
): Pick<Relaxed, "baseline" | "tokens" | "value"> {
  const baseline = new Int32Array(count);
  const equals: { readonly c: number; readonly step: number }[] = [];
  const sums = { tokens: 0, value: 0 };
  for (let c = 0; c < count; c++) {
    let choice = starts[c]!;
    for (let step = hulls.starts[c]!; step < hulls.starts[c + 1]! && hulls.slopes[step]! >= slope; step++) {
      if (hulls.slopes[step] === slope) equals.push({ c, step });
      else choice = hulls.choices[step]!;
    }
    baseline[c] = choice;
    sums.tokens += tokens[choice]!;
    sums.value += values[choice]!;
  }
  equals.sort(
    (a, b) =>
      hulls.tokens[b.step]! - hulls.tokens[a.step]! || order.comparePlaces(order.placeOf(a.c), order.placeOf(b.c)),
  );
  for (const { c, step } of equals) {
    if (sums.tokens + hulls.tokens[step]! > capacity) continue;
    baseline[c] = hulls.choices[step]!;
    sums.tokens += hulls.tokens[step]!;
    sums.value += hulls.values[step]!;
  }
  return { baseline, ...sums };
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
