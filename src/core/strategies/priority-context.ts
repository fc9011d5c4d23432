import type { Fragment } from "../model/fragment.js";
import type { Instant } from "../model/instant.js";
import { type PriorityRule, sumOfRules } from "../model/priority-rules.js";
import { rankByScore } from "./rank-by-score.js";
import type { Strategy } from "./strategy.js";

/** Settings of priorities: rules in place of all default ones, recency too. Absent: the default rules. */
export interface PriorityConfig {
  readonly rules: readonly PriorityRule[] | undefined;
}

const DEFAULT_RULES: readonly PriorityRule[] = [
  { field: "role", matcher: "system", score: 1 },
  { field: "role", matcher: "tool", score: 0.75 },
  { field: "role", matcher: "user", score: 0.5 },
  { field: "role", matcher: "assistant", score: 0.25 },
];

/** Metadata of which one, with one of the values, is enough for the boost, which counts once. */
const TAGS = ["priority", "priority_tag"];
const TAG_VALUES = new Set(["high", "critical"]);
const TAG_SCORE = 1;

/** The recency of something new, and the days in which it halves. */
const RECENCY_SCORE = 0.2;
const RECENCY_HALF_LIFE_DAYS = 7;
const SECONDS_OF_DAY = 86_400;

/** The highest priority first: by role, tags and recency, or by rules of the caller's own. */
export function createPriorityContext({ rules }: PriorityConfig): Strategy {
  return {
    name: "priority_context",
    explanation:
      rules === undefined
        ? "Ranks fragments by priority score: role, priority tags and recency, highest first; one that does not fit is skipped."
        : `Ranks fragments by priority score: the sum of ${rules.length} rules, highest first; one that does not fit is skipped.`,
    capabilities: {
      supportsSemanticSearch: false,
      supportsGraphNavigation: false,
      supportsTemporalArchaeology: rules === undefined,
      maxFragments: 0,
      qualityScore: 0.75,
    },
    confidence: () => 0.75,
    rank: ({ fragments, asOf }) => {
      const scoreOf =
        rules === undefined
          ? (fragment: Fragment) => defaultScore(fragment, asOf)
          : (fragment: Fragment) => sumOfRules(fragment, rules);
      return rankByScore(fragments, Float64Array.from(fragments, scoreOf));
    },
  };
}

function defaultScore(fragment: Fragment, asOf: Instant): number {
  const tagged = TAGS.some((key) => TAG_VALUES.has(fragment.metadata.get(key) ?? ""));
  return sumOfRules(fragment, DEFAULT_RULES) + (tagged ? TAG_SCORE : 0) + recencyOf(fragment, asOf);
}

function recencyOf({ createdAt }: Fragment, asOf: Instant): number {
  const seconds = asOf.seconds - createdAt.seconds + (asOf.nanos - createdAt.nanos) / 1e9;
  const days = Math.max(0, seconds) / SECONDS_OF_DAY;
  return RECENCY_SCORE * 0.5 ** (days / RECENCY_HALF_LIFE_DAYS);
}
