import type { ServerUnaryCall } from "@grpc/grpc-js";
import { ContextError } from "../core/index.js";

/** What a handler knows of its call. */
export interface CallContext {
  /** Aborted when the caller cancels, goes away, or its deadline passes; the reason is then a `ContextError`. */
  readonly signal: AbortSignal;
  /** The caller's request id, or one that the server made. */
  readonly requestId: string;
  /** Puts numbers beside the call's line in the log. */
  note(facts: CallFacts): void;
}

/** Numbers in the log: never content. */
export interface CallFacts {
  fragmentsIn?: number;
  fragmentsOut?: number;
  tokens?: number;
}

/** A signal that follows the life of a call, and the end of following it. */
export interface Lifeline {
  readonly signal: AbortSignal;
  /** The call is answered: what comes after is not a cancellation. */
  release(): void;
}

/**
 * Follows a call. The library says `cancelled` after every call, answered ones too, so what comes after the release is not listened to;
 * and a deadline that passed before the call arrived is seen before any work.
 */
export function followCall(call: ServerUnaryCall<unknown, unknown>): Lifeline {
  const controller = new AbortController();
  const deadlineMs = Number(call.getDeadline());
  const abort = (): void => {
    controller.abort(Date.now() >= deadlineMs ? deadlineExceeded() : cancelled());
  };
  if (call.cancelled || Date.now() >= deadlineMs) abort();
  else call.on("cancelled", abort);
  return { signal: controller.signal, release: () => call.removeListener("cancelled", abort) };
}

function cancelled(): ContextError {
  return new ContextError("CANCELLED", "the call was cancelled");
}

function deadlineExceeded(): ContextError {
  return new ContextError("DEADLINE_EXCEEDED", "the deadline passed");
}
