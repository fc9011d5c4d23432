import type { Assembly } from "../assembly.js";
import type { Links, Part } from "../fuse/links.js";
import type { Fragment } from "../model/fragment.js";
import { type PlacedNomination, scoresOfOrder } from "../model/nomination.js";
import type { Slices } from "../run-in-slices.js";
import { Slice } from "../slice.js";
import type { Nomination } from "../stages.js";

/** A nomination as the strategy gave it, its fragments by position. */
export type Ungathered = Omit<PlacedNomination, "scores"> & Pick<Nomination, "scores">;

/** Gathers the groups in all nominations of an assembly. */
export function* gatherAll(
  nominations: readonly Ungathered[],
  { request, links }: Pick<Assembly, "request" | "links">,
  committed: ReadonlySet<Fragment>,
): Slices<readonly PlacedNomination[]> {
  const gathered: PlacedNomination[] = [];
  for (const nomination of nominations) {
    gathered.push(yield* gatherGroups(nomination, request.fragments, links, committed));
  }
  return gathered;
}

/**
 * A group that the strategy did not nominate whole cannot be whole, so what it did nominate of it goes. In a ranking the members of the
 * others stand together, where the best of them stands, oldest first; each keeps its score. In a window all stay at their place by age.
 */
export function* gatherGroups(
  nomination: Ungathered,
  all: readonly Fragment[],
  links: Links,
  committed: ReadonlySet<Fragment>,
): Slices<PlacedNomination> {
  const { positions, scores, suffixFrom } = nomination;
  if (!links.any) return { ...nomination, scores: scores ?? scoresOfOrder(positions.length, suffixFrom) };
  const rankOf = new Int32Array(all.length).fill(ABSENT);
  for (let rank = 0; rank < positions.length; rank++) rankOf[positions[rank]!] = rank;
  const isThere = (member: Fragment): boolean => rankOf[member.inputIndex] !== ABSENT || committed.has(member);
  const isGathered = new Uint8Array(all.length);
  const ranked = new Uint32Array(positions.length);
  let count = 0;
  const gather = (i: number): void => {
    if (isGathered[i] === 1) return;
    isGathered[i] = 1;
    ranked[count++] = i;
  };
  let before = 0;
  // A group is looked at once, and not for each of its members.
  const whole = new Map<readonly Part[], boolean>();
  const isWhole = (fragment: Fragment): boolean => {
    const parts = links.partsOf(fragment);
    const known = whole.get(parts) ?? parts.every((part) => part.some(isThere));
    whole.set(parts, known);
    return known;
  };
  const slice = new Slice();
  for (let rank = 0; rank < positions.length; rank++) {
    if (slice.isOver()) yield;
    const i = positions[rank]!;
    const fragment = all[i]!;
    const isSingle = fragment.groupId === "";
    if (isGathered[i] === 1 || !(isSingle || isWhole(fragment))) continue;
    if (isSingle || suffixFrom !== undefined) gather(i);
    else {
      for (const { inputIndex } of links.groupOf(fragment)) if (rankOf[inputIndex] !== ABSENT) gather(inputIndex);
    }
    if (suffixFrom !== undefined && rank < suffixFrom) before++;
  }
  const gathered = ranked.slice(0, count);
  return {
    ...nomination,
    positions: gathered,
    ...(suffixFrom !== undefined && { suffixFrom: before }),
    scores:
      scores === undefined
        ? scoresOfOrder(count, suffixFrom === undefined ? undefined : before)
        : Float64Array.from(gathered, (i) => scores[rankOf[i]!]!),
  };
}

const ABSENT = -1;
