import { type Fragment, Role } from "../model/fragment.js";
import { compareTotal } from "../order/total-order.js";

/** Which fragments are alternatives of one another: one text at different depths. */
export interface Variants {
  /** By input position: the number of the fragment's key, or -1 where it has no alternative. */
  readonly keys: Int32Array;
  /** By number of the key: its fragments, deepest first. */
  readonly members: readonly (readonly Fragment[])[];
}

/**
 * The key under which a fragment has alternatives. A given key is scoped to its group, and never equals one that was not given. Without
 * one it is the node with the location; but a message, or a member of a group, has none.
 */
export function variantKeyOf({ variantKey, groupId, role, ukoNode, provenance }: Fragment): string | undefined {
  if (variantKey !== "") return `given\0${groupId}\0${variantKey}`;
  if (role !== Role.NONE || groupId !== "") return undefined;
  return `node\0${ukoNode}\0${provenance.location}`;
}

/** Deepest first, then the more relevant, then the total order. */
export function compareDepth(a: Fragment, b: Fragment): number {
  return b.detailDepth - a.detailDepth || b.relevanceScore - a.relevanceScore || compareTotal(a, b);
}

/** Fragments by their keys, deepest first; in the order in which the keys first appear. Fragments without a key are left out. */
export function gatherVariants(fragments: Iterable<Fragment>): Map<string, Fragment[]> {
  const byKey = new Map<string, Fragment[]>();
  for (const fragment of fragments) {
    const key = variantKeyOf(fragment);
    if (key === undefined) continue;
    const members = byKey.get(key);
    if (members === undefined) byKey.set(key, [fragment]);
    else members.push(fragment);
  }
  for (const members of byKey.values()) if (members.length > 1) members.sort(compareDepth);
  return byKey;
}

/** Compiles the alternatives among fragments of a request that has so many. */
export function compileVariants(fragments: Iterable<Fragment>, fragmentCount: number): Variants {
  const keys = new Int32Array(fragmentCount).fill(-1);
  const members: Fragment[][] = [];
  for (const variants of gatherVariants(fragments).values()) {
    if (variants.length === 1) continue;
    for (const { inputIndex } of variants) keys[inputIndex] = members.length;
    members.push(variants);
  }
  return { keys, members };
}

/** No fragment has alternatives. */
export function noVariants(fragmentCount: number): Variants {
  return { keys: new Int32Array(fragmentCount).fill(-1), members: [] };
}
