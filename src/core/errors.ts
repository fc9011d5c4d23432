import { cutToUnits } from "./model/text.js";

/**
 * The ways in which the core refuses or fails, without their common prefix as `acms.v1.ErrorReason` lists them. Which status a reason
 * becomes is the edge's business.
 */
export type FailureReason =
  | "INVALID_REQUEST"
  | "UNKNOWN_STRATEGY"
  | "UNKNOWN_COMPONENT"
  | "UNKNOWN_PROFILE"
  | "UNKNOWN_TOKENIZER"
  | "PINNED_OVER_BUDGET"
  | "PINNED_OVER_CAP"
  | "TOO_MANY_FRAGMENTS"
  | "COMPONENT_FAILED"
  | "CANCELLED"
  | "DEADLINE_EXCEEDED"
  | "UNKNOWN_REGISTRATION"
  | "TOO_MANY_REGISTRATIONS"
  | "COMPONENT_UNAVAILABLE"
  | "COMPONENT_TIMED_OUT"
  | "COMPONENT_TAKEN"
  | "NAMESPACE_REQUIRED"
  | "TOO_MANY_HOSTED"
  | "CONVERSATION_BROKEN"
  | "HEARTBEAT_MISSED"
  | "SERVER_STOPPING"
  | "MALFORMED_MESSAGE"
  | "INTERNAL";

/** One fault of one field. */
export interface Violation {
  /** Path in the names of the contract, such as `fragments[3].relevance_score`. */
  readonly field: string;
  /** What came and what is allowed. */
  readonly description: string;
}

/** Everything that the core throws on purpose. */
export class ContextError extends Error {
  readonly reason: FailureReason;
  /** Facts for programs: names and numbers as text. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Every fault of the request, where the reason is `INVALID_REQUEST`. */
  readonly violations: readonly Violation[];
  /** When trying again may help; absent where it does not. */
  readonly retryAfterMs: number | undefined;

  constructor(
    reason: FailureReason,
    message: string,
    options: {
      metadata?: Record<string, string>;
      violations?: readonly Violation[];
      retryAfterMs?: number;
      cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ContextError";
    this.reason = reason;
    this.metadata = options.metadata ?? {};
    this.violations = options.violations ?? [];
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** The error for a request with faults; the message names the first and counts the rest. */
export function invalidRequest(violations: readonly Violation[]): ContextError {
  const first = violations[0];
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : "";
  const message = first === undefined ? "invalid request" : `${first.field}: ${first.description}${more}`;
  return new ContextError("INVALID_REQUEST", message, {
    violations,
    metadata: { violations: String(violations.length) },
  });
}

/** The error for a name that does not exist; it names those that do. */
export function unknownName(
  reason: "UNKNOWN_STRATEGY" | "UNKNOWN_COMPONENT" | "UNKNOWN_PROFILE" | "UNKNOWN_TOKENIZER",
  kind: string,
  name: string,
  known: readonly string[],
  metadata: Record<string, string> = {},
): ContextError {
  const names = [...known].sort().join(", ");
  const key = reason.slice("UNKNOWN_".length).toLowerCase();
  return new ContextError(reason, `no ${kind} has the name ${quote(name)}; known: ${names}`, {
    metadata: { ...metadata, [key]: shorten(name), known: names },
  });
}

/** A caller's text as a message shows it: in quotes, and never at full length. */
export function quote(text: string): string {
  return JSON.stringify(shorten(text));
}

function shorten(text: string): string {
  const limit = 64;
  return text.length <= limit ? text : `${cutToUnits(text, limit)}…`;
}
