import { type Assembly, ask, brokenContract } from "../assembly.js";
import type { Fragment } from "../model/fragment.js";
import type { Resolution } from "../stages.js";
import type { Distinct } from "./deduplicate.js";

/** Nominations in which it is known which fragments are alternatives of others. */
export interface Resolved extends Distinct {
  /** By input position: 1 where another fragment stands for this one's key. Absent: no resolver ran. */
  readonly alternatives: Uint8Array | undefined;
}

/** Stage 5. Marks which fragments are alternatives of one another; none leaves the running here. */
export async function resolveDepths(assembly: Assembly, distinct: Distinct): Promise<Resolved> {
  const { fragments } = distinct;
  const resolutions = await ask(assembly, "depth_resolver", (resolver) => resolver.resolve(fragments, assembly.run));
  if (resolutions === undefined) return { ...distinct, alternatives: undefined };
  checkResolutions(assembly, fragments, resolutions);
  const alternatives = new Uint8Array(assembly.request.fragments.length);
  for (const resolution of resolutions) {
    for (const { inputIndex } of resolution.alternatives) alternatives[inputIndex] = 1;
  }
  return { ...distinct, alternatives };
}

function checkResolutions(assembly: Assembly, given: readonly Fragment[], resolutions: readonly Resolution[]): void {
  const waiting = new Uint8Array(assembly.request.fragments.length);
  for (const { inputIndex } of given) waiting[inputIndex] = 1;
  let answered = 0;
  const check = (fragment: Fragment): void => {
    if (waiting[fragment.inputIndex] !== 1 || assembly.request.fragments[fragment.inputIndex] !== fragment) {
      const fault = `answered with ${fragment.fragmentId} twice, or without being given it`;
      throw brokenContract(assembly, "depth_resolver", fault);
    }
    waiting[fragment.inputIndex] = 0;
    answered++;
  };
  for (const { fragment, alternatives } of resolutions) {
    check(fragment);
    for (const alternative of alternatives) check(alternative);
  }
  if (answered < given.length)
    throw brokenContract(assembly, "depth_resolver", `lost ${given.length - answered} fragments`);
}
