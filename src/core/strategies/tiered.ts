import { compareInstants } from "../model/instant.js";
import { sortByKey } from "../order/by-key.js";
import { highestFirst, SCORE_KEYS } from "../order/keys.js";
import { compareTotal } from "../order/total-order.js";
import type { Strategy } from "./strategy.js";

/** Hot before warm before cold; within a tier the more relevant, then the newer. */
export const tiered: Strategy = {
  name: "tiered",
  explanation:
    "Ranks fragments by tier priority (hot, warm, cold), then by relevance score, then newest first; one that does not fit is skipped.",
  capabilities: {
    supportsSemanticSearch: false,
    supportsGraphNavigation: false,
    supportsTemporalArchaeology: false,
    maxFragments: 0,
    qualityScore: 0.7,
  },
  confidence: () => 0.7,
  rank: ({ fragments }) => ({
    fragments: sortByKey(
      fragments,
      ({ tier, relevanceScore }) => tier * SCORE_KEYS + highestFirst(relevanceScore),
      (a, b) => compareInstants(b.createdAt, a.createdAt) || compareTotal(a, b),
    ),
    miss: "skip",
  }),
};
