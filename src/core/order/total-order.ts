import type { Fragment } from "../model/fragment.js";
import { compareInstants } from "../model/instant.js";
import type { Provenance } from "../model/provenance.js";
import { compareUtf8 } from "../model/text.js";

/**
 * The one total order, wherever a ranking ties: node, then the caller's fragment id or, where none was given, the content (a made-up id
 * decides nothing), then deeper, role number, fewer tokens, newer, tier number, higher relevance, then content, metadata by key,
 * provenance, pinned, group, requirements, variant key, vector, and last the position in the input. So any order of the input gives one order.
 */
export function compareTotal(a: Fragment, b: Fragment): number {
  return (
    compareUtf8(a.ukoNode, b.ukoNode) ||
    compareUtf8(a.idGiven ? a.fragmentId : a.content, b.idGiven ? b.fragmentId : b.content) ||
    b.detailDepth - a.detailDepth ||
    a.role - b.role ||
    a.tokenCount - b.tokenCount ||
    compareInstants(b.createdAt, a.createdAt) ||
    a.tier - b.tier ||
    b.relevanceScore - a.relevanceScore ||
    compareUtf8(a.content, b.content) ||
    compareMetadata(a.metadata, b.metadata) ||
    compareProvenance(a.provenance, b.provenance) ||
    Number(a.pinned) - Number(b.pinned) ||
    compareUtf8(a.groupId, b.groupId) ||
    compareLists(a.requires, b.requires, compareUtf8) ||
    compareUtf8(a.variantKey, b.variantKey) ||
    compareLists(a.vector, b.vector, (x, y) => x - y) ||
    a.inputIndex - b.inputIndex
  );
}

type Entry = readonly [key: string, value: string];

function compareMetadata(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): number {
  return compareLists(sortedEntries(a), sortedEntries(b), ([keyA, valueA], [keyB, valueB]) => {
    return compareUtf8(keyA, keyB) || compareUtf8(valueA, valueB);
  });
}

function sortedEntries(metadata: ReadonlyMap<string, string>): Entry[] {
  return [...metadata].sort(([a], [b]) => compareUtf8(a, b));
}

function compareProvenance(a: Provenance, b: Provenance): number {
  return (
    compareUtf8(a.resourceUri, b.resourceUri) ||
    compareUtf8(a.resourceType, b.resourceType) ||
    compareUtf8(a.location, b.location) ||
    compareLists(a.mergedFrom, b.mergedFrom, compareProvenance)
  );
}

/** Entry by entry; where one list is the start of the other, the shorter first. */
function compareLists<T>(a: readonly T[], b: readonly T[], compare: (x: T, y: T) => number): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const order = compare(a[i]!, b[i]!);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}
