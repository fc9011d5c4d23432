/**
 * What must enter so that a fragment may: its group and, transitively, all that these require. One unit, one price.
 */
import type { Fragment } from "../model/fragment.js";
import type { Links, Part } from "./links.js";

/** What a closure is sought in. */
export interface Surroundings {
  readonly links: Links;
  /** True for what is in already; it costs nothing. */
  isPresent(fragment: Fragment): boolean;
  /** True for what cannot enter; a closure that needs it cannot either. */
  isOut(fragment: Fragment): boolean;
}

/** The price of a closure's fragments. */
export function priceOf(fragments: readonly Fragment[]): number {
  return fragments.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
}

/**
 * The fragments that must enter with one, itself among them, within so many tokens; nothing where they do not fit or cannot. Cycles end,
 * and a walk never goes further than the tokens. Where the fragment's group has alternatives, the deepest of each part are tried first,
 * the last part giving way first.
 */
export function closureOf(fragment: Fragment, tokens: number, around: Surroundings): readonly Fragment[] | undefined {
  const deepest = walk(fragment, tokens, around, NO_CHOICES);
  if (deepest !== undefined) return deepest;
  const open = around.links
    .partsOf(fragment)
    .filter((part) => part.length > 1 && !part.includes(fragment) && !part.some(around.isPresent));
  return open.length === 0 ? undefined : giveWay(fragment, tokens, around, open);
}

/**
 * The first choice in the order "deepest first, the last part giving way first" that fits: each part in turn takes the deepest with which
 * the cheapest of the parts after it still fit. So no choice is tried twice, however many there are.
 */
function giveWay(
  fragment: Fragment,
  tokens: number,
  around: Surroundings,
  open: readonly Part[],
): readonly Fragment[] | undefined {
  const choices = new Map<Part, Fragment>();
  for (const part of open) choices.set(part, cheapest(part, around));
  for (const part of open) {
    const fitting = part.find(
      (variant) => walk(fragment, tokens, around, new Map(choices).set(part, variant)) !== undefined,
    );
    if (fitting === undefined) return undefined;
    choices.set(part, fitting);
  }
  return walk(fragment, tokens, around, choices);
}

function cheapest(part: Part, { isOut }: Surroundings): Fragment {
  const possible = part.filter((variant) => !isOut(variant));
  return possible.reduce((a, b) => (b.tokenCount < a.tokenCount ? b : a), possible[0] ?? part[0]!);
}

const NO_CHOICES: ReadonlyMap<Part, Fragment> = new Map();

function walk(
  fragment: Fragment,
  tokens: number,
  { links, isPresent, isOut }: Surroundings,
  choices: ReadonlyMap<Part, Fragment>,
): readonly Fragment[] | undefined {
  const entering = new Set<Fragment>();
  const named = [fragment];
  let price = 0;
  const enter = (member: Fragment): boolean => {
    if (entering.has(member) || isPresent(member)) return true;
    price += member.tokenCount;
    if (price > tokens || isOut(member)) return false;
    entering.add(member);
    for (const required of links.requiredBy(member)) named.push(required);
    return true;
  };
  // A fragment that is in already, as a pin is before what it brings, still brings what it requires.
  if (isPresent(fragment)) named.push(...links.requiredBy(fragment));
  for (let next = named.pop(); next !== undefined; next = named.pop()) {
    if (!enter(next)) return undefined;
    for (const part of links.partsOf(next)) {
      if (part.some((variant) => entering.has(variant) || isPresent(variant))) continue;
      const chosen = choices.get(part) ?? part.find((variant) => !isOut(variant)) ?? part[0]!;
      if (!enter(chosen)) return undefined;
    }
  }
  return [...entering];
}
