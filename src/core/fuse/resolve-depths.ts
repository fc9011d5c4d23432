import { type Assembly, ask, brokenContract } from "../assembly.js";
import type { Fragment } from "../model/fragment.js";
import type { Resolution } from "../stages.js";
import type { Distinct } from "./deduplicate.js";

/** Nominations in which each fragment has its alternatives of other depths. */
export interface Resolved extends Distinct {
  /** By the fragment that stands for its key; absent where no resolver ran. */
  readonly alternatives: ReadonlyMap<Fragment, readonly Fragment[]> | undefined;
}

/** Stage 5. Marks which fragments are alternatives of one another; none leaves the running here. */
export async function resolveDepths(assembly: Assembly, distinct: Distinct): Promise<Resolved> {
  const { fragments } = distinct;
  const resolutions = await ask(assembly, "depth_resolver", (resolver) => resolver.resolve(fragments, assembly.run));
  if (resolutions === undefined) return { ...distinct, alternatives: undefined };
  checkResolutions(assembly, fragments, resolutions);
  return {
    ...distinct,
    alternatives: new Map(resolutions.map(({ fragment, alternatives }) => [fragment, alternatives])),
  };
}

function checkResolutions(assembly: Assembly, given: readonly Fragment[], resolutions: readonly Resolution[]): void {
  const remaining = new Set(given);
  for (const fragment of resolutions.flatMap((resolution) => [resolution.fragment, ...resolution.alternatives])) {
    if (!remaining.delete(fragment)) {
      throw brokenContract(
        assembly,
        "depth_resolver",
        `answered with ${fragment.fragmentId} twice, or without being given it`,
      );
    }
  }
  if (remaining.size > 0) throw brokenContract(assembly, "depth_resolver", `lost ${remaining.size} fragments`);
}
