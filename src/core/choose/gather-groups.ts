import type { Links, Part } from "../fuse/links.js";
import type { Fragment } from "../model/fragment.js";
import { type PlacedNomination, scoresOfOrder } from "../model/nomination.js";
import type { Nomination } from "../stages.js";

/** A nomination as the strategy gave it, its fragments by position. */
export type Ungathered = Omit<PlacedNomination, "scores"> & Pick<Nomination, "scores">;

/**
 * A group that the strategy did not nominate whole cannot be whole, so what it did nominate of it goes. In a ranking the members of the
 * others stand together, where the best of them stands, oldest first; each keeps its score. In a window all stay at their place by age.
 */
export function gatherGroups(
  nomination: Ungathered,
  all: readonly Fragment[],
  links: Links,
  committed: ReadonlySet<Fragment>,
): PlacedNomination {
  const { positions, scores, suffixFrom } = nomination;
  if (!links.any) return { ...nomination, scores: scores ?? scoresOfOrder(positions.length, suffixFrom) };
  const rankOf = new Map<number, number>();
  positions.forEach((i, rank) => {
    rankOf.set(i, rank);
  });
  const isThere = (member: Fragment): boolean => rankOf.has(member.inputIndex) || committed.has(member);
  const gathered = new Set<number>();
  let before = 0;
  // A group is looked at once, and not for each of its members.
  const whole = new Map<readonly Part[], boolean>();
  const isWhole = (fragment: Fragment): boolean => {
    const parts = links.partsOf(fragment);
    const known = whole.get(parts) ?? parts.every((part) => part.some(isThere));
    whole.set(parts, known);
    return known;
  };
  for (const [i, rank] of rankOf) {
    if (gathered.has(i) || !isWhole(all[i]!)) continue;
    const group = links.groupOf(all[i]!);
    if (suffixFrom !== undefined) gathered.add(i);
    else for (const { inputIndex } of group) if (rankOf.has(inputIndex)) gathered.add(inputIndex);
    if (suffixFrom !== undefined && rank < suffixFrom) before++;
  }
  const ranked = Uint32Array.from(gathered);
  return {
    ...nomination,
    positions: ranked,
    ...(suffixFrom !== undefined && { suffixFrom: before }),
    scores:
      scores === undefined
        ? scoresOfOrder(ranked.length, suffixFrom === undefined ? undefined : before)
        : Float64Array.from(ranked, (i) => scores[rankOf.get(i)!]!),
  };
}
