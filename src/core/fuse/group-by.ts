import type { Fragment } from "../model/fragment.js";

/** The items that share a key with others, in lists of two or more, in the order in which the keys first appear. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string | undefined): T[][] {
  const firsts = new Map<string, T>();
  const shared = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const first = firsts.get(key);
    if (first === undefined) {
      firsts.set(key, item);
      continue;
    }
    const group = shared.get(key);
    if (group === undefined) shared.set(key, [first, item]);
    else group.push(item);
  }
  return [...shared.values()];
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
