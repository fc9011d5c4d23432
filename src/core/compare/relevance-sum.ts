import type { Columns } from "../model/columns.js";
import type { Payload } from "../model/payload.js";

/**
 * Sum of the relevance of a payload's fragments as the caller gave it, to twelve decimals: what a scorer puts in its place differs between
 * variants. Added from the least to the greatest, so that one set has one sum, whatever its order.
 */
export function relevanceSum({ fragments }: Payload, { relevances }: Columns): number {
  const given = Float64Array.from(fragments, ({ inputIndex }) => relevances[inputIndex]!).sort();
  let sum = 0;
  for (const relevance of given) sum += relevance;
  return Number(sum.toFixed(12));
}
