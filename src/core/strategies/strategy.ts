import type { Columns } from "../model/columns.js";
import type { Fragment } from "../model/fragment.js";
import type { Instant } from "../model/instant.js";
import type { MaybePromise, Run } from "../run.js";

/** What a strategy can do. */
export interface StrategyCapabilities {
  readonly supportsSemanticSearch: boolean;
  readonly supportsGraphNavigation: boolean;
  readonly supportsTemporalArchaeology: boolean;
  /** The most fragments that it nominates; 0: no limit. */
  readonly maxFragments: number;
  /** From 0 to 1. */
  readonly qualityScore: number;
}

/** What a strategy ranks. */
export interface RankingInput {
  /** In input order. */
  readonly fragments: readonly Fragment[];
  /** Their numbers, by input position; the same as in the fragments, and faster to get at. */
  readonly columns: Pick<Columns, "tokenCounts" | "relevances">;
  readonly query: string;
  /** What counts as now. */
  readonly asOf: Instant;
}

/** What a strategy answers: which fragments are worth having, in which order. It spends nothing. */
export interface Ranking {
  /** Best first; fragments of the input, none twice. What is left out is not nominated. */
  readonly fragments: readonly Fragment[];
  /** What the filler does with a fragment that does not fit: go on with the next, or end. */
  readonly miss: "skip" | "end";
  /**
   * From this rank on the fragments are a window in order of age, of which the filler keeps the longest suffix that fits: it goes
   * backwards, and `miss` holds there; before it a miss is skipped. Absent: there is no window.
   */
  readonly suffixFrom?: number;
  /** Fragments that were left out because they are older than the window. */
  readonly outside?: readonly Fragment[];
  /** The score of each nominated fragment, 0 to 1, in the same order. Absent: what the order says, such as (n - rank) / n. */
  readonly scores?: readonly number[] | Float64Array;
  /** True: the scores are the fragments' relevance, so that a scorer may start from the relevance that one had before it was scored. */
  readonly scoresAreRelevance?: boolean;
}

/** Ranks fragments. */
export interface Strategy {
  readonly name: string;
  /** How it ranks, for a person. */
  readonly explanation: string;
  readonly capabilities: StrategyCapabilities;
  /** How much of the budget it deserves beside others: finite, 0 or more. */
  confidence(query: string): number;
  /** Nominates in one go, now or later. It must not change the fragments, and keeps nothing between calls. */
  rank(input: RankingInput, run: Run): MaybePromise<Ranking>;
  /**
   * Hears that an answer of it broke its contract, and is not used; only what lives in another process cares. It may answer with another one
   * in its place.
   */
  rejected?(fault: string, answer: unknown): Promise<unknown> | undefined;
}
