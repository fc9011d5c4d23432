/** The only place where a reason becomes a status, and an error becomes what a client sees. */
import { Metadata, status as Status, type StatusObject } from "@grpc/grpc-js";
import { BadRequest, ErrorInfo, RetryInfo } from "../../gen/google/rpc/error_details.js";
import { Status as RpcStatus } from "../../gen/google/rpc/status.js";
import { ContextError, cutToUnits, type FailureReason, type Violation } from "../core/index.js";

/** The reasons of the core, and those that only the edge knows. */
export type ErrorReason = FailureReason | "MESSAGE_TOO_LARGE" | "TOO_MANY_CALLS";

const STATUS_OF: Readonly<Record<ErrorReason, Status>> = {
  INVALID_REQUEST: Status.INVALID_ARGUMENT,
  MALFORMED_MESSAGE: Status.INVALID_ARGUMENT,
  UNKNOWN_STRATEGY: Status.NOT_FOUND,
  UNKNOWN_COMPONENT: Status.NOT_FOUND,
  UNKNOWN_PROFILE: Status.NOT_FOUND,
  UNKNOWN_TOKENIZER: Status.NOT_FOUND,
  PINNED_OVER_BUDGET: Status.FAILED_PRECONDITION,
  PINNED_OVER_CAP: Status.FAILED_PRECONDITION,
  MESSAGE_TOO_LARGE: Status.RESOURCE_EXHAUSTED,
  TOO_MANY_FRAGMENTS: Status.RESOURCE_EXHAUSTED,
  TOO_MANY_CALLS: Status.RESOURCE_EXHAUSTED,
  COMPONENT_FAILED: Status.INTERNAL,
  CANCELLED: Status.CANCELLED,
  DEADLINE_EXCEEDED: Status.DEADLINE_EXCEEDED,
  UNKNOWN_REGISTRATION: Status.NOT_FOUND,
  TOO_MANY_REGISTRATIONS: Status.RESOURCE_EXHAUSTED,
  COMPONENT_UNAVAILABLE: Status.UNAVAILABLE,
  COMPONENT_TIMED_OUT: Status.DEADLINE_EXCEEDED,
  COMPONENT_TAKEN: Status.ALREADY_EXISTS,
  NAMESPACE_REQUIRED: Status.FAILED_PRECONDITION,
  TOO_MANY_HOSTED: Status.RESOURCE_EXHAUSTED,
  CONVERSATION_BROKEN: Status.INVALID_ARGUMENT,
  HEARTBEAT_MISSED: Status.UNAVAILABLE,
  SERVER_STOPPING: Status.UNAVAILABLE,
  INTERNAL: Status.INTERNAL,
};

/** What a client is told of a failed call. */
export interface Refusal {
  readonly reason: ErrorReason;
  readonly message: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly violations: readonly Violation[];
  /** When trying again may help. */
  readonly retryAfterMs?: number;
}

/**
 * Python and Go read trailers of at most 8 KB, with everything else in them; encoded details above that would replace our error by one
 * about metadata.
 */
export const MAX_DETAILS_BYTES = 4_096;

/** The message stands in the trailer twice: by itself, percent-encoded, and in the details. */
const MAX_MESSAGE_CHARACTERS = 512;
const MAX_ENCODED_MESSAGE = 1_536;

/** The refusal that an error of the core means; whatever else was thrown is a fault of the server, and its text stays in the log. */
export function refusalOf(error: unknown, requestId: string): Refusal {
  if (error instanceof ContextError && error.reason !== "INTERNAL") {
    const { reason, message, metadata, violations, retryAfterMs } = error;
    return { reason, message, metadata, violations, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  }
  return {
    reason: "INTERNAL",
    message: "the server failed; its log has the cause under the request id",
    metadata: { request_id: requestId },
    violations: [],
  };
}

/** The name of the status that a reason becomes, such as `NOT_FOUND`. */
export function statusNameOf(reason: ErrorReason): string {
  return Status[STATUS_OF[reason]];
}

/** The status of a refusal, with its details in the trailer. */
export function toStatus(refusal: Refusal): Pick<StatusObject, "code" | "details" | "metadata"> {
  const code = STATUS_OF[refusal.reason];
  const message = wellFormed(refusal.message);
  const metadata = new Metadata();
  metadata.set("grpc-status-details-bin", encodeDetails(code, message, refusal));
  return { code, details: message, metadata };
}

/** A text that can be sent: no lone surrogate, on which the percent-encoding of status messages throws, and not too long when encoded. */
export function wellFormed(text: string): string {
  const whole = cutToUnits(text, MAX_MESSAGE_CHARACTERS).toWellFormed();
  let short = whole;
  while (encodeURI(short).length > MAX_ENCODED_MESSAGE) short = cutToUnits(short, Math.floor(short.length * 0.75));
  return short.length < text.length ? `${short}…` : short;
}

/** As many violations as fit, in order, and a last one that counts the rest. */
function encodeDetails(code: Status, message: string, refusal: Refusal): Buffer {
  const violations = refusal.violations.map(({ field, description }) => ({
    field: wellFormed(field),
    description: wellFormed(description),
  }));
  const whole = encodeStatus(code, message, refusal, violations);
  if (whole.length <= MAX_DETAILS_BYTES) return whole;
  let fitting = 0;
  let tooMany = violations.length;
  while (tooMany - fitting > 1) {
    const middle = (fitting + tooMany) >> 1;
    if (encodeStatus(code, message, refusal, shortened(violations, middle)).length <= MAX_DETAILS_BYTES)
      fitting = middle;
    else tooMany = middle;
  }
  return encodeStatus(code, message, refusal, shortened(violations, fitting));
}

function shortened(violations: readonly Violation[], count: number): Violation[] {
  const rest = violations.length - count;
  return [
    ...violations.slice(0, count),
    { field: "", description: `and ${rest} more violations, left out for their size` },
  ];
}

function encodeStatus(code: Status, message: string, refusal: Refusal, violations: readonly Violation[]): Buffer {
  const info = ErrorInfo.fromPartial({
    reason: refusal.reason,
    domain: "acms",
    metadata: safeMetadata(refusal.metadata),
  });
  const details = [any("google.rpc.ErrorInfo", ErrorInfo.encode(info).finish())];
  if (violations.length > 0) {
    const request = BadRequest.fromPartial({ fieldViolations: violations.map((violation) => ({ ...violation })) });
    details.push(any("google.rpc.BadRequest", BadRequest.encode(request).finish()));
  }
  if (refusal.retryAfterMs !== undefined) {
    const seconds = Math.floor(refusal.retryAfterMs / 1_000);
    const retryDelay = { seconds, nanos: Math.round((refusal.retryAfterMs - seconds * 1_000) * 1e6) };
    details.push(any("google.rpc.RetryInfo", RetryInfo.encode(RetryInfo.fromPartial({ retryDelay })).finish()));
  }
  return Buffer.from(RpcStatus.encode({ code, message, details }).finish());
}

function any(typeName: string, value: Uint8Array): { typeUrl: string; value: Buffer } {
  return { typeUrl: `type.googleapis.com/${typeName}`, value: Buffer.from(value) };
}

function safeMetadata(metadata: Readonly<Record<string, string>>): Map<string, string> {
  return new Map(Object.entries(metadata).map(([key, value]) => [key, wellFormed(value)]));
}
