import type { Fragment } from "../model/fragment.js";
import { sortPositions } from "../order/radix.js";

/** Fragments by a whole-number key, smallest first, equal ones by `compareEqual`, which must be total. */
export function sortByKey(
  fragments: readonly Fragment[],
  keyOf: (fragment: Fragment) => number,
  compareEqual: (a: Fragment, b: Fragment) => number,
): Fragment[] {
  const n = fragments.length;
  const keys = new Float64Array(n);
  for (let i = 0; i < n; i++) keys[i] = keyOf(fragments[i]!);
  const positions = sortPositions(keys, (a, b) => compareEqual(fragments[a]!, fragments[b]!));
  const sorted = new Array<Fragment>(n);
  for (let i = 0; i < n; i++) sorted[i] = fragments[positions[i]!]!;
  return sorted;
}
