/**
 * Estimates of missing tokens that were tried: where packing again costs little, an estimate becomes a number of further tokens at which a
 * packing was seen to let the fragment in, with one fewer seen not to. It stays an estimate: what one budget lets in the next may not, so
 * that a smaller number may do as well.
 */
import type { Slices } from "../../run-in-slices.js";
import type { Shortfalls } from "../packing.js";

/** How to pack again. */
export interface Trials {
  /** What a packing costs, in looks at fragments. */
  readonly looks: number;
  /** Further tokens that are enough for everything. */
  readonly plenty: number;
  /** True where a packing with so many further tokens lets in the fragment at an input position. */
  enters(inputIndex: number, further: number): Slices<boolean>;
}

/** The most trials for one estimate: half of them double the tokens, and half the steps between. */
const TRIALS_PER_ESTIMATE = 32;
/** What all trials of a request may cost. With more to do nothing is tried, so that no order of the input shows. */
const MOST_LOOKS = 65_536;

/** Tries the estimates. One that no trial bears out stays as it was. */
export function* tryEstimates(found: Shortfalls, trials: Trials): Slices<void> {
  if (found.estimates.size * trials.looks * TRIALS_PER_ESTIMATE > MOST_LOOKS) return;
  for (const i of found.estimates) {
    if (found.tokens[i]! > 0) found.tokens[i] = yield* leastSeen(i, found.tokens[i]!, trials);
  }
}

function* leastSeen(inputIndex: number, estimate: number, { enters, plenty }: Trials): Slices<number> {
  let tooFew = 0;
  let enough = estimate;
  let left = TRIALS_PER_ESTIMATE;
  while (!(yield* enters(inputIndex, enough))) {
    if (enough >= plenty || --left === 0) return estimate;
    tooFew = enough;
    enough = Math.min(plenty, 2 * enough);
  }
  for (; left > 0 && enough - tooFew > 1; left--) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (yield* enters(inputIndex, middle)) enough = middle;
    else tooFew = middle;
  }
  return enough;
}
