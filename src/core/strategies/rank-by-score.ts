import type { Fragment } from "../model/fragment.js";
import { compareInstants } from "../model/instant.js";
import { fragmentsAt, positionsByKey } from "../order/by-key.js";
import { highestFirst } from "../order/keys.js";
import { compareTotal } from "../order/total-order.js";
import type { Ranking } from "./strategy.js";

/**
 * A ranking by any finite scores, highest first, of equal ones the more relevant, then the newer. Scores are compared to twelve decimals.
 * The nomination score is the score over the highest: 0 below 0, and where the highest is not above 0.
 */
export function rankByScore(fragments: readonly Fragment[], scores: Float64Array): Ranking {
  const rounded = scores.map(roundToTrillionth);
  const positions = positionsByKey(
    fragments,
    ranksOf(rounded),
    (a, b) =>
      highestFirst(a.relevanceScore) - highestFirst(b.relevanceScore) ||
      compareInstants(b.createdAt, a.createdAt) ||
      compareTotal(a, b),
  );
  const highest = rounded.reduce((most, score) => Math.max(most, score), Number.NEGATIVE_INFINITY);
  const nominated = new Float64Array(positions.length);
  for (let rank = 0; rank < nominated.length; rank++) {
    nominated[rank] = highest > 0 ? Math.min(1, Math.max(0, rounded[positions[rank]!]! / highest)) : 0;
  }
  return { fragments: fragmentsAt(fragments, positions), miss: "skip", scores: nominated };
}

/** Each score's place among the different scores, the highest first: whole numbers, as the sorting wants them. */
function ranksOf(scores: Float64Array): Float64Array {
  const different = [...new Set(Float64Array.from(scores).sort().reverse())];
  const rankOf = new Map(different.map((score, rank) => [score, rank]));
  return scores.map((score) => rankOf.get(score)!);
}

/** Large numbers have no twelfth decimal, and stay as they are. */
function roundToTrillionth(score: number): number {
  const rounded = Math.round(score * 1e12) / 1e12;
  return Number.isFinite(rounded) ? rounded + 0 : score;
}
