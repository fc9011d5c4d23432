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
    const positions = positionsByKey(fragments, relevances.map(highestFirst), compareTotal);
    const scores = new Float64Array(positions.length);
    for (let rank = 0; rank < scores.length; rank++) scores[rank] = relevances[positions[rank]!]!;
    return { fragments: fragmentsAt(fragments, positions), positions, miss: "skip", scores };
  },
};
