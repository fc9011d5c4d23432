import type { PackingReport } from "../../../model/payload.js";
import type { Pool } from "./pool.js";

/** What is known about all sets, in the whole numbers of the worths, pins not counted. */
export interface Knowledge {
  readonly bound: number;
  readonly steps: number;
  /** How many choices a set makes at most; each may add a rounding. */
  readonly choices: number;
}

/**
 * How good a packing is: its value, pins included, and a bound on that of every set. Where the two meet it is proven; where values had to
 * be rounded, then to that rounding, and the bound stands above the value by as much.
 */
export function reportOn(pool: Pool, chosenBy: Uint8Array, known: Knowledge, packer: string): PackingReport {
  const { worths, input } = pool;
  const committed = new Uint8Array(chosenBy.length);
  for (const { inputIndex } of input.committed) committed[inputIndex] = 1;
  let whole = 0;
  for (let i = 0; i < chosenBy.length; i++) if (chosenBy[i] !== 0 && committed[i] === 0) whole += worths.values[i]!;
  const value = worths.sumOf(chosenBy);
  const provenOptimal = whole >= known.bound;
  const bound = worths.sumOf(committed) + worths.fromWhole(known.bound + worths.rounding * known.choices);
  // What nothing of worth fits in has no rounding either.
  const isExact = worths.rounding === 0 || known.bound === 0;
  const upperBound = provenOptimal && isExact ? value : Math.max(value, bound);
  return {
    value,
    upperBound,
    gap: upperBound === 0 ? 0 : (upperBound - value) / upperBound,
    provenOptimal,
    packer,
    steps: Math.min(known.steps, 2 ** 31 - 1),
  };
}
