import type { Fragment } from "../model/fragment.js";
import { sortPositions } from "./radix.js";

/** The positions of fragments by a whole-number key, smallest first, equal ones by `compareEqual`, which must be total. */
export function positionsByKey(
  fragments: readonly Fragment[],
  keys: Float64Array,
  compareEqual: (a: Fragment, b: Fragment) => number,
): Uint32Array {
  return sortPositions(keys, (a, b) => compareEqual(fragments[a]!, fragments[b]!));
}

const placesOf = new WeakMap<readonly Fragment[], { from: readonly Fragment[]; positions: Uint32Array }>();

/**
 * The fragments at so many positions of a list, in their order. The positions are remembered with the result, which therefore cannot be
 * changed: to look them up again in ten thousand fragments, which lie scattered in memory, costs more than to sort them.
 */
export function fragmentsAt(fragments: readonly Fragment[], positions: Uint32Array): readonly Fragment[] {
  const picked = new Array<Fragment>(positions.length);
  for (let i = 0; i < positions.length; i++) picked[i] = fragments[positions[i]!]!;
  Object.freeze(picked);
  placesOf.set(picked, { from: fragments, positions });
  return picked;
}

/** The positions in a list at which `fragmentsAt` found fragments; nothing for any others. */
export function knownPositions(picked: readonly Fragment[], from: readonly Fragment[]): Uint32Array | undefined {
  const places = placesOf.get(picked);
  return places?.from === from ? places.positions : undefined;
}

/**
 * The same fragments in the order in which they lie in memory, where `fragmentsAt` found all of a list; else as they are given. To look at
 * them in that order takes less time.
 */
export function inMemoryOrder(picked: readonly Fragment[]): readonly Fragment[] {
  const places = placesOf.get(picked);
  return places !== undefined && places.from.length === picked.length ? places.from : picked;
}

/** Fragments by a whole-number key, smallest first, equal ones by `compareEqual`, which must be total. */
export function sortByKey(
  fragments: readonly Fragment[],
  keyOf: (fragment: Fragment) => number,
  compareEqual: (a: Fragment, b: Fragment) => number,
): readonly Fragment[] {
  const keys = new Float64Array(fragments.length);
  for (let i = 0; i < keys.length; i++) keys[i] = keyOf(fragments[i]!);
  return fragmentsAt(fragments, positionsByKey(fragments, keys, compareEqual));
}
