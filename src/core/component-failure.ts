import { ContextError } from "./errors.js";
import type { StageRole } from "./stages.js";

/** The error of a component that failed, or answered with what its contract forbids; it names the component and keeps the cause. */
export function componentFailure(
  role: StageRole | "strategy" | "token_counter",
  name: string,
  fault: string,
  cause?: unknown,
): ContextError {
  return new ContextError("COMPONENT_FAILED", `the ${role.replaceAll("_", " ")} ${name} ${fault}`, {
    metadata: { role, component: name },
    cause,
  });
}

/** Thrown while a component is asked, where one of several answers of it breaks its contract; `fault` says how. */
export class BrokenContract extends Error {
  constructor(readonly fault: string) {
    super(fault);
    this.name = "BrokenContract";
  }
}
