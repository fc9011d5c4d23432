import type {
  AllocateBudgetRequest,
  AllocateBudgetResponse,
  CompressSkeletonRequest,
  CompressSkeletonResponse,
  SelectStrategiesRequest,
  SelectStrategiesResponse,
} from "../../gen/acms/v1/stage_service.js";
import type { App } from "../app.js";
import { allocateBudgetAlone, compressSkeletonAlone, selectStrategiesAlone } from "../core/index.js";
import { fragmentsToWire, warningToWire } from "./to-wire.js";
import type { UnaryHandler } from "./unary.js";

/** The handlers of `StageService`. */
export function stageHandlers(app: App): {
  selectStrategies: UnaryHandler<SelectStrategiesRequest, SelectStrategiesResponse>;
  allocateBudget: UnaryHandler<AllocateBudgetRequest, AllocateBudgetResponse>;
  compressSkeleton: UnaryHandler<CompressSkeletonRequest, CompressSkeletonResponse>;
} {
  const around = (tokenizer: string, signal: AbortSignal) => ({
    registry: app.registry,
    limits: app.limits,
    run: app.createRun(tokenizer, signal),
  });
  return {
    selectStrategies: async (request, { signal, note }) => {
      note({ fragmentsIn: request.fragments.length });
      return { candidates: [...(await selectStrategiesAlone(request, around("", signal)))] };
    },
    allocateBudget: async (request, { signal }) => {
      const allocations = await allocateBudgetAlone(request, around("", signal));
      return { allocations: allocations.map(({ strategy, tokens }) => ({ strategy, tokens })) };
    },
    compressSkeleton: async (request, { signal, note }) => {
      note({ fragmentsIn: request.fragments.length });
      const { fragments, totalTokens, warnings } = await compressSkeletonAlone(
        request,
        around(request.tokenizer, signal),
      );
      note({ fragmentsOut: fragments.length, tokens: totalTokens });
      return { fragments: fragmentsToWire(fragments), totalTokens, warnings: warnings.map(warningToWire) };
    },
  };
}
