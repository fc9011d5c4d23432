/** From the core's comparison to wire messages; decides nothing. */
import type { CompareStrategiesResponse } from "../../gen/acms/v1/assembly_service.js";
import type {
  FragmentPresence,
  FragmentReference,
  VariantFailure,
  VariantResult,
  VariantSummary,
} from "../../gen/acms/v1/comparison.js";
import { ErrorReason } from "../../gen/acms/v1/error_reason.js";
import type { Compared } from "../app.js";
import type { ComparedOutcome, ContextError, Fragment, Slices } from "../core/index.js";
import { statusNameOf, wellFormed } from "./status.js";
import { durationToWire, warningToWire } from "./to-wire.js";

/** A comparison as it is sent; variants of thousands of fragments take some time. */
export function* comparisonToWire(compared: Compared, requestId: string): Slices<CompareStrategiesResponse> {
  const { request, outcomes, differences } = compared;
  const referenceOf = referencesTo(request.fragments);
  const presences = differences.map(
    ({ fragment, keptBy }): FragmentPresence => ({ fragment: referenceOf(fragment), keptBy: [...keptBy] }),
  );
  const keptAlone = outcomes.map((): FragmentReference[] => []);
  for (const { fragment, keptBy } of presences) {
    if (fragment !== undefined && keptBy.length === 1) keptAlone[keptBy[0]!]!.push(fragment);
  }
  const results: VariantResult[] = [];
  for (const [position, outcome] of outcomes.entries()) {
    yield;
    results.push(
      resultToWire(outcome, { referenceOf, onlyHere: keptAlone[position]!, given: request.fragments.length }),
    );
  }
  return {
    requestId,
    results,
    differences: presences,
    keptByAll: compared.keptByAll.map(referenceOf),
    keptByNone: compared.keptByNone,
    availableTokens: request.budget.availableTokens,
    tokenizer: compared.tokenizer,
    countsEstimated: request.columns.estimates > 0,
  };
}

type ReferenceOf = (fragment: Fragment) => FragmentReference;

/** Makes the reference to each fragment of a list once: many variants keep the same ones. */
function referencesTo(fragments: readonly Fragment[]): ReferenceOf {
  const references = fragments.map(({ fragmentId, inputIndex, tokenCount }) => ({
    fragmentId,
    inputIndex,
    tokenCount,
  }));
  return ({ inputIndex }) => references[inputIndex]!;
}

/** What a variant is seen beside. */
interface Beside {
  readonly referenceOf: ReferenceOf;
  /** What no other variant kept. */
  readonly onlyHere: FragmentReference[];
  /** How many fragments all variants were given. */
  readonly given: number;
}

function resultToWire(outcome: ComparedOutcome, beside: Beside): VariantResult {
  return {
    label: outcome.label,
    elapsed: durationToWire(outcome.elapsedMs),
    outcome:
      "payload" in outcome
        ? { $case: "summary", value: summaryToWire(outcome, beside) }
        : { $case: "failure", value: failureToWire(outcome.error) },
  };
}

function summaryToWire(
  { payload, relevanceSum }: Extract<ComparedOutcome, { payload: unknown }>,
  { referenceOf, onlyHere, given }: Beside,
): VariantSummary {
  const { totalTokens, fragments, packing } = payload;
  return {
    totalTokens,
    remainingTokens: payload.remainingTokens,
    selectedCount: fragments.length,
    droppedCount: given - fragments.length,
    relevanceSum,
    relevancePerToken: perToken(relevanceSum, totalTokens),
    packing,
    valuePerToken: perToken(packing.value, totalTokens),
    strategiesUsed: [...payload.strategiesUsed],
    contextHash: payload.contextHash,
    warnings: payload.warnings.map(warningToWire),
    selected: fragments.map(referenceOf),
    onlyHere,
    preambleTokens: payload.preambleTokens,
    skeletonTokens: payload.skeletonTokens,
  };
}

function perToken(amount: number, tokens: number): number {
  return tokens === 0 ? 0 : amount / tokens;
}

function failureToWire({ reason, message, metadata }: ContextError): VariantFailure {
  return {
    status: statusNameOf(reason),
    reason: ErrorReason[`ERROR_REASON_${reason}`],
    message: wellFormed(message),
    metadata: new Map(Object.entries(metadata)),
  };
}
