import type { PackingReport } from "../../../gen/acms/v1/trace.js";
import { percent } from "./numbers.js";

/** How good a packing is, in one line for people. */
export function packingLine({ value, upperBound, gap, provenOptimal }: PackingReport): string {
  const verdict = provenOptimal ? "proven the greatest" : "not proven the greatest";
  return `value ${figure(value)} of at most ${figure(upperBound)} (gap ${percent(gap)}, ${verdict})`;
}

/** Digits enough to tell values apart, and none that say nothing. */
function figure(value: number): string {
  return value.toFixed(value < 100 ? 3 : 1);
}
