import { type ContextError, invalidRequest } from "../errors.js";
import type { ExpressionPair, FailedEvaluation } from "../expressions.js";
import type { Fragment } from "../model/fragment.js";
import { rankByScore } from "./rank-by-score.js";
import type { Strategy } from "./strategy.js";

/**
 * A strategy that is made of a filter and a score; an absent filter lets everything through, an absent score is the relevance. Faults that
 * only show when it runs have a path that begins with `path`.
 */
export function createExpressionStrategy(
  kind: "expression" | "priority",
  { where, score }: ExpressionPair,
  path: string,
): Strategy {
  return {
    name: kind === "priority" ? "priority_context" : "expression",
    explanation:
      kind === "priority"
        ? "Ranks fragments by the priority score that an expression gives, highest first; one that does not fit is skipped."
        : "Nominates the fragments that an expression lets through, by the score that an expression gives; one that does not fit is skipped.",
    capabilities: {
      supportsSemanticSearch: score === undefined || score.includes("relevance_score"),
      supportsGraphNavigation: false,
      supportsTemporalArchaeology: score?.includes("created_at") ?? false,
      maxFragments: 0,
      qualityScore: 0.75,
    },
    confidence: () => 0.75,
    rank: async ({ fragments, query, asOf }, run) => {
      const found = await run.expressions.evaluate({ where, score }, { fragments, query, asOf }, run.signal);
      if (found.fault !== undefined)
        throw failed(
          found,
          kind === "priority" ? `${path}.priority.score_expression` : `${path}.expression.${found.part}`,
          fragments,
        );
      const { nominated, scores } = found;
      const passed = nominated === undefined ? fragments : fragments.filter((_, i) => nominated[i] === 1);
      const relevances = Float64Array.from(passed, ({ relevanceScore }) => relevanceScore);
      const own = scores?.filter((_, i) => nominated === undefined || nominated[i] === 1);
      return rankByScore(passed, own ?? relevances);
    },
  };
}

/** The caller's expression is at fault, or its data: both are the request's. */
function failed({ fault, index }: FailedEvaluation, field: string, fragments: readonly Fragment[]): ContextError {
  const where = index === undefined ? "" : ` for the fragment ${fragments[index]!.fragmentId} (fragments[${index}])`;
  return invalidRequest([{ field, description: `failed${where}: ${fault.description}` }]);
}
