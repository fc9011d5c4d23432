import type { AssembleRequest, AssembleResponse } from "../../gen/acms/v1/assembly_service.js";
import type { App } from "../app.js";
import { payloadToWire } from "./to-wire.js";
import type { UnaryHandler } from "./unary.js";

/** The handlers of `AssemblyService`. */
export function assemblyHandlers(app: App): { assemble: UnaryHandler<AssembleRequest, AssembleResponse> } {
  return {
    assemble: async (request, call) => {
      call.note({ fragmentsIn: request.fragments.length });
      const { payload, idsOnly } = await app.assemble(request, request.tokenizer, call.namespace, call.signal);
      call.note({ fragmentsOut: payload.fragments.length, tokens: payload.totalTokens });
      return { payload: payloadToWire(payload, idsOnly), requestId: call.requestId };
    },
  };
}
