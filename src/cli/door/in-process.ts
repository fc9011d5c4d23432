import { status as Status } from "@grpc/grpc-js";
import { AssembleResponse } from "../../../gen/acms/v1/assembly_service.js";
import { type App, createApp } from "../../app.js";
import { type Config, configSchema } from "../../config/schema.js";
import { createExpressions } from "../../expressions/expressions.js";
import { assemblyHandlers } from "../../grpc/assembly-service.js";
import type { CallContext } from "../../grpc/call-context.js";
import { promptHandlers } from "../../grpc/prompt-service.js";
import { refusalOf, toStatus } from "../../grpc/status.js";
import { strategyHandlers } from "../../grpc/strategy-service.js";
import { type Door, RefusedError } from "./door.js";

/** The service in this process. It runs the very handlers that a server runs, so there is no second mapping that could answer otherwise. */
export function openInProcess(app: App = ownApp(configSchema.parse({}))): Door {
  const assembly = assemblyHandlers(app);
  const strategies = strategyHandlers(app);
  const prompts = promptHandlers(app);
  return {
    assemble: (request) =>
      answer(app, request.requestId, async (call) => {
        // Encoded and decoded, it holds what a client would have received, and nothing of the core's own.
        const response = await assembly.assemble(request, call);
        return AssembleResponse.decode(AssembleResponse.encode(response).finish());
      }),
    compareStrategies: (request) =>
      answer(app, request.assemble?.requestId ?? "", async (call) => assembly.compareStrategies(request, call)),
    listStrategies: (request) => answer(app, "", async (call) => strategies.listStrategies(request, call)),
    fitPrompt: (request) => answer(app, "", async (call) => prompts.fitPrompt(request, call)),
    close: () => {},
  };
}

/** Whoever runs a command wrote its expressions, and waits for nobody else: they may take their time. */
const EXPRESSION_TIME_MS = 10_000;

/** The product for one command, with those settings of a server that say what a request may hold and how it is counted. */
export function ownApp({ maxFragments, maxContentCharacters, defaultTokenizer }: Config): App {
  const limits = { maxFragments, maxContentCharacters };
  const expressions = createExpressions({ workers: 1, timeMs: EXPRESSION_TIME_MS });
  return createApp({ limits, defaultTokenizer, expressions });
}

async function answer<Response>(
  app: App,
  wantedId: string,
  work: (call: CallContext) => Promise<Response>,
): Promise<Response> {
  const requestId = wantedId === "" ? app.newId() : wantedId;
  try {
    return await work({
      requestId,
      signal: new AbortController().signal,
      namespace: "",
      deadlineMs: Number.POSITIVE_INFINITY,
      note: () => {},
    });
  } catch (error) {
    const refusal = refusalOf(error, requestId);
    if (refusal.reason === "INTERNAL") {
      // A server hides the cause from its callers and logs it; here it would be lost.
      throw error;
    }
    const { reason, message, violations } = refusal;
    throw new RefusedError(Status[toStatus(refusal).code], message, { reason, violations, cause: error });
  }
}
