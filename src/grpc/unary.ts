/**
 * The one adapter around every handler. The library answers a synchronous throw badly, a rejected promise not at all, and a second answer
 * with silence; here each call is answered exactly once, whatever the handler does.
 */
import type {
  MethodDefinition,
  Server,
  ServerUnaryCall,
  ServiceDefinition,
  sendUnaryData,
  UntypedServiceImplementation,
} from "@grpc/grpc-js";
import type { Logger } from "pino";
import { ContextError, type MaybePromise } from "../core/index.js";
import { type CallContext, type CallFacts, followCall, namespaceOf } from "./call-context.js";
import type { CallRecords } from "./call-log.js";
import { converseWith, type DuplexHandler, duplexDefinition, type OpenStream } from "./duplex.js";
import { encodeInSlices, isLarge } from "./encode-in-slices.js";
import { inTurns } from "./in-turns.js";
import { type Refusal, refusalOf, toStatus } from "./status.js";
import { type AnyMethod, type Decoded, decodingLater } from "./strict-decoding.js";

/** What a service does with a request; it throws a `ContextError` to refuse. */
export type UnaryHandler<Request, Response> = (request: Request, call: CallContext) => MaybePromise<Response>;

/** What all calls share. */
export interface CallSurroundings {
  readonly records: CallRecords;
  readonly newId: () => string;
  readonly maxConcurrentCalls: number;
  readonly maxReceiveBytes: number;
  readonly logger: Logger;
  /** How many calls are at work, and what ends each of them as one that the server's stop cut off. */
  readonly running: { count: number; readonly cutOffs: Set<() => void> };
  /** Streams that are open. */
  readonly streams: Set<OpenStream>;
}

/** A handler for each method of a service. */
export type HandlersOf<Service> = {
  readonly [Method in keyof Service]: Service[Method] extends MethodDefinition<infer Request, infer Response>
    ? Service[Method] extends { requestStream: true; responseStream: true }
      ? DuplexHandler<Request, Response>
      : UnaryHandler<Request, Response>
    : never;
};

/** Binds handlers to the methods of a generated service definition: single calls, and streams in both directions. */
export function addService<Service extends object>(
  server: Server,
  service: Service,
  handlers: HandlersOf<Service>,
  around: CallSurroundings,
): void {
  const methods = Object.entries(service as Record<string, AnyMethod>);
  const handlerOf = handlers as unknown as Record<string, never>;
  const definition = Object.fromEntries(
    methods.map(([name, method]) => [name, isStream(method) ? duplexDefinition(method) : unaryDefinition(method)]),
  );
  const implementation = Object.fromEntries(
    methods.map(([name, method]) => {
      const handler = handlerOf[name]!;
      return [name, isStream(method) ? converseWith(method, handler, around) : answerWith(method, handler, around)];
    }),
  );
  server.addService(definition as ServiceDefinition, implementation as UntypedServiceImplementation);
}

function isStream({ requestStream, responseStream }: AnyMethod): boolean {
  return requestStream && responseStream;
}

/** The definition of a method whose large requests are decoded in part, and whose large responses come as bytes. */
function unaryDefinition(method: AnyMethod): AnyMethod {
  const responseSerialize = (response: unknown): Buffer =>
    Buffer.isBuffer(response) ? response : method.responseSerialize(response);
  return { ...decodingLater(method), responseSerialize };
}

/** The implementation of a method that answers with a handler's result. */
function answerWith<Request, Response>(
  method: MethodDefinition<Request, Response>,
  handler: UnaryHandler<Request, Response>,
  around: CallSurroundings,
) {
  return (
    call: ServerUnaryCall<Decoded<Request>, Response | Buffer>,
    callback: sendUnaryData<Response | Buffer>,
  ): void => {
    const record = around.records.get(call.metadata) ?? { facts: {} };
    const requestId = requestIdOf(call.request) ?? around.newId();
    record.requestId = requestId;
    const lifeline = followCall(call);
    around.running.count++;
    let answered = false;
    const answer = (send: () => void): void => {
      if (answered) return;
      answered = true;
      around.running.cutOffs.delete(cutOff);
      lifeline.release();
      send();
    };
    const refuse = (refusal: Refusal): void =>
      answer(() => {
        record.reason = refusal.reason;
        callback(toStatus(refusal));
      });
    const fail = (error: unknown): void => {
      const refusal = refusalOf(error, requestId);
      if (refusal.reason === "INTERNAL" || refusal.reason === "COMPONENT_FAILED") record.cause = error;
      refuse(refusal);
    };
    const cutOff = (): void => fail(new ContextError("SERVER_STOPPING", "the server stops"));
    around.running.cutOffs.add(cutOff);
    const { signal } = lifeline;
    // The caller may have gone, but the handler need not have noticed: nobody waits for it.
    signal.addEventListener("abort", () => fail(signal.reason), { once: true });
    const work = async (): Promise<void> => {
      if ("fault" in call.request) throw call.request.fault;
      if (around.running.count > around.maxConcurrentCalls) return refuse(tooManyCalls(around.maxConcurrentCalls));
      signal.throwIfAborted();
      if (call.request.more !== undefined) await inTurns(call.request.more, signal);
      const note = (facts: CallFacts): void => void Object.assign(record.facts, facts);
      const response = await handler(call.request.request, {
        signal,
        requestId,
        namespace: namespaceOf(call.metadata),
        deadlineMs: Number(call.getDeadline()),
        note,
      });
      const sent = isLarge(response) ? await inTurns(encodeInSlices(response, method), signal) : response;
      answer(() => callback(null, sent));
    };
    // A call that was cancelled keeps its place until its handler has ended: else cancelling in a loop would pass the limit.
    work()
      .catch(fail)
      .finally(() => {
        around.running.count--;
      });
  };
}

function requestIdOf(decoded: Decoded<unknown>): string | undefined {
  if (!("request" in decoded)) return undefined;
  const request = decoded.request as { requestId?: unknown; assemble?: { requestId?: unknown } | undefined };
  // A request that carries another one, such as a comparison, goes by that one's id.
  const requestId = request.requestId ?? request.assemble?.requestId;
  return typeof requestId === "string" && requestId !== "" ? requestId : undefined;
}

function tooManyCalls(limit: number): Refusal {
  return {
    reason: "TOO_MANY_CALLS",
    message: `the server is at work on ${limit} calls, which are the most it takes at once`,
    metadata: { limit: String(limit) },
    violations: [],
    retryAfterMs: 100,
  };
}
