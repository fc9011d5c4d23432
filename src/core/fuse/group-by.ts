import type { Fragment } from "../model/fragment.js";

/** The items that share a key with others, in lists of two or more, in the order in which the keys first appear. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string | undefined): T[][] {
  // Nearly all keys are unlike, so first it is only asked which are not.
  const repeated = repeatedKeys(items, keyOf);
  if (repeated.size === 0) return [];
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined || !repeated.has(key)) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

function repeatedKeys<T>(items: readonly T[], keyOf: (item: T) => string | undefined): Set<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const before = seen.size;
    if (seen.add(key).size === before) repeated.add(key);
  }
  return repeated;
}

const sharingNodes = new WeakMap<readonly Fragment[], Fragment[][]>();

/**
 * The fragments that share their node with others. Three stages ask this of one and the same list, in which the nodes of ten thousand
 * fragments cost more to look up than the rest of a stage, so the answer is kept as long as the list is.
 */
export function fragmentsSharingNodes(fragments: readonly Fragment[]): readonly (readonly Fragment[])[] {
  let groups = sharingNodes.get(fragments);
  if (groups === undefined) {
    groups = groupBy(fragments, ({ ukoNode }) => ukoNode);
    sharingNodes.set(fragments, groups);
  }
  return groups;
}
