/** The walk from what is wanted to all that must enter with it, with one alternative chosen for each part of a group. */
import type { Fragment } from "../model/fragment.js";
import { leastPrices } from "./least-prices.js";
import type { Links, Part } from "./links.js";
import type { SectionTally } from "./sections.js";

/** What must enter: fragments by name, and parts of which one each must. */
export interface Wanted {
  readonly fragments: readonly Fragment[];
  readonly parts: readonly Part[];
}

/** What a closure is sought in. */
export interface Surroundings {
  readonly links: Links;
  /** True for what is in already; it costs nothing. */
  isPresent(fragment: Fragment): boolean;
  /** True for what cannot enter; a closure that needs it cannot either. */
  isOut(fragment: Fragment): boolean;
  /** True for the alternatives of a part that may be chosen before others, as those that a strategy nominated. Absent: for all. */
  isPreferred?(fragment: Fragment): boolean;
  /** False for fragments of which two are alternatives of one another. Absent: that is not asked. */
  isOneOfEach?(members: readonly Fragment[]): boolean;
  /** What is taken of each section, whose caps keep fragments from entering. Absent: nothing is capped. */
  readonly tally?: SectionTally | undefined;
  /** Told of fragments that cannot enter within the tokens because of one that cannot by itself. */
  onLost?(fragment: Fragment): void;
  /** True for what costs too much with all that it requires, whatever is in: it is not walked. Absent: nobody knows. */
  isTooDear?(fragment: Fragment): boolean;
  /** Counts the steps of walks, one for each fragment looked at. Absent: nobody counts them, and there is no limit. */
  readonly steps?: WalkSteps;
}

/** Steps of walks. */
export interface WalkSteps {
  /** What may still be taken; without any left nothing is found. */
  left: number;
  /** What was taken so far, whether it counts for the limit or not. */
  walked: number;
  /** The fewest further tokens with which something that did not fit might have; with fewer all would be the same. */
  shortBy: number;
  /** True where a search for the alternatives of a group was ended before it had tried all that might fit. */
  isCut: boolean;
}

/** Notes that something lacked so many tokens. */
export function noteShort(steps: WalkSteps, tokens: number): void {
  if (tokens < steps.shortBy) steps.shortBy = tokens;
}

/** True where something was not looked for because no steps were left. */
export function wasCut({ left, isCut }: WalkSteps): boolean {
  return left < 0 || isCut;
}

/** Steps of which so many may be taken. */
export function walkSteps(most: number): WalkSteps {
  return { left: most, walked: 0, shortBy: Number.POSITIVE_INFINITY, isCut: false };
}

/** The alternatives of a part that may be chosen, deepest first; where none may, the deepest, which will be found to be out. */
export function choicesOf(part: Part, { isOut, isPreferred }: Surroundings): readonly Fragment[] {
  if (part.length === 1) return part;
  const possible = part.filter((variant) => !isOut(variant));
  const preferred = isPreferred === undefined ? possible : possible.filter(isPreferred);
  return preferred.length > 0 ? preferred : possible.length > 0 ? possible : [part[0]!];
}

/** The alternative of a part that costs the least with what it requires, as far as that is known without a walk; of several the deepest. */
export function cheapest(part: Part, around: Surroundings): Fragment {
  return choicesOf(part, around).reduce((a, b) => (costOf(b, around) < costOf(a, around) ? b : a));
}

/** What a fragment costs, and beside its group what it requires. */
function costOf(fragment: Fragment, { links, isPresent }: Surroundings): number {
  let cost = fragment.tokenCount;
  for (const required of links.requiredBy(fragment)) {
    const isOfGroup = required.groupId !== "" && required.groupId === fragment.groupId;
    if (!isOfGroup && !isPresent(required)) cost += leastPrices(links).get(required) ?? required.tokenCount;
  }
  return cost;
}

/** What a walk came to; without members it found no way. */
export interface Walk {
  readonly members?: readonly Fragment[];
  /** What the members cost. */
  readonly price: number;
  readonly sawAlternatives: boolean;
}

export type Accepted = Walk & Required<Pick<Walk, "members">>;

/**
 * Walks from what is wanted to all that must enter with it, in O(members + requirements); no further than the tokens, the steps, or the
 * first that cannot enter. `choose` answers for each part of which nothing is in yet.
 */
export function walk(wanted: Wanted, tokens: number, around: Surroundings, choose: (part: Part) => Fragment): Walk {
  const { links, isPresent, isOut } = around;
  const steps = around.steps ?? walkSteps(Number.POSITIVE_INFINITY);
  const entering = new Set<Fragment>();
  const namedBy = new Map<Fragment, Fragment>();
  const named = [...wanted.fragments];
  const groups = new Set<readonly Part[]>();
  const byName = new Set(wanted.fragments);
  let price = 0;
  let sawAlternatives = false;
  const enter = (member: Fragment, by: Fragment | undefined, isOnlyChoice: boolean): boolean => {
    steps.left--;
    steps.walked++;
    if (entering.has(member) || isPresent(member)) return true;
    if (by !== undefined && !namedBy.has(member)) namedBy.set(member, by);
    if (isOut(member) || member.tokenCount > tokens) {
      if (member.tokenCount > tokens) noteShort(steps, member.tokenCount - tokens);
      if (isOnlyChoice) reportLost(member, namedBy, around);
      return false;
    }
    price += member.tokenCount;
    if (price > tokens) noteShort(steps, price - tokens);
    if (price > tokens || steps.left < 0) return false;
    entering.add(member);
    nameRequired(member);
    return true;
  };
  const nameRequired = (member: Fragment): void => {
    const required = links.requiredBy(member);
    steps.left -= required.length;
    steps.walked += required.length;
    for (const one of required) {
      if (entering.has(one)) continue;
      if (!namedBy.has(one)) namedBy.set(one, member);
      named.push(one);
    }
  };
  const enterParts = (parts: readonly Part[], by: Fragment | undefined): boolean => {
    if (groups.has(parts)) return true;
    groups.add(parts);
    sawAlternatives ||= parts.some(({ length }) => length > 1);
    const isThere = (variant: Fragment): boolean =>
      entering.has(variant) || isPresent(variant) || namedBy.has(variant) || byName.has(variant);
    return parts.every((part) => part.some(isThere) || enter(choose(part), by, part.length === 1));
  };
  // What is in already still brings what it requires: a pin is in before the rest of its closure.
  for (const fragment of wanted.fragments) if (isPresent(fragment)) nameRequired(fragment);
  if (wanted.parts.length > 0 && !enterParts(wanted.parts, undefined)) return { price, sawAlternatives };
  for (let next = named.pop(); next !== undefined; next = named.pop()) {
    if (!enter(next, undefined, true)) return { price, sawAlternatives };
    const parts = links.partsOf(next);
    if (parts.length === 1 && parts[0]!.length === 1) continue;
    if (!enterParts(parts, next)) return { price, sawAlternatives };
  }
  return { members: [...entering], price, sawAlternatives };
}

/** Whoever needs, however remotely, what cannot enter by itself cannot enter either. */
function reportLost(lost: Fragment, namedBy: ReadonlyMap<Fragment, Fragment>, { onLost }: Surroundings): void {
  if (onLost === undefined) return;
  const seen = new Set<Fragment>();
  for (let next: Fragment | undefined = lost; next !== undefined && !seen.has(next); next = namedBy.get(next)) {
    seen.add(next);
    onLost(next);
  }
}

/** True where a walk found a way, and what it found may enter together. */
export function isAccepted(found: Walk, { isOneOfEach, tally }: Surroundings): found is Accepted {
  const { members } = found;
  return members !== undefined && isOneOfEach?.(members) !== false && tally?.fitAll(members) !== false;
}
