/**
 * The contracts of the ten stages, in running order. A component fulfils one of them, in this process or behind a stream: each contract
 * has one verb, answers now or later, once for all fragments, and keeps nothing between runs. A component never changes what it is given.
 */

import type { Packing, PackingInput } from "./fuse/packing.js";
import type { Allocation, Candidate } from "./model/candidate.js";
import type { Fragment } from "./model/fragment.js";
import type { Reason } from "./model/payload.js";
import type { PreviousFragment } from "./model/previous.js";
import type { MaybePromise, Run } from "./run.js";
import type { Ranking, RankingInput, Strategy } from "./strategies/strategy.js";

/** 1. Chooses the strategies that run. */
export interface StrategySelector {
  /** Answers candidates among the strategies given, none twice, in the order in which they shall run. */
  select(input: SelectionInput, run: Run): MaybePromise<readonly Candidate[]>;
}

export interface SelectionInput {
  /** Names that the caller wants; none: any. */
  readonly hint: readonly string[];
  readonly query: string;
  readonly fragments: readonly Fragment[];
  /** What exists, each with its confidence for this query. */
  readonly strategies: readonly Candidate[];
}

/** 2. Splits the budget between the strategies. */
export interface BudgetAllocator {
  /** Answers a share for each candidate, in the same order; shares are whole, 0 or more, and never more than `tokens` in all. */
  allocate(tokens: number, candidates: readonly Candidate[], run: Run): MaybePromise<readonly Allocation[]>;
  /** True: it splits any number of tokens in proportion to the confidences, as `splitTokens` does. */
  readonly isProportional?: boolean;
}

/** 3. Runs the strategies. */
export interface StrategyExecutor {
  /** Answers a nomination for each allocation, in the same order. */
  execute(input: ExecutionInput, run: Run): MaybePromise<readonly Nomination[]>;
}

export interface ExecutionInput extends RankingInput {
  readonly allocations: readonly (Allocation & { readonly implementation: Strategy })[];
}

/** What one strategy wants, in its order, and the share that it may spend. */
export interface Nomination extends Allocation, Ranking {}

/** 4. Finds fragments that say the same. */
export interface Deduplicator {
  /** Answers the fragments that stay, in the order given, and what became of the others. */
  deduplicate(fragments: readonly Fragment[], context: DeduplicationContext, run: Run): MaybePromise<Deduplication>;
}

export interface DeduplicationContext {
  /** What is in the payload whatever happens; it is never a duplicate, only a survivor. It need not be among the fragments. */
  readonly committed: ReadonlySet<Fragment>;
  /** Those among the fragments that only a requirement brings. */
  readonly uninvited: ReadonlySet<Fragment>;
  /** True for fragments of a group, which are neither duplicates nor survivors. */
  isGrouped(fragment: Fragment): boolean;
}

export interface Deduplication {
  readonly kept: readonly Fragment[];
  /** Copies with their survivors. What is neither here nor kept counts as rejected by the component. */
  readonly duplicates: readonly Duplicate[];
  /** True: the survivors list the sources of their copies. */
  readonly mergesSources?: boolean;
}

export interface Duplicate {
  readonly fragment: Fragment;
  readonly survivor: Fragment;
  /** Above 0 and at most 1 where the two only say nearly the same: how similar they are. Absent: they say exactly the same. */
  readonly similarity?: number;
}

/** 5. Finds alternatives of different depth. */
export interface DepthResolver {
  /**
   * Answers which fragments stand, in the order given, each with the alternatives that it stands for, the best first; each fragment given is
   * named once. Under `in_order` the alternatives have no turn of their own. Every other packer lets in one of each such set: those that go
   * by rank try the one that stands, at its rank, and then its alternatives in the order of the answer; those that pack for value take the
   * one that is worth most in its place. Fragments of one variant key are alternatives whatever is answered; of several that stand, the
   * deepest is tried first. In groups the keys alone decide. Nothing: each fragment stands for itself.
   */
  resolve(fragments: readonly Fragment[], run: Run): MaybePromise<readonly Resolution[] | undefined>;
  /** False: it never resolves. Absent: it does. */
  readonly resolves?: boolean;
  /** True: its answer is what keys and depths say already. Absent: packers heed what it answers. */
  readonly isByDepth?: boolean;
}

/** A fragment that stands, and what it stands for. */
export interface Resolution {
  readonly fragment: Fragment;
  /** The best first. */
  readonly alternatives: readonly Fragment[];
}

/** 6. Scores what was nominated. */
export interface Scorer {
  /** Answers a score for each fragment, in the same order. `nominated` holds the score of the nomination, 0 to 1. */
  score(
    fragments: readonly Fragment[],
    nominated: Float64Array,
    context: ScoringContext,
    run: Run,
  ): MaybePromise<Scoring>;
}

export interface ScoringContext {
  /** How much of each nomination score is the fragment's relevance, 0 to 1, in the order of the fragments. */
  readonly relevanceShares: Float64Array;
}

export interface Scoring {
  /** Finite, 0 to 1. */
  readonly scores: Float64Array;
  /** The parts of the scores, which then replace the relevance in the payload. Absent: the scores have none. */
  readonly parts?: ScoreParts;
  /** The score of a fragment of relevance 0 with nothing else given; what is above it is a fragment's worth. Absent: 0. */
  readonly baseline?: number;
}

/** The parts of composite scores, each a column in the order of the fragments. */
export interface ScoreParts {
  readonly relevance: Float64Array;
  readonly hierarchy: Float64Array;
  readonly quality: Float64Array;
  readonly recency: Float64Array;
  /** The relevance that each fragment had before. */
  readonly original: Float64Array;
}

/** 7. Spends the budget. */
export interface Packer {
  /** Answers what enters. Never more than the budget, never a part of a unit. */
  pack(input: PackingInput, run: Run): MaybePromise<Packing>;
  /** True: where no depth resolver ran, all variants of a key may enter. Absent: one of each key does. */
  readonly keepsVariants?: boolean;
}

/** 8. Puts the selected fragments into reading order. */
export interface Orderer {
  /** Answers the same fragments in another order. They come as the strategies ranked them. */
  order(selected: readonly Fragment[], context: OrderingContext, run: Run): MaybePromise<readonly Fragment[]>;
  /** True: what leads the previous payload keeps its place, so the packer is held to the water marks. Absent: it is not. */
  readonly keepsPrefix?: boolean;
}

export interface OrderingContext {
  /** The caller's previous payload, in its order, each fragment by id, by content, or by both. Empty: there is none. */
  readonly previous: readonly PreviousFragment[];
}

/** 9. Writes the text that introduces the context. */
export interface PreambleGenerator {
  /** Answers the text; it is counted, and cut to `maxTokens`. Empty: no preamble. */
  generate(input: PreambleInput, run: Run): MaybePromise<string>;
  /** False: it never writes, so no tokens are set aside for it. Absent: they are. */
  readonly reservesTokens?: boolean;
}

export interface PreambleInput {
  readonly selected: readonly Fragment[];
  readonly strategiesUsed: readonly string[];
  /** How many fragments were left out, by reason. */
  readonly dropped: ReadonlyMap<Reason, number>;
  readonly maxTokens: number;
}

/** 10. Shortens the parents' fragments to an outline. */
export interface SkeletonCompressor {
  /** Answers the outline, which should fit in `maxTokens`. Text that it makes is counted again. */
  compress(parents: readonly Fragment[], maxTokens: number, run: Run): MaybePromise<readonly Fragment[]>;
}

/** The contract of each stage, by its role. */
export interface StageContracts {
  strategy_selector: StrategySelector;
  budget_allocator: BudgetAllocator;
  strategy_executor: StrategyExecutor;
  deduplicator: Deduplicator;
  depth_resolver: DepthResolver;
  scorer: Scorer;
  packer: Packer;
  orderer: Orderer;
  preamble_generator: PreambleGenerator;
  skeleton_compressor: SkeletonCompressor;
}

export type StageRole = keyof StageContracts;

/** The verb of each contract. */
export const VERBS = {
  strategy_selector: "select",
  budget_allocator: "allocate",
  strategy_executor: "execute",
  deduplicator: "deduplicate",
  depth_resolver: "resolve",
  scorer: "score",
  packer: "pack",
  orderer: "order",
  preamble_generator: "generate",
  skeleton_compressor: "compress",
} as const satisfies Record<StageRole, string>;

/** The stages in running order; the position plus one is the number of the wire's `Stage`. */
export const STAGES = [
  "strategy_selector",
  "budget_allocator",
  "strategy_executor",
  "deduplicator",
  "depth_resolver",
  "scorer",
  "packer",
  "orderer",
  "preamble_generator",
  "skeleton_compressor",
] as const satisfies readonly StageRole[];
