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
import type { ComparedOutcome, ContextError, Fragment } from "../core/index.js";
import { statusNameOf, wellFormed } from "./status.js";
import { durationToWire, warningToWire } from "./to-wire.js";

/** A comparison as it is sent. */
export function comparisonToWire(compared: Compared, requestId: string): CompareStrategiesResponse {
  const { request, outcomes, differences } = compared;
  const presences = differences.map(
    ({ fragment, keptBy }): FragmentPresence => ({ fragment: reference(fragment), keptBy: [...keptBy] }),
  );
  return {
    requestId,
    results: outcomes.map((outcome, position) => resultToWire(outcome, aloneIn(presences, position), compared)),
    differences: presences,
    keptByAll: compared.keptByAll.map(reference),
    keptByNone: compared.keptByNone,
    availableTokens: request.budget.availableTokens,
    tokenizer: compared.tokenizer,
    countsEstimated: request.columns.estimates > 0,
  };
}

function aloneIn(presences: readonly FragmentPresence[], position: number): FragmentReference[] {
  return presences.flatMap(({ fragment, keptBy }) =>
    fragment !== undefined && keptBy.length === 1 && keptBy[0] === position ? [fragment] : [],
  );
}

function reference({ fragmentId, inputIndex, tokenCount }: Fragment): FragmentReference {
  return { fragmentId, inputIndex, tokenCount };
}

function resultToWire(
  outcome: ComparedOutcome,
  onlyHere: FragmentReference[],
  { request }: Pick<Compared, "request">,
): VariantResult {
  return {
    label: outcome.label,
    elapsed: durationToWire(outcome.elapsedMs),
    outcome:
      "payload" in outcome
        ? { $case: "summary", value: summaryToWire(outcome, onlyHere, request.fragments.length) }
        : { $case: "failure", value: failureToWire(outcome.error) },
  };
}

function summaryToWire(
  { payload, relevanceSum }: Extract<ComparedOutcome, { payload: unknown }>,
  onlyHere: FragmentReference[],
  given: number,
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
    selected: fragments.map(reference),
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
