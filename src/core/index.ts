export { allocateBudgetAlone, rankStrategiesAlone, selectStrategiesAlone } from "./alone/choose-alone.js";
export {
  deduplicateAlone,
  packAlone,
  resolveDepthAlone,
  type Scored,
  type ScoredDraft,
  scoreAlone,
} from "./alone/fuse-alone.js";
export { compressSkeletonAlone, generatePreambleAlone, orderAlone } from "./alone/present-alone.js";
export { assemble } from "./assemble.js";
export { builtInRegistry } from "./built-in.js";
export { type ComparedOutcome, type ComparisonResult, compareStrategies } from "./compare.js";
export { contentHash, contextHash } from "./context-hash.js";
export { ContextError, type FailureReason, invalidRequest, quote, unknownName, type Violation } from "./errors.js";
export type {
  Evaluation,
  ExpressionFault,
  ExpressionInput,
  ExpressionPair,
  ExpressionResult,
  Expressions,
  FailedEvaluation,
  SourcePosition,
} from "./expressions.js";
export type { Links } from "./fuse/links.js";
export { NOT_NOMINATED, type Packing, type PackingInput, type Shortfalls } from "./fuse/packing.js";
export { gatherVariants, type Variants } from "./fuse/variants.js";
export { decideFailure } from "./hosted/decide-failure.js";
export {
  type ComponentRole,
  FAILURE_KINDS,
  type FailureKind,
  HostedError,
  hostedError,
} from "./hosted/hosted-error.js";
export { type Budget, type BudgetDraft, readBudget } from "./model/budget.js";
export type { Allocation, Candidate } from "./model/candidate.js";
export { checkExpressions, expressionsOf } from "./model/check-expressions.js";
export { type ComparisonDraft, readComparison } from "./model/comparison.js";
export { createFaults, type Faults } from "./model/faults.js";
export { FRAGMENT_LIMITS, type Fragment, type FragmentDraft, Role, Tier } from "./model/fragment.js";
export { compareInstants, type Instant, instantOfMs } from "./model/instant.js";
export type { PlacedNomination } from "./model/nomination.js";
export {
  type Decision,
  type Decisions,
  Outcome,
  type PackingReport,
  type Payload,
  Reason,
  type ScoreComponents,
  type StageTiming,
  TraceLevel,
  type Warning,
} from "./model/payload.js";
export type { FailurePolicy, HostedStage, PipelineOptions } from "./model/pipeline-spec.js";
export { planIdFault } from "./model/plan-id.js";
export type { PreviousFragment } from "./model/previous.js";
export type { Provenance, ProvenanceDraft } from "./model/provenance.js";
export {
  DEFAULT_LIMITS,
  type Request,
  type RequestDraft,
  type RequestLimits,
  type RequestSurroundings,
  readFragments,
  readRequest,
} from "./model/request.js";
export {
  readStrategySpec,
  type StrategyConfigDraft,
  type StrategySpec,
  type StrategySpecDraft,
} from "./model/strategy-spec.js";
export { codePointCount, compareUtf8, cutToCodePoints, cutToUnits, isLongerThan } from "./model/text.js";
export { compareTotal } from "./order/total-order.js";
export type { Profile } from "./profiles/profile.js";
export { type FittedPrompt, fitPrompt, type PromptReport } from "./prompt/fit-prompt.js";
export { type PromptDraft, type PromptRequest, readPrompt } from "./prompt/read-prompt.js";
export { type Answering, type ComponentFactory, Registry } from "./registry.js";
export type { MaybePromise, Recorder, Run, Source, StageOutcome } from "./run.js";
export type { Slices } from "./run-in-slices.js";
export {
  type BudgetAllocator,
  type Deduplication,
  type DeduplicationContext,
  type Deduplicator,
  type DepthResolver,
  type Duplicate,
  type ExecutionInput,
  type Nomination,
  type Orderer,
  type OrderingContext,
  type Packer,
  type PreambleGenerator,
  type PreambleInput,
  type Resolution,
  type ScoreParts,
  type Scorer,
  type Scoring,
  type ScoringContext,
  type SelectionInput,
  type SkeletonCompressor,
  STAGES,
  type StageContracts,
  type StageRole,
  type StrategyExecutor,
  type StrategySelector,
  VERBS,
} from "./stages.js";
export { createConfigured } from "./strategies/configured.js";
export type { Ranking, RankingInput, Strategy, StrategyCapabilities } from "./strategies/strategy.js";
export type { TokenCounter } from "./token-counter.js";
