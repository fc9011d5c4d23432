/** Who survives of fragments that say the same, whatever component finds them. */
import type { Fragment } from "../../model/fragment.js";
import { sortByKey } from "../../order/by-key.js";
import { highestFirst, SCORE_KEYS } from "../../order/keys.js";
import { compareTotal } from "../../order/total-order.js";
import type { DeduplicationContext } from "../../stages.js";

/**
 * Fragments in the order in which they survive one another: what is committed before what was nominated, that before what only a
 * requirement brings, then the most relevant, then the total order.
 */
export function inSurvivorOrder(fragments: readonly Fragment[], context: DeduplicationContext): readonly Fragment[] {
  return sortByKey(fragments, (fragment) => survivorKey(fragment, context), compareTotal);
}

/** Below 0 where the first survives the second. */
export function compareSurvivors(a: Fragment, b: Fragment, context: DeduplicationContext): number {
  return survivorKey(a, context) - survivorKey(b, context) || compareTotal(a, b);
}

function survivorKey(fragment: Fragment, { committed, uninvited }: DeduplicationContext): number {
  const relevance = highestFirst(fragment.relevanceScore);
  if (committed.size > 0 && committed.has(fragment)) return relevance;
  return relevance + (uninvited.size > 0 && uninvited.has(fragment) ? 2 : 1) * SCORE_KEYS;
}
