import { type Assembly, ask } from "../assembly.js";
import type { Selection } from "../fuse/pack-fragments.js";
import type { Fragment } from "../model/fragment.js";

/** A selection in reading order. */
export interface Ordered extends Selection {
  readonly ordered: true;
}

/** Stage 8. Puts the selected fragments into reading order; none comes or goes. */
export async function orderFragments(assembly: Assembly, selection: Selection): Promise<Ordered> {
  const selected = selection.fragments;
  const fragments = await ask(
    assembly,
    "orderer",
    (orderer) => orderer.order(selected, { previous: assembly.request.previous }, assembly.run),
    (answer) => orderFault(selected, answer),
  );
  if (fragments === selected) return { ...selection, ordered: true };
  const positions = Uint32Array.from(fragments, ({ inputIndex }) => inputIndex);
  return { ...selection, fragments, positions, ordered: true };
}

/** Says what is wrong with an orderer's answer, or nothing: it holds the fragments given, each once, in any order. */
export function orderFault(given: readonly Fragment[], answered: readonly Fragment[]): string | undefined {
  if (answered === given) return undefined;
  const remaining = new Set(given);
  const same = answered.every((fragment) => remaining.delete(fragment)) && remaining.size === 0;
  return same ? undefined : "did not answer with the fragments that it was given";
}
