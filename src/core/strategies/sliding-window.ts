import { type Fragment, Role } from "../model/fragment.js";
import { highestFirst } from "../order/keys.js";
import { compareTotal } from "../order/total-order.js";
import type { Strategy } from "./strategy.js";

/** What a window counts. */
export type WindowMode = "messages" | "tokens";

/** Settings of a window. */
export interface SlidingWindowConfig {
  /** At least 1. */
  readonly windowSize: number;
  readonly windowMode: WindowMode;
}

export const DEFAULT_WINDOW: SlidingWindowConfig = { windowSize: 20, windowMode: "messages" };

/**
 * The newest messages. Input order is age. System fragments stand outside the window and enter first, by relevance; the window is the
 * longest suffix of the others within its size, of which the filler keeps the longest suffix that fits.
 */
export function createSlidingWindow({ windowSize, windowMode }: SlidingWindowConfig): Strategy {
  return {
    name: "sliding_window",
    explanation: `Keeps a sliding window of the newest ${windowSize} ${windowMode}, oldest first, after all system fragments; the budget cuts it from its old end.`,
    capabilities: {
      supportsSemanticSearch: false,
      supportsGraphNavigation: false,
      supportsTemporalArchaeology: true,
      maxFragments: 0,
      qualityScore: 0.5,
    },
    confidence: () => 0.5,
    rank: ({ fragments }) => {
      const system = fragments.filter(({ role }) => role === Role.SYSTEM).sort(bySystemRank);
      const others = fragments.filter(({ role }) => role !== Role.SYSTEM);
      const from = windowStart(others, windowSize, windowMode);
      return {
        fragments: [...system, ...others.slice(from)],
        miss: "end",
        suffixFrom: system.length,
        outside: others.slice(0, from),
      };
    },
  };
}

function bySystemRank(a: Fragment, b: Fragment): number {
  return highestFirst(a.relevanceScore) - highestFirst(b.relevanceScore) || compareTotal(a, b);
}

/** Where the longest suffix within a size begins; the size itself is within. */
function windowStart(fragments: readonly Fragment[], size: number, mode: WindowMode): number {
  let from = fragments.length;
  for (let used = 0; from > 0; from--) {
    used += mode === "messages" ? 1 : fragments[from - 1]!.tokenCount;
    if (used > size) break;
  }
  return from;
}
