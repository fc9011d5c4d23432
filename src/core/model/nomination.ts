import type { Nomination } from "../stages.js";
import type { Fragment } from "./fragment.js";

/** A nomination whose fragments are known by their input positions. */
export interface PlacedNomination extends Omit<Nomination, "fragments" | "outside" | "scores"> {
  readonly positions: Uint32Array;
  /** The nomination score of each, in the same order: 0 to 1. */
  readonly scores: Float64Array | readonly number[];
}

/**
 * What a strategy's order says as numbers from 0 to 1, where it gives none itself: (n - rank) / n, rank from 0. In a window of n that is
 * (k + 1) / (n + 1) from the oldest, k from 0, and 1 before the window.
 */
export function scoresOfOrder(count: number, suffixFrom: number | undefined): Float64Array {
  const scores = new Float64Array(count);
  const inWindow = count - (suffixFrom ?? count);
  for (let rank = 0; rank < count; rank++) {
    if (suffixFrom === undefined) scores[rank] = (count - rank) / count;
    else scores[rank] = rank < suffixFrom ? 1 : (rank - suffixFrom + 1) / (inWindow + 1);
  }
  return scores;
}

/** What the strategies want: the nominations, and every nominated fragment once, in the order of the nominations. */
export interface Nominated {
  readonly nominations: readonly PlacedNomination[];
  readonly fragments: readonly Fragment[];
}

/** True for so many numbers from 0 to 1. */
export function areScores(scores: readonly number[] | Float64Array, count: number): boolean {
  if (scores.length !== count) return false;
  for (let i = 0; i < count; i++) if (!(scores[i]! >= 0 && scores[i]! <= 1)) return false;
  return true;
}
