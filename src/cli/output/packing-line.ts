import type { PackingReport } from "../../../gen/acms/v1/trace.js";
import { percent } from "./numbers.js";

/** How good a packing is, in one line for people. */
export function packingLine({ value, upperBound, gap, provenOptimal }: PackingReport): string {
  const verdict = provenOptimal ? "proven the greatest" : "not proven the greatest";
  return `value ${figure(value)} of at most ${figure(upperBound)} (gap ${gapText(gap)}, ${verdict})`;
}

/** A value is proven to the rounding of its bound, which must not show as a tenth of a per cent. */
function gapText(gap: number): string {
  return gap > 0 && gap < 0.0005 ? "under 0.1%" : percent(gap);
}

/** Digits enough to tell values apart, and none that say nothing. */
function figure(value: number): string {
  return value.toFixed(value < 100 ? 3 : 1);
}
