import { type Assembly, ask, brokenContract } from "../assembly.js";
import type { Selection } from "../fuse/pack-fragments.js";
import type { Fragment } from "../model/fragment.js";

/** A selection in reading order. */
export interface Ordered extends Selection {
  readonly ordered: true;
}

/** Stage 8. Puts the selected fragments into reading order; none comes or goes. */
export async function orderFragments(assembly: Assembly, selection: Selection): Promise<Ordered> {
  const selected = selection.fragments;
  const fragments = await ask(assembly, "orderer", (orderer) => orderer.order(selected, assembly.run));
  if (fragments === selected) return { ...selection, ordered: true };
  if (!isSameSet(selected, fragments)) {
    throw brokenContract(assembly, "orderer", "did not answer with the fragments that it was given");
  }
  const positions = Uint32Array.from(fragments, ({ inputIndex }) => inputIndex);
  return { ...selection, fragments, positions, ordered: true };
}

/** True where one list holds the fragments of another, each once, in any order. */
export function isSameSet(given: readonly Fragment[], answered: readonly Fragment[]): boolean {
  const remaining = new Set(given);
  return answered.every((fragment) => remaining.delete(fragment)) && remaining.size === 0;
}
