import type { Assembly } from "../assembly.js";
import type { Warning } from "../model/payload.js";
import type { Part } from "../registry.js";
import type { StageRole } from "../stages.js";
import { decideFailure } from "./decide-failure.js";
import type { FailureKind, HostedError } from "./hosted-error.js";
import { SKIPPED } from "./skipped.js";

/**
 * What takes the place of a stage's hosted component that failed, with a warning in the payload; throws the failure where the request is to
 * fail.
 */
export function standInFor<R extends StageRole>(assembly: Assembly, role: R, failure: HostedError): Part<R> {
  const { request, registry, parts, warnings } = assembly;
  const { name } = parts.stages[role];
  const policy = decideFailure(failure.kind, role, request.pipeline.hosted?.[role]?.policy);
  if (policy === "fail") throw failure;
  if (policy === "skip") {
    warnings.push(failureWarning(role, name, failure, "the stage was skipped"));
    return { name, source: "built_in", component: SKIPPED[role] };
  }
  const fallback = parts.profile.components[role];
  warnings.push(failureWarning(role, name, failure, `the built-in ${fallback} took its place`));
  return registry.builtIn.part(role, fallback, request.pipeline.options);
}

/** The warning of a failure that did not fail the request: its code says the kind, its message what was done instead. */
export function failureWarning(stage: StageRole, component: string, failure: HostedError, instead: string): Warning {
  return { code: failureCode(failure.kind), stage, component, message: `${failure.message}; ${instead}` };
}

/** The code of the warning for a kind of failure, such as `component_failed_timeout`. */
export function failureCode(kind: FailureKind): string {
  return `component_failed_${kind}`;
}
