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
  /**
   * True where a packing with so many further tokens lets in the fragment at an input position; nothing where the trials have cost too much
   * to go on.
   */
  enters(inputIndex: number, further: number): Slices<boolean | undefined>;
}

/** The most trials for one estimate: some double the tokens, and the rest halves the steps between. */
const TRIALS_PER_ESTIMATE = 32;
/** What all trials of a request may cost. */
const MOST_LOOKS = 8_192;

/**
 * Tries the estimates. One that no trial bears out stays as it was, and all do where there is too much to try: a part of them would let the
 * order of the input show.
 */
export function* tryEstimates(found: Shortfalls, trials: Trials): Slices<void> {
  if (found.estimates.size * trials.looks * TRIALS_PER_ESTIMATE > MOST_LOOKS) return;
  const seen = new Map<number, number>();
  for (const i of found.estimates) {
    if (!(found.tokens[i]! > 0)) continue;
    const least = yield* leastSeen(i, found.tokens[i]!, trials);
    if (least === undefined) return;
    seen.set(i, least);
  }
  for (const [i, least] of seen) found.tokens[i] = least;
}

/** The number that was seen to be enough, or the estimate; nothing where the trials had to end. */
function* leastSeen(inputIndex: number, estimate: number, { enters, plenty }: Trials): Slices<number | undefined> {
  let tooFew = 0;
  let enough = estimate;
  let left = TRIALS_PER_ESTIMATE;
  for (;;) {
    const isIn = yield* enters(inputIndex, enough);
    if (isIn === undefined) return undefined;
    if (isIn) break;
    if (enough >= plenty || --left === 0) return estimate;
    tooFew = enough;
    enough = Math.min(plenty, 2 * enough);
  }
  for (; left > 0 && enough - tooFew > 1; left--) {
    const middle = Math.floor((tooFew + enough) / 2);
    const isIn = yield* enters(inputIndex, middle);
    if (isIn === undefined) return undefined;
    if (isIn) enough = middle;
    else tooFew = middle;
  }
  return enough;
}
