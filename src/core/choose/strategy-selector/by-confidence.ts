import { compareUtf8 } from "../../model/text.js";
import type { StrategySelector } from "../../stages.js";

/** The strategies that the caller names, in its order; without a name every strategy, highest confidence first, equals by name. */
export const byConfidence: StrategySelector = {
  select: ({ hint, strategies }) => {
    if (hint.length === 0) {
      return [...strategies].sort((a, b) => b.confidence - a.confidence || compareUtf8(a.strategy, b.strategy));
    }
    const byName = new Map(strategies.map((candidate) => [candidate.strategy, candidate]));
    return hint.flatMap((name) => byName.get(name) ?? []);
  },
};
