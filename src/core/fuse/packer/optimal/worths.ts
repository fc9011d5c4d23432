/** Values as whole numbers: where sums of doubles decide, the best set disappears in a tie. */
import type { PackingInput } from "../../packing.js";
import { commonDivisor } from "./classes.js";

/** What each fragment adds to the value of a set that holds it. */
export interface Worths {
  /** By input position, in whole numbers whose sum stays below 2^50; 0 for what is not nominated. */
  readonly values: Float64Array;
  /** By how much a value may differ from the number that stands for it, in whole numbers: 0, or a half where they had to be rounded. */
  readonly rounding: number;
  /** The value of the fragments whose flag is not 0, as a report gives it. */
  sumOf(flags: Uint8Array): number;
  /** The same of a whole number. */
  fromWhole(whole: number): number;
}

/** Scores are compared to twelve decimals, so worths are whole numbers of this size. */
const WORTH_UNITS = 1e12;

const GREATEST_SUM = 2 ** 50;

/**
 * Reads the worths of a packing: the score less the baseline, at least 0, times the tokens to the power of the exponent. The numbers are
 * divided by what all of them have in common (0.7 and 0.85 become 14 and 17); where they are then still too large they are rounded to a
 * power of two, which for 10,000 fragments is 2^-36 of the greatest score.
 */
export function worthsOf(input: PackingInput, numbers: Uint8Array, exponent: number): Worths {
  const { scores, baseline, tokenCounts } = input;
  const raw = new Float64Array(scores.length);
  let sum = 0;
  for (let i = 0; i < raw.length; i++) {
    if (numbers[i] === 0) continue;
    const worth = Math.round((scores[i]! - baseline) * WORTH_UNITS);
    if (worth > 0) raw[i] = exponent === 0 ? worth : worth * tokenCounts[i]! ** exponent;
    sum += raw[i]!;
  }
  const isWhole = exponent === 0 || (exponent === 1 && sum < Number.MAX_SAFE_INTEGER);
  const divisor = isWhole ? commonDivisor([raw]) || 1 : 1;
  const isExact = isWhole && sum / divisor < GREATEST_SUM;
  const unit = isExact ? divisor : 2 ** Math.ceil(Math.log2((sum + 1) / GREATEST_SUM));
  return {
    values: unit === 1 && isExact ? raw : divided(raw, unit),
    rounding: isExact ? 0 : 0.5,
    sumOf: (flags) => {
      const chosen = raw.slice();
      for (let i = 0; i < chosen.length; i++) if (flags[i] === 0) chosen[i] = 0;
      // Where values are no whole numbers their sum depends on the order, in which the order of the input must not show.
      if (!isWhole) chosen.sort();
      let total = 0;
      for (let i = 0; i < chosen.length; i++) total += chosen[i]!;
      return total / WORTH_UNITS;
    },
    fromWhole: (whole) => (whole * unit) / WORTH_UNITS,
  };
}

function divided(values: Float64Array, unit: number): Float64Array {
  const quotients = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) quotients[i] = Math.round(values[i]! / unit);
  return quotients;
}
