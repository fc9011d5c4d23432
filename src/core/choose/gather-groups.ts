import type { Links } from "../fuse/links.js";
import type { Fragment } from "../model/fragment.js";
import type { PlacedNomination } from "../model/nomination.js";

/**
 * A group that the strategy did not nominate whole cannot be whole, so what it did nominate of it goes. In a ranking the members of the
 * others stand together, where the best of them stands, oldest first; each keeps its score. In a window all stay at their place by age.
 */
export function gatherGroups(
  nomination: PlacedNomination,
  all: readonly Fragment[],
  links: Links,
  committed: ReadonlySet<Fragment>,
): PlacedNomination {
  if (!links.any) return nomination;
  const { positions, scores, suffixFrom } = nomination;
  const rankOf = new Map<number, number>();
  positions.forEach((i, rank) => {
    rankOf.set(i, rank);
  });
  const isThere = (member: Fragment): boolean => rankOf.has(member.inputIndex) || committed.has(member);
  const gathered = new Set<number>();
  let before = 0;
  for (const [i, rank] of rankOf) {
    const group = links.groupOf(all[i]!);
    if (!group.every(isThere)) continue;
    if (suffixFrom !== undefined) gathered.add(i);
    else for (const { inputIndex } of group) if (rankOf.has(inputIndex)) gathered.add(inputIndex);
    if (suffixFrom !== undefined && rank < suffixFrom) before++;
  }
  const ranked = Uint32Array.from(gathered);
  return {
    ...nomination,
    positions: ranked,
    ...(suffixFrom !== undefined && { suffixFrom: before }),
    ...(scores && { scores: Float64Array.from(ranked, (i) => scores[rankOf.get(i)!]!) }),
  };
}
