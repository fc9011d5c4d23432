import type { StageRole } from "../stages.js";
import type { Budget } from "./budget.js";
import type { Fragment } from "./fragment.js";
import type { Instant } from "./instant.js";

/** Something that departs from what was asked, and does not fail the request. */
export interface Warning {
  /** A stable name in lower snake case. */
  readonly code: string;
  readonly stage: StageRole | undefined;
  readonly component: string;
  /** For a person. */
  readonly message: string;
}

/** Numbers of the wire's `Outcome`. */
export const Outcome = { SELECTED: 1, DROPPED: 2 } as const;
export type Outcome = (typeof Outcome)[keyof typeof Outcome];

/** Numbers of the wire's `Reason`; the first three stand with selected fragments. */
export const Reason = {
  CHOSEN: 1,
  PINNED: 2,
  REQUIRED: 3,
  NOT_NOMINATED: 4,
  OUTSIDE_WINDOW: 5,
  OVER_BUDGET: 6,
  DUPLICATE: 7,
  TOO_SIMILAR: 8,
  OTHER_VARIANT: 9,
  BELOW_MINIMUM_TOKENS: 10,
  BELOW_MINIMUM_VALUE: 11,
  PARTNER_MISSING: 12,
  REQUIREMENT_MISSING: 13,
  SECTION_CAP: 14,
  REJECTED_BY_COMPONENT: 15,
} as const;
export type Reason = (typeof Reason)[keyof typeof Reason];

/** Why one input fragment is in the payload, or is not; named as the wire message is, absent as `undefined`. */
export interface Decision {
  readonly fragmentId: string;
  readonly inputIndex: number;
  readonly outcome: Outcome;
  readonly reason: Reason;
  /** Number of the stage that decided: its position among the stages, from 1. */
  readonly stage: number;
  readonly relatedFragmentId: string;
  readonly tokensMissing: number | undefined;
  readonly tokensMissingExact: boolean;
  readonly rank: number | undefined;
  readonly score: number | undefined;
  readonly components: ScoreComponents | undefined;
  readonly originalRelevance: number | undefined;
  readonly detail: string;
}

/** The parts of a composite score, each from 0 to 1. */
export interface ScoreComponents {
  readonly relevance: number;
  readonly hierarchy: number;
  readonly quality: number;
  readonly recency: number;
}

/** Decisions in input order. They are kept as columns; an object is made for each when it is looked at. */
export interface Decisions extends Iterable<Decision> {
  readonly length: number;
  toArray(): Decision[];
}

/** How long one stage took. */
export interface StageTiming {
  readonly stage: StageRole;
  readonly component: string;
  readonly durationMs: number;
}

/** How much of the trace a payload carries; numbers of the wire's `Trace`. */
export const TraceLevel = { NONE: 1, DROPPED: 2, FULL: 3 } as const;
export type TraceLevel = (typeof TraceLevel)[keyof typeof TraceLevel];

/** How good a packing is under its objective. */
export interface PackingReport {
  readonly value: number;
  readonly upperBound: number;
  readonly gap: number;
  readonly provenOptimal: boolean;
  readonly packer: string;
  readonly steps: number;
}

/** What goes into the prompt: never over budget, every decision explained. */
export interface Payload {
  readonly payloadId: string;
  readonly planId: string;
  /** In reading order. */
  readonly fragments: readonly Fragment[];
  readonly totalTokens: number;
  readonly budget: Budget;
  /** From 0 to 1; 0 for an empty payload. */
  readonly budgetUsed: number;
  readonly remainingTokens: number;
  readonly strategiesUsed: readonly string[];
  /** Lower-case hexadecimal. */
  readonly contextHash: string;
  readonly preamble: string;
  readonly preambleTokens: number;
  readonly assembledAt: Instant;
  readonly skeletonFragments: readonly Fragment[];
  readonly skeletonTokens: number;
  readonly tokenizer: string;
  readonly countsEstimated: boolean;
  /** In input order, as far as the request's trace level asks for them. */
  readonly decisions: Decisions;
  readonly warnings: readonly Warning[];
  readonly packing: PackingReport;
  readonly stablePrefixTokens: number;
  readonly timings: readonly StageTiming[];
}
