import type { Nomination } from "../stages.js";
import type { Fragment } from "./fragment.js";

/** A nomination whose fragments are known by their input positions. */
export interface PlacedNomination extends Omit<Nomination, "fragments" | "outside"> {
  readonly positions: Uint32Array;
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
