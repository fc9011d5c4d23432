/**
 * What must enter so that fragments may: their groups and, transitively, all that these require. One unit, one price.
 */
import type { Fragment } from "../model/fragment.js";
import {
  cheapest,
  choicesOf,
  isAccepted,
  type Surroundings,
  type WalkSteps,
  type Wanted,
  walk,
  walkSteps,
} from "./closure-walk.js";
import { giveWay } from "./give-way.js";
import type { Links } from "./links.js";

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

/** The closure with the cheapest of all alternatives, whatever it costs; nothing where it needs what cannot enter. */
export function cheapestClosure(wanted: Wanted, around: Surroundings): readonly Fragment[] | undefined {
  const found = walk(wanted, Number.MAX_SAFE_INTEGER, around, (part) => cheapest(part, around));
  return found.members;
}
