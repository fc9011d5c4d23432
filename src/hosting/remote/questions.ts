import type { HostedStage, Run } from "../../core/index.js";
import type { HostedComponent, Patience } from "../hosted-component.js";

/** Makes the contract of a role that is spoken over a stream; what the request says of the stage holds for one assembly. */
export type RemoteFactory<Contract> = (component: HostedComponent, stage: HostedStage) => Contract;

/** How long a question of a run may take: what the stage allows, and what its caller still waits. */
export function patienceOf({ signal, remainingMs }: Pick<Run, "signal" | "remainingMs">, stage: HostedStage): Patience {
  const stageMs = stage.timeoutMs ?? Number.POSITIVE_INFINITY;
  return { signal, remainingMs: Math.min(stageMs, remainingMs?.() ?? stageMs) };
}
