import type { Fragment } from "../model/fragment.js";
import { compareTotal } from "../order/total-order.js";
import type { Packing, PackingInput } from "./packing.js";

/**
 * Answers for a fragment who of those that are chosen requires it or, where nobody does, another of its group: of several the first in the
 * total order. O(requirements).
 */
export function requirersIn(
  { links }: PackingInput,
  { chosenBy }: Packing,
): (fragment: Fragment) => Fragment | undefined {
  const byFragment = new Map<Fragment, Fragment>();
  const byGroup = new Map<string, Fragment>();
  for (const requirer of links.tied) {
    if (chosenBy[requirer.inputIndex] === 0) continue;
    for (const required of links.requiredBy(requirer)) {
      if (required === requirer) continue;
      noteFirst(byFragment, required, requirer);
      if (required.groupId !== "") noteFirst(byGroup, required.groupId, requirer);
    }
  }
  return (fragment) => byFragment.get(fragment) ?? byGroup.get(fragment.groupId);
}

function noteFirst<Key>(requirers: Map<Key, Fragment>, key: Key, requirer: Fragment): void {
  const known = requirers.get(key);
  if (known === undefined || compareTotal(requirer, known) < 0) requirers.set(key, requirer);
}
