import { ContextError } from "../errors.js";
import type { StageRole } from "../stages.js";

/** What a component may be for: a stage, or what stands beside the stages. */
export type ComponentRole = StageRole | "strategy" | "token_counter";

/**
 * The ways in which a component that lives in a client can fail. The edge says which it was; what follows is for `decideFailure` alone.
 *
 * - `unknown`: nobody hosts the name, nor has for a while.
 * - `detached`: it is known, and no client hosts it now.
 * - `no_credit`: its clients have no room.
 * - `timeout`: it did not answer in its time.
 * - `cancelled`: the client gave the question up.
 * - `lost`: the client went away without an answer.
 * - `failed`: the client said that it failed.
 * - `malformed`: the answer is no message of its type.
 * - `oversized`: the answer is larger than an answer may be.
 * - `invariant`: the answer breaks the contract of the role.
 * - `paused`: it failed so often that it is not asked for a while.
 */
export const FAILURE_KINDS = [
  "unknown",
  "detached",
  "no_credit",
  "timeout",
  "cancelled",
  "lost",
  "failed",
  "malformed",
  "oversized",
  "invariant",
  "paused",
] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

/** A hosted component failed. It is one error for all kinds, so that none of them can be forgotten where the outcome is decided. */
export class HostedError extends ContextError {
  readonly kind: FailureKind;
  /** What the component that failed is for. */
  readonly role: ComponentRole;

  constructor(
    { kind, role }: { readonly kind: FailureKind; readonly role: ComponentRole },
    message: string,
    options: ConstructorParameters<typeof ContextError>[2],
  ) {
    super(kind === "timeout" ? "COMPONENT_TIMED_OUT" : "COMPONENT_UNAVAILABLE", message, options);
    this.name = "HostedError";
    this.kind = kind;
    this.role = role;
  }
}

/** Failures after which the same question may be answered a little later. */
const TRANSIENT: ReadonlySet<FailureKind> = new Set(["detached", "no_credit", "lost", "paused"]);

/** How long a caller waits before it asks again, where nothing better is known. */
const RETRY_AFTER_MS = 1_000;

/** The error of a hosted component; `fault` says what it did, as in "did not answer within 200 ms". */
export function hostedError(
  { role, name }: { readonly role: ComponentRole; readonly name: string },
  kind: FailureKind,
  fault: string,
  options: { readonly retryAfterMs?: number; readonly timeoutMs?: number; readonly cause?: unknown } = {},
): HostedError {
  const { timeoutMs, cause, retryAfterMs = RETRY_AFTER_MS } = options;
  const detail = timeoutMs === undefined ? { failure: kind } : { timeout_ms: String(Math.round(timeoutMs)) };
  return new HostedError({ kind, role }, `the hosted ${role.replaceAll("_", " ")} ${name} ${fault}`, {
    metadata: { role, component: name, ...detail },
    ...(TRANSIENT.has(kind) && { retryAfterMs }),
    ...(cause !== undefined && { cause }),
  });
}
