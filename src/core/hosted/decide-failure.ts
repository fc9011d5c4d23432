import type { FailurePolicy } from "../model/pipeline-spec.js";
import type { ComponentRole, FailureKind } from "./hosted-error.js";

/** Without these there is no answer that a caller could have meant, so they fail unless the caller says otherwise. */
const FAILS_BY_DEFAULT: ReadonlySet<ComponentRole> = new Set(["strategy", "strategy_executor", "packer"]);

/**
 * What follows from the failure of a hosted component: the one place where it is decided, for every kind of failure alike. The request's
 * policy holds; without one a strategy or a packer fails the request, and any other stage is taken over by the profile's built-in component.
 * A name that nobody knows is more likely a slip of the pen, so that only a policy keeps it from failing. A token counter always fails: no
 * other count may stand in for one that was asked for.
 */
export function decideFailure(
  kind: FailureKind,
  role: ComponentRole,
  chosen: FailurePolicy | undefined,
): FailurePolicy {
  if (role === "token_counter") return "fail";
  if (chosen !== undefined) return chosen;
  return kind === "unknown" || FAILS_BY_DEFAULT.has(role) ? "fail" : "fallback";
}
