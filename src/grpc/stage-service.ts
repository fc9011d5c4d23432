import type { ScoredFragment } from "../../gen/acms/v1/scored_fragment.js";
import type { StageServiceService } from "../../gen/acms/v1/stage_service.js";
import type { App } from "../app.js";
import {
  allocateBudgetAlone,
  compressSkeletonAlone,
  deduplicateAlone,
  generatePreambleAlone,
  orderAlone,
  packAlone,
  resolveDepthAlone,
  type Scored,
  scoreAlone,
  selectStrategiesAlone,
} from "../core/index.js";
import type { CallContext } from "./call-context.js";
import { fragmentsToWire, fragmentToWire, warningToWire } from "./to-wire.js";
import type { HandlersOf } from "./unary.js";

/** The handlers of `StageService`. */
export function stageHandlers(app: App): HandlersOf<typeof StageServiceService> {
  const open = (call: CallContext, fragments: readonly unknown[], tokenizer: string) => {
    call.note({ fragmentsIn: fragments.length });
    return {
      registry: app.registryOf(call.namespace),
      limits: app.limits,
      run: app.createRun(tokenizer, call),
    };
  };
  return {
    selectStrategies: async (request, call) => {
      return { candidates: [...(await selectStrategiesAlone(request, open(call, request.fragments, "")))] };
    },
    allocateBudget: async (request, call) => {
      const allocations = await allocateBudgetAlone(request, open(call, [], ""));
      return { allocations: allocations.map(({ strategy, tokens }) => ({ strategy, tokens })) };
    },
    deduplicate: async (request, call) => {
      const kept = await deduplicateAlone(request, open(call, request.fragments, request.tokenizer));
      return { fragments: fragmentsToWire(kept.fragments), decisions: [...kept.decisions] };
    },
    resolveDepth: async (request, call) => {
      const kept = await resolveDepthAlone(request, open(call, request.fragments, request.tokenizer));
      return { fragments: fragmentsToWire(kept.fragments), decisions: [...kept.decisions] };
    },
    score: async (request, call) => {
      const { scored, fragments } = await scoreAlone(request, open(call, request.fragments, request.tokenizer));
      return { scored: scored.map(scoredToWire), fragments: fragmentsToWire(fragments) };
    },
    pack: async (request, call) => {
      const given = request.scored.length > 0 ? request.scored : request.fragments;
      const { packed, totalTokens, decisions, packing } = await packAlone(
        request,
        open(call, given, request.tokenizer),
      );
      call.note({ fragmentsOut: packed.length, tokens: totalTokens });
      return { packed: packed.map(scoredToWire), totalTokens, decisions: [...decisions], packing };
    },
    order: async (request, call) => {
      const ordered = await orderAlone(request, open(call, request.fragments, request.tokenizer));
      return { fragments: fragmentsToWire(ordered) };
    },
    generatePreamble: async (request, call) => {
      const { warnings, ...text } = await generatePreambleAlone(
        request,
        open(call, request.fragments, request.tokenizer),
      );
      return { ...text, warnings: warnings.map(warningToWire) };
    },
    compressSkeleton: async (request, call) => {
      const around = open(call, request.fragments, request.tokenizer);
      const { fragments, totalTokens, warnings } = await compressSkeletonAlone(request, around);
      call.note({ fragmentsOut: fragments.length, tokens: totalTokens });
      return { fragments: fragmentsToWire(fragments), totalTokens, warnings: warnings.map(warningToWire) };
    },
  };
}

function scoredToWire({ fragment, compositeScore, components, originalRelevance }: Scored): ScoredFragment {
  return { fragment: fragmentToWire(fragment), compositeScore, components, originalRelevance };
}
