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

/** The fragments at so many positions, in their order. */
export function fragmentsAt(fragments: readonly Fragment[], positions: Uint32Array): Fragment[] {
  const picked = new Array<Fragment>(positions.length);
  for (let i = 0; i < positions.length; i++) picked[i] = fragments[positions[i]!]!;
  return picked;
}

/** Fragments by a whole-number key, smallest first, equal ones by `compareEqual`, which must be total. */
export function sortByKey(
  fragments: readonly Fragment[],
  keyOf: (fragment: Fragment) => number,
  compareEqual: (a: Fragment, b: Fragment) => number,
): Fragment[] {
  const keys = new Float64Array(fragments.length);
  for (let i = 0; i < keys.length; i++) keys[i] = keyOf(fragments[i]!);
  return fragmentsAt(fragments, positionsByKey(fragments, keys, compareEqual));
}
