/**
 * What must enter so that fragments may: their groups and, transitively, all that these require. One unit, one price.
 */
import type { Fragment } from "../model/fragment.js";
import type { Links, Part } from "./links.js";

/** What must enter: fragments by name, and parts of which one each must. */
export interface Wanted {
  readonly fragments: readonly Fragment[];
  readonly parts: readonly Part[];
}

/** What is wanted where a fragment has its turn: itself, or its group, of which it is one member among others. */
export function wantedAtTurn(fragment: Fragment, links: Links): Wanted {
  const parts = links.partsOf(fragment);
  const isSingle = parts.length === 1 && parts[0]!.length === 1;
  return isSingle ? { fragments: [fragment], parts: [] } : { fragments: [], parts };
}

/** What is wanted where fragments are asked for by name. */
export function wantedByName(...fragments: readonly Fragment[]): Wanted {
  return { fragments, parts: [] };
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
  /** False for fragments that may not enter together. Absent: all may. */
  accepts?(members: readonly Fragment[]): boolean;
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
}

/** Notes that something lacked so many tokens. */
export function noteShort(steps: WalkSteps, tokens: number): void {
  if (tokens < steps.shortBy) steps.shortBy = tokens;
}

/** Steps of which so many may be taken. */
export function walkSteps(most: number): WalkSteps {
  return { left: most, walked: 0, shortBy: Number.POSITIVE_INFINITY };
}

/** Steps for one more walk where those of all are used up: what needs little beside itself is found all the same. */
const SHORT_WALK = 64;

/** The surroundings of the next walk. */
export function aroundNext<T extends Surroundings & { readonly steps: WalkSteps }>(around: T): T {
  return around.steps.left >= 0 ? around : { ...around, steps: walkSteps(SHORT_WALK) };
}

/** The price of a closure's fragments. */
export function priceOf(fragments: readonly Fragment[]): number {
  let price = 0;
  for (const { tokenCount } of fragments) price += tokenCount;
  return price;
}

/**
 * The fragments that must enter with some, these among them, within so many tokens; nothing where they do not fit or cannot. Cycles end,
 * and a walk goes no further than the tokens. Where a group has alternatives, the deepest of each part are tried first, the last part
 * giving way first.
 */
export function closureOf(wanted: Wanted, tokens: number, around: Surroundings): readonly Fragment[] | undefined {
  const lead = wanted.fragments[0] ?? wanted.parts[0]?.[0];
  if (lead !== undefined && around.isTooDear?.(lead) === true) return undefined;
  const deepest = walk(wanted, tokens, around, (part) => choicesOf(part, around)[0]!);
  if (isAccepted(deepest, around)) return deepest.members;
  // Where no part has alternatives, nothing can give way.
  return deepest.sawAlternatives ? giveWay(wanted, tokens, around) : undefined;
}

function isAccepted(found: Walk, { accepts }: Surroundings): found is Accepted {
  return found.members !== undefined && (accepts === undefined || accepts(found.members));
}

/** The closure with the cheapest of all alternatives, whatever it costs; nothing where it needs what cannot enter. */
export function cheapestClosure(wanted: Wanted, around: Surroundings): readonly Fragment[] | undefined {
  const found = walk(wanted, Number.MAX_SAFE_INTEGER, around, (part) => cheapest(part, around));
  return found.members;
}

/**
 * The first choice in the order "deepest first, the last part giving way first" that fits: from the cheapest of each part, each part in
 * turn takes the deepest that what is left allows. So no choice is tried twice, however many there are.
 */
function giveWay(wanted: Wanted, tokens: number, around: Surroundings): readonly Fragment[] | undefined {
  const choices = new Map<Part, Fragment>();
  const choose = (part: Part): Fragment => {
    const chosen = choices.get(part) ?? cheapest(part, around);
    choices.set(part, chosen);
    return chosen;
  };
  const tryChoices = (): Walk => walk(wanted, tokens, around, choose);
  const base = firstAccepted(choices, tryChoices, around);
  if (base === undefined) return undefined;
  let best = base;
  let left = tokens - priceOf(best);
  let needed = requiredIn(best, wanted, around);
  for (const [part, chosen] of [...choices]) {
    for (const variant of choicesOf(part, around)) {
      if (variant === chosen) break;
      const short = variant.tokenCount - chosen.tokenCount - left;
      if (short > 0) {
        if (around.steps !== undefined) noteShort(around.steps, short);
        continue;
      }
      choices.set(part, variant);
      // What a variant requires has a price of its own, and what is required stays, so then the whole is walked again.
      const isBySelf = variant.requires.length + chosen.requires.length === 0 && !needed.has(chosen);
      const next = isBySelf ? replaced(best, chosen, variant) : tryChoices();
      if (isAccepted(next, around)) {
        best = next.members;
        left = tokens - priceOf(best);
        if (!isBySelf) needed = requiredIn(best, wanted, around);
        break;
      }
      choices.set(part, chosen);
    }
  }
  return best;
}

/** What is asked for by name in a closure, and so cannot give way to an alternative. */
function requiredIn(members: readonly Fragment[], wanted: Wanted, { links }: Surroundings): ReadonlySet<Fragment> {
  const required = new Set(wanted.fragments);
  for (const member of members) for (const one of links.requiredBy(member)) required.add(one);
  return required;
}

/** What the choices come to; where that may not enter, with another choice for one of the parts, the first with which it may. */
function firstAccepted(
  choices: Map<Part, Fragment>,
  tryChoices: () => Walk,
  around: Surroundings,
): readonly Fragment[] | undefined {
  const base = tryChoices();
  if (isAccepted(base, around)) return base.members;
  for (const [part, chosen] of [...choices]) {
    for (const variant of choicesOf(part, around)) {
      if (variant === chosen) continue;
      choices.set(part, variant);
      const next = tryChoices();
      if (isAccepted(next, around)) return next.members;
    }
    choices.set(part, chosen);
  }
  return undefined;
}

function replaced(members: readonly Fragment[], old: Fragment, by: Fragment): Walk {
  return { members: members.map((member) => (member === old ? by : member)), sawAlternatives: true };
}

/** The alternatives of a part that may be chosen, deepest first; where none may, the deepest, which will be found to be out. */
function choicesOf(part: Part, { isOut, isPreferred }: Surroundings): readonly Fragment[] {
  if (part.length === 1) return part;
  const possible = part.filter((variant) => !isOut(variant));
  const preferred = isPreferred === undefined ? possible : possible.filter(isPreferred);
  return preferred.length > 0 ? preferred : possible.length > 0 ? possible : [part[0]!];
}

function cheapest(part: Part, around: Surroundings): Fragment {
  return choicesOf(part, around).reduce((a, b) => (b.tokenCount < a.tokenCount ? b : a));
}

/** What a walk came to; without members it found no way. */
interface Walk {
  readonly members?: readonly Fragment[];
  readonly sawAlternatives: boolean;
}

type Accepted = Walk & Required<Pick<Walk, "members">>;

function walk(wanted: Wanted, tokens: number, around: Surroundings, choose: (part: Part) => Fragment): Walk {
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
  if (wanted.parts.length > 0 && !enterParts(wanted.parts, undefined)) return { sawAlternatives };
  for (let next = named.pop(); next !== undefined; next = named.pop()) {
    if (!enter(next, undefined, true)) return { sawAlternatives };
    const parts = links.partsOf(next);
    if (parts.length === 1 && parts[0]!.length === 1) continue;
    if (!enterParts(parts, next)) return { sawAlternatives };
  }
  return { members: [...entering], sawAlternatives };
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
