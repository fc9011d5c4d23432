import type { Metadata, ServerUnaryCall } from "@grpc/grpc-js";
import { ContextError, invalidRequest } from "../core/index.js";

/** What a handler knows of its call. */
export interface CallContext {
  /** Aborted when the caller cancels, goes away, or its deadline passes; the reason is then a `ContextError`. */
  readonly signal: AbortSignal;
  /** The caller's request id, or one that the server made. */
  readonly requestId: string;
  /** Whose registered and hosted names hold: the one that the metadata names, else the one of all who name none. */
  readonly namespace: string;
  /** When the caller's deadline passes, in milliseconds since the epoch; infinite where there is none. */
  readonly deadlineMs: number;
  /** Puts facts beside the call's line in the log. */
  note(facts: CallFacts): void;
}

/** What stands in the log beside a call: never content. */
export interface CallFacts {
  fragmentsIn?: number;
  fragmentsOut?: number;
  tokens?: number;
  /** What went wrong inside a part of a call that was answered all the same; it is logged, never sent. */
  err?: unknown;
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

const NAMESPACE_KEY = "acms-namespace";
const MAX_NAMESPACE_CHARACTERS = 128;

/**
 * The namespace that a call's metadata names; throws `INVALID_REQUEST` for one that is blank, too long or not the only one. Values that are
 * given under one key arrive as one text with commas between them, so a name has none.
 */
export function namespaceOf(metadata: Metadata): string {
  const values = metadata.get(NAMESPACE_KEY);
  if (values.length === 0) return "";
  const name = values.map(String).join(", ");
  const fault = faultOf(name);
  if (fault === undefined) return name;
  const description = `${fault}; allowed is one name of 1 to ${MAX_NAMESPACE_CHARACTERS} characters, not blank and without a comma`;
  throw invalidRequest([{ field: `metadata.${NAMESPACE_KEY}`, description }]);
}

function faultOf(name: string): string | undefined {
  if (name.includes(",")) return `has a comma, or is given ${name.split(",").length} times`;
  if (name.length > MAX_NAMESPACE_CHARACTERS) return `has ${name.length} characters`;
  if (name === "") return "is empty";
  return /\S/.test(name) ? undefined : "is blank";
}
