import type { Fragment } from "../../model/fragment.js";
import { compareAge } from "../../order/by-age.js";

/**
 * Fragments as units that stay together: each group where its first member stands, oldest first, in input order where times are equal;
 * a fragment without a group is a unit of its own.
 */
export function gatherUnits(ordered: readonly Fragment[]): readonly (readonly Fragment[])[] {
  const units: Fragment[][] = [];
  const groups = new Map<string, Fragment[]>();
  for (const fragment of ordered) {
    const group = fragment.groupId === "" ? undefined : groups.get(fragment.groupId);
    if (group !== undefined) {
      group.push(fragment);
      continue;
    }
    const unit = [fragment];
    units.push(unit);
    if (fragment.groupId !== "") groups.set(fragment.groupId, unit);
  }
  for (const unit of groups.values()) unit.sort(compareAge);
  return units;
}
