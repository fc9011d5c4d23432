import type { Fragment } from "../../model/fragment.js";
import type { PipelineOptions } from "../../model/pipeline-spec.js";
import type { PackingInput } from "../packing.js";

/** What a fragment must have to enter for its own sake. */
export type LeastValue = Pick<PipelineOptions, "minRelevance" | "minValuePerToken" | "valueExponent">;

/** Tests whether a fragment is below the least relevance or the least value per token; nothing where neither is asked for. */
export function createLeastValueTest(
  { minRelevance = 0, minValuePerToken = 0, valueExponent = 0 }: LeastValue,
  { scores, baseline }: Pick<PackingInput, "scores" | "baseline">,
): ((fragment: Fragment) => boolean) | undefined {
  if (minRelevance === 0 && minValuePerToken === 0) return undefined;
  return ({ relevanceScore, tokenCount, inputIndex }) => {
    if (relevanceScore < minRelevance) return true;
    if (minValuePerToken === 0 || tokenCount === 0) return false;
    const worth = Math.max(0, scores[inputIndex]! - baseline);
    // Scores are compared to twelve decimals, and so is what is computed of them.
    return Math.round(worth * tokenCount ** (valueExponent - 1) * 1e12) < Math.round(minValuePerToken * 1e12);
  };
}
