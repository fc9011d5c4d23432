import type { Instant } from "../model/instant.js";

/** Scores are compared to twelve decimals, so that 0.7 and 0.7000000000000001 are equal. */
const SCORE_UNITS = 1e12;

/** More than any key of a score, so that a key of something above it can be added in multiples of this. */
export const SCORE_KEYS = SCORE_UNITS + 1;

/** A whole number that is smaller the higher a score from 0 to 1 is: 0 to 10^12. */
export function highestFirst(score: number): number {
  // `Math.round` asks which way each number goes, which no processor can guess; for numbers of this size the answer is the same.
  return SCORE_UNITS - Math.floor(score * SCORE_UNITS + 0.5);
}

const YEAR_10000 = 253_402_300_800;

/** A whole number that is smaller the newer an instant is; instants within one millisecond are equal. */
export function newestFirst({ seconds, nanos }: Instant): number {
  return (YEAR_10000 - seconds) * 1_000 - Math.floor(nanos / 1e6);
}
