/** From the core's values to wire messages; decides nothing. A core fragment has every field of the wire's under its name. */

import type { SectionBudget } from "../../gen/acms/v1/budget.js";
import type { ContextFragment, Provenance as WireProvenance } from "../../gen/acms/v1/fragment.js";
import type { ContextPayload } from "../../gen/acms/v1/payload.js";
import { Source as WireSource } from "../../gen/acms/v1/strategy.js";
import type { StageTiming as WireTiming, Warning as WireWarning } from "../../gen/acms/v1/trace.js";
import type { Duration } from "../../gen/google/protobuf/duration.js";
import { type Fragment, type Payload, type Source, STAGES, type StageTiming, type Warning } from "../core/index.js";

/** A payload as it is sent, with its fragments whole or by id and price alone. */
export function payloadToWire(payload: Payload, idsOnly: boolean): ContextPayload {
  const { budget, fragments } = payload;
  return {
    payloadId: payload.payloadId,
    planId: payload.planId,
    fragments: idsOnly ? fragments.map(fragmentIdToWire) : fragmentsToWire(fragments),
    totalTokens: payload.totalTokens,
    budget: {
      maxTokens: budget.maxTokens,
      reservedTokens: budget.reservedTokens,
      sections: budget.sections.map(({ draft }) => draft as SectionBudget),
    },
    availableTokens: budget.availableTokens,
    budgetUsed: payload.budgetUsed,
    remainingTokens: payload.remainingTokens,
    withinBudget: true,
    strategiesUsed: [...payload.strategiesUsed],
    contextHash: payload.contextHash,
    preamble: payload.preamble,
    preambleTokens: payload.preambleTokens,
    provenanceMap: new Map(
      idsOnly ? [] : fragments.map(({ fragmentId, provenance }) => [fragmentId, provenance as WireProvenance]),
    ),
    assembledAt: payload.assembledAt,
    skeletonFragments: payload.skeletonFragments.map(idsOnly ? fragmentIdToWire : fragmentToWire),
    skeletonTokens: payload.skeletonTokens,
    tokenizer: payload.tokenizer,
    countsEstimated: payload.countsEstimated,
    decisions: payload.decisions.toArray(),
    warnings: payload.warnings.map(warningToWire),
    packing: payload.packing,
    stablePrefixTokens: payload.stablePrefixTokens,
    timings: payload.timings.map(timingToWire),
  };
}

/** Fragments as they are sent. */
export function fragmentsToWire(fragments: readonly Fragment[]): ContextFragment[] {
  return fragments as unknown as ContextFragment[];
}

/** A warning as it is sent. */
export function warningToWire({ code, stage, component, message }: Warning): WireWarning {
  return { code, stage: stage === undefined ? 0 : STAGES.indexOf(stage) + 1, component, message };
}

const SOURCES: Readonly<Record<Source, WireSource>> = {
  built_in: WireSource.SOURCE_BUILT_IN,
  registered: WireSource.SOURCE_REGISTERED,
  hosted: WireSource.SOURCE_HOSTED,
};

/** Where something comes from, as it is sent. */
export function sourceToWire(source: Source): WireSource {
  return SOURCES[source];
}

/** A fragment as it is sent. */
export const fragmentToWire = (fragment: Fragment): ContextFragment => fragment as unknown as ContextFragment;

const EMPTY = new Map<string, string>();

function fragmentIdToWire({ fragmentId, tokenCount }: Fragment): ContextFragment {
  return {
    fragmentId,
    ukoNode: "",
    content: "",
    tokenCount,
    relevanceScore: undefined,
    detailDepth: undefined,
    tier: 0,
    role: 0,
    metadata: EMPTY,
    createdAt: undefined,
    provenance: undefined,
    pinned: false,
    groupId: "",
    requires: [],
    variantKey: "",
    vector: [],
  };
}

function timingToWire({ stage, component, durationMs }: StageTiming): WireTiming {
  return { stage: STAGES.indexOf(stage) + 1, component, duration: durationToWire(durationMs) };
}

/** A length of time as it is sent. */
export function durationToWire(durationMs: number): Duration {
  const seconds = Math.floor(durationMs / 1_000);
  return { seconds, nanos: Math.floor((durationMs - seconds * 1_000) * 1e6) };
}
