import { fragmentsAt, positionsByKey } from "../order/by-key.js";
import { highestFirst } from "../order/keys.js";
import { compareTotal } from "../order/total-order.js";
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
  rank: ({ fragments, columns: { relevances } }) => {
    const n = fragments.length;
    const keys = new Float64Array(n);
    for (let i = 0; i < n; i++) keys[i] = highestFirst(relevances[i]!);
    const positions = positionsByKey(fragments, keys, compareTotal);
    const scores = new Float64Array(n);
    for (let rank = 0; rank < n; rank++) scores[rank] = relevances[positions[rank]!]!;
    return { fragments: fragmentsAt(fragments, positions), miss: "skip", scores, scoresAreRelevance: true };
  },
};
