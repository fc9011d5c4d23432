import type { Fragment } from "../model/fragment.js";
import { inMemoryOrder } from "../order/by-key.js";
import type { Slices } from "../run-in-slices.js";
import { Slice } from "../slice.js";

/**
 * The items that share a key with others, in lists of two or more, in the order in which the keys first appear. `sameItems` are the items in
 * another order, in which they are looked at faster.
 */
export function* groupBy<T>(
  items: readonly T[],
  keyOf: (item: T) => string | undefined,
  sameItems = items,
): Slices<T[][]> {
  // Nearly all keys are unlike, so first it is only asked which are not.
  const seen = new Set<string>();
  const groups = new Map<string, T[]>();
  const slice = new Slice();
  for (const item of sameItems) {
    if (slice.isOver()) yield;
    const key = keyOf(item);
    if (key === undefined) continue;
    const before = seen.size;
    if (seen.add(key).size === before && !groups.has(key)) groups.set(key, []);
  }
  const inOrder: T[][] = [];
  if (groups.size === 0) return inOrder;
  for (const item of items) {
    if (slice.isOver()) yield;
    const key = keyOf(item);
    const group = key === undefined ? undefined : groups.get(key);
    if (group === undefined) continue;
    if (group.length === 0) inOrder.push(group);
    group.push(item);
  }
  return inOrder;
}

const sharingNodes = new WeakMap<readonly Fragment[], Fragment[][]>();

/**
 * The fragments that share their node with others. Three stages ask this of one and the same list, in which the nodes of ten thousand
 * fragments cost more to look up than the rest of a stage, so the answer is kept as long as the list is.
 */
export function* fragmentsSharingNodes(fragments: readonly Fragment[]): Slices<readonly (readonly Fragment[])[]> {
  const known = sharingNodes.get(fragments);
  if (known !== undefined) return known;
  const groups = yield* groupBy(fragments, ({ ukoNode }) => ukoNode, inMemoryOrder(fragments));
  sharingNodes.set(fragments, groups);
  return groups;
}
