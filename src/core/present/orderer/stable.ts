import type { Fragment } from "../../model/fragment.js";
import type { PreviousFragment } from "../../model/previous.js";
import { matchPrevious } from "../../order/match-previous.js";
import { compareStable } from "../../order/stable-order.js";
import type { Orderer } from "../../stages.js";
import { gatherUnits } from "./units.js";

/**
 * What changes rarely first, so that a provider's prefix cache holds for long: system fragments, then pinned ones, then the rest, each
 * oldest first; whatever the query and the scores. As far as the previous payload is selected again, it keeps its place; from its first
 * fragment that is missing or changed on, nothing of a cache is left, and everything else follows in the order above.
 */
export const stable: Orderer = {
  keepsPrefix: true,
  order: (selected, { previous }) => {
    const prefix = keptPrefix(selected, previous);
    const kept = new Set(prefix);
    const rest = selected.filter((fragment) => !kept.has(fragment)).sort(compareStable);
    return [...prefix, ...gatherUnits(openGroupFirst(rest, prefix.at(-1))).flat()];
  },
};

/** As many of the first fragments of the previous payload as are selected again, unchanged. */
function keptPrefix(selected: readonly Fragment[], previous: readonly PreviousFragment[]): readonly Fragment[] {
  if (previous.length === 0) return [];
  const prefix: Fragment[] = [];
  for (const fragment of matchPrevious(previous, selected)) {
    if (fragment === undefined) break;
    prefix.push(fragment);
  }
  return prefix;
}

/** Where the prefix ends within a group, what else there is of the group comes next: a call keeps its results. */
function openGroupFirst(rest: readonly Fragment[], last: Fragment | undefined): readonly Fragment[] {
  if (last === undefined || last.groupId === "") return rest;
  const isOpen = ({ groupId }: Fragment): boolean => groupId === last.groupId;
  return [...rest.filter(isOpen), ...rest.filter((fragment) => !isOpen(fragment))];
}
