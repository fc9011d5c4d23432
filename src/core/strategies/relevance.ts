import { highestFirst } from "../order/keys.js";
import { compareTotal } from "../order/total-order.js";
import { sortByKey } from "./by-key.js";
import type { Strategy } from "./strategy.js";

/** The most relevant first. */
export const relevance: Strategy = {
  name: "relevance",
  explanation: "Ranks fragments by relevance score, highest first; one that does not fit is skipped.",
  capabilities: {
    supportsSemanticSearch: true,
    supportsGraphNavigation: false,
    supportsTemporalArchaeology: false,
    maxFragments: 0,
    qualityScore: 0.8,
  },
  confidence: () => 0.8,
  rank: ({ fragments }) => {
    const ranked = sortByKey(fragments, (fragment) => highestFirst(fragment.relevanceScore), compareTotal);
    const scores = new Float64Array(ranked.length);
    for (let i = 0; i < scores.length; i++) scores[i] = ranked[i]!.relevanceScore;
    return { fragments: ranked, miss: "skip", scores };
  },
};
