import { compareInstants } from "../model/instant.js";
import { sortByKey } from "../order/by-key.js";
import { highestFirst, newestFirst } from "../order/keys.js";
import { compareTotal } from "../order/total-order.js";
import type { Strategy } from "./strategy.js";

/** The newest first; of equally new ones the more relevant. */
export const recency: Strategy = {
  name: "recency",
  explanation:
    "Ranks fragments by creation time, newest first, then by relevance score; one that does not fit is skipped.",
  capabilities: {
    supportsSemanticSearch: false,
    supportsGraphNavigation: false,
    supportsTemporalArchaeology: true,
    maxFragments: 0,
    qualityScore: 0.6,
  },
  confidence: () => 0.6,
  rank: ({ fragments }) => ({
    fragments: sortByKey(
      fragments,
      (fragment) => newestFirst(fragment.createdAt),
      (a, b) =>
        compareInstants(b.createdAt, a.createdAt) ||
        highestFirst(a.relevanceScore) - highestFirst(b.relevanceScore) ||
        compareTotal(a, b),
    ),
    miss: "skip",
  }),
};
