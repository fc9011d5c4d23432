import { hostedError } from "../hosted/hosted-error.js";
import type { Strategy } from "./strategy.js";

/** Stands where the name of a strategy is unknown and the request says what to do then: it fails whenever it is to rank. */
export function createUnknown(name: string): Strategy {
  return {
    name,
    explanation: "Nobody knows this strategy.",
    capabilities: {
      supportsSemanticSearch: false,
      supportsGraphNavigation: false,
      supportsTemporalArchaeology: false,
      maxFragments: 0,
      qualityScore: 0,
    },
    confidence: () => 1,
    rank: () => {
      throw hostedError({ role: "strategy", name }, "unknown", "is not known");
    },
  };
}
