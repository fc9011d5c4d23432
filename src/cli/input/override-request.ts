import type { AssembleRequest } from "../../../gen/acms/v1/assembly_service.js";
import { PipelineSpec } from "../../../gen/acms/v1/component.js";
import { TraceLevel } from "../../core/index.js";

/** How much of the trace flags may ask for. */
export const traceNames = ["none", "dropped", "full"] as const;
export type TraceName = (typeof traceNames)[number];

/** What flags say about a request. */
export interface RequestOverrides {
  readonly budget?: number;
  readonly reserved?: number;
  readonly strategy?: readonly string[];
  readonly profile?: string;
  readonly packer?: string;
  readonly query?: string;
  readonly trace?: TraceName;
  readonly planId?: string;
}

const traces: Readonly<Record<TraceName, TraceLevel>> = {
  none: TraceLevel.NONE,
  dropped: TraceLevel.DROPPED,
  full: TraceLevel.FULL,
};

/** The request with what flags say in place of what it says itself. Named strategies replace all of the request's. */
export function overrideRequest(request: AssembleRequest, overrides: RequestOverrides): AssembleRequest {
  const { budget, reserved, strategy, profile, packer, query, trace, planId } = overrides;
  const pipeline = { ...PipelineSpec.fromPartial({}), ...request.pipeline };
  const own = request.budget ?? { maxTokens: 0, reservedTokens: 0, sections: [] };
  const changed = { ...own, maxTokens: budget ?? own.maxTokens, reservedTokens: reserved ?? own.reservedTokens };
  return {
    ...request,
    // A request without a budget stays without one, so that it is refused for that.
    budget: budget === undefined && reserved === undefined ? request.budget : changed,
    strategies: strategy?.map((name) => ({ name, confidence: undefined, config: undefined })) ?? request.strategies,
    pipeline:
      profile === undefined && packer === undefined
        ? request.pipeline
        : { ...pipeline, profile: profile ?? pipeline.profile, packer: packer ?? pipeline.packer },
    query: query ?? request.query,
    trace: trace === undefined ? request.trace : traces[trace],
    planId: planId ?? request.planId,
  };
}
