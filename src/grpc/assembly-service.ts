import type { AssemblyServiceService } from "../../gen/acms/v1/assembly_service.js";
import type { App } from "../app.js";
import type { ComparisonResult, ContextError } from "../core/index.js";
import { comparisonToWire } from "./comparison-to-wire.js";
import { inTurns } from "./in-turns.js";
import { payloadToWire } from "./to-wire.js";
import type { HandlersOf } from "./unary.js";

/** The handlers of `AssemblyService`. */
export function assemblyHandlers(app: App): HandlersOf<typeof AssemblyServiceService> {
  return {
    assemble: async (request, call) => {
      call.note({ fragmentsIn: request.fragments.length });
      const { payload, idsOnly } = await app.assemble(request, request.tokenizer, call);
      call.note({ fragmentsOut: payload.fragments.length, tokens: payload.totalTokens });
      return { payload: payloadToWire(payload, idsOnly), requestId: call.requestId };
    },
    compareStrategies: async (request, call) => {
      const { fragments = [], tokenizer = "" } = request.assemble ?? {};
      call.note({ fragmentsIn: fragments.length });
      const compared = await app.compare(request, tokenizer, call);
      const failed = componentFailures(compared);
      if (failed.length > 0) call.note({ err: failed[0] });
      return inTurns(comparisonToWire(compared, call.requestId), call.signal);
    },
  };
}

/** What failed inside: its cause is for the log, as where it fails a whole call. */
function componentFailures({ outcomes }: ComparisonResult): ContextError[] {
  return outcomes.flatMap((outcome) =>
    "error" in outcome && outcome.error.reason === "COMPONENT_FAILED" ? [outcome.error] : [],
  );
}
