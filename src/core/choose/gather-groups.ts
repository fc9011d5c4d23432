import type { Links } from "../fuse/links.js";
import type { Fragment } from "../model/fragment.js";
import type { PlacedNomination } from "./execute-strategies.js";

/**
 * In a ranking the members of a group stand together, where the best of them stands, oldest first; each keeps its score. A group that the
 * strategy did not nominate whole cannot be whole, so what it did nominate of it goes.
 */
export function gatherGroups(nomination: PlacedNomination, all: readonly Fragment[], links: Links): PlacedNomination {
  if (!links.any) return nomination;
  const { positions, scores } = nomination;
  const rankOf = new Map<number, number>();
  positions.forEach((i, rank) => {
    rankOf.set(i, rank);
  });
  const gathered = new Set<number>();
  for (const i of positions) {
    const group = links.groupOf(all[i]!);
    if (!group.every(({ inputIndex }) => rankOf.has(inputIndex))) continue;
    for (const { inputIndex } of group) gathered.add(inputIndex);
  }
  const ranked = Uint32Array.from(gathered);
  return {
    ...nomination,
    positions: ranked,
    ...(scores && { scores: Float64Array.from(ranked, (i) => scores[rankOf.get(i)!]!) }),
  };
}
