import { type Assembly, ask } from "../assembly.js";
import type { Fragment } from "../model/fragment.js";
import type { Resolution } from "../stages.js";
import type { Distinct } from "./deduplicate.js";
import { type Preferences, preferencesOf } from "./preferences.js";

/** Nominations in which it is known which fragments are alternatives of others. */
export interface Resolved extends Distinct {
  /** By input position: 1 where another fragment stands for this one's key. Absent: no resolver ran. */
  readonly alternatives: Uint8Array | undefined;
  /** What the resolver answered. Absent: no resolver ran. */
  readonly resolutions?: readonly Resolution[];
  /** What the resolver prefers among alternatives. Absent: depths and keys alone say it. */
  readonly preferences?: Preferences;
}

/** Stage 5. Marks which fragments are alternatives of one another; none leaves the running here. */
export async function resolveDepths(assembly: Assembly, distinct: Distinct): Promise<Resolved> {
  const { fragments } = distinct;
  const { length } = assembly.request.fragments;
  let isByDepth = false;
  const resolutions = await ask(
    assembly,
    "depth_resolver",
    (resolver) => {
      // Another one may take the place of the one that was asked first.
      isByDepth = resolver.isByDepth === true;
      return resolver.resolve(fragments, assembly.run);
    },
    (answer) => (answer === undefined ? undefined : resolutionsFault(fragments, answer, length)),
  );
  if (resolutions === undefined) return { ...distinct, alternatives: undefined };
  const alternatives = new Uint8Array(length);
  for (const resolution of resolutions) {
    for (const { inputIndex } of resolution.alternatives) alternatives[inputIndex] = 1;
  }
  const preferences = isByDepth ? undefined : preferencesOf(resolutions, length);
  return { ...distinct, alternatives, resolutions, ...(preferences !== undefined && { preferences }) };
}

function resolutionsFault(
  given: readonly Fragment[],
  resolutions: readonly Resolution[],
  fragmentCount: number,
): string | undefined {
  const waiting = new Array<Fragment | undefined>(fragmentCount);
  for (const fragment of given) waiting[fragment.inputIndex] = fragment;
  let answered = 0;
  for (const { fragment, alternatives } of resolutions) {
    for (const one of alternatives.length === 0 ? [fragment] : [fragment, ...alternatives]) {
      if (waiting[one.inputIndex] !== one) return `answered with ${one.fragmentId} twice, or without being given it`;
      waiting[one.inputIndex] = undefined;
      answered++;
    }
  }
  return answered < given.length ? `lost ${given.length - answered} fragments` : undefined;
}
