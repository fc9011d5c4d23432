import type { Fragment } from "../../model/fragment.js";
import { runInSlices, type Slices } from "../../run-in-slices.js";
import { Slice } from "../../slice.js";
import type { Deduplication, DeduplicationContext, Deduplicator, Duplicate } from "../../stages.js";
import { fragmentsSharingNodes, groupBy } from "../group-by.js";
import { compareSurvivors } from "./survivors.js";

/**
 * Same node and same content: one survives. Depth and price are no part of the key. What is committed survives whatever its copies are;
 * then what was nominated before what only a requirement brings, then the most relevant, then the total order. Members of groups take no
 * part: equal results of two calls are two results.
 */
export const contentHash: Deduplicator = createDeduplicator(copiesOfOneNode, false);

/** The same, but equal content under two nodes is one as well, and the survivor lists the sources of all. */
export const crossNode: Deduplicator = createDeduplicator(copiesIn, true);

/** Finds fragments that say the same, in lists of two or more. */
type FindCopies = (fragments: readonly Fragment[]) => Slices<readonly (readonly Fragment[])[]>;

function createDeduplicator(findCopies: FindCopies, mergesSources: boolean): Deduplicator {
  return {
    deduplicate: (fragments, context, run) =>
      runInSlices(deduplicate(fragments, context, { findCopies, mergesSources }), run),
  };
}

interface Way {
  readonly findCopies: FindCopies;
  readonly mergesSources: boolean;
}

function* deduplicate(
  fragments: readonly Fragment[],
  context: DeduplicationContext,
  { findCopies, mergesSources }: Way,
): Slices<Deduplication> {
  const { committed } = context;
  const all = committed.size === 0 ? fragments : [...new Set([...committed, ...fragments])];
  const takesPart = (fragment: Fragment): boolean => committed.has(fragment) || !context.isGrouped(fragment);
  const duplicates: Duplicate[] = [];
  const gone = new Set<Fragment>();
  const slice = new Slice();
  for (const copies of yield* findCopies(all)) {
    if (slice.isOver(copies.length)) yield;
    const same = copies.filter(takesPart);
    if (same.length < 2) continue;
    const survivor = same.reduce((best, one) => (compareSurvivors(one, best, context) < 0 ? one : best));
    for (const fragment of same) {
      if (fragment === survivor || committed.has(fragment)) continue;
      duplicates.push({ fragment, survivor });
      gone.add(fragment);
    }
  }
  if (duplicates.length === 0) return { kept: fragments, duplicates };
  yield;
  return { kept: fragments.filter((fragment) => !gone.has(fragment)), duplicates, mergesSources };
}

/** By node first: most nodes have one fragment, whose content then need not be looked at. */
function* copiesOfOneNode(fragments: readonly Fragment[]): Slices<Fragment[][]> {
  const found: Fragment[][] = [];
  const slice = new Slice();
  for (const same of yield* fragmentsSharingNodes(fragments)) {
    for (const copies of yield* copiesIn(same)) found.push(copies);
    if (slice.isOver(same.length)) yield;
  }
  return found;
}

function copiesIn(fragments: readonly Fragment[]): Slices<Fragment[][]> {
  return groupBy(fragments, ({ content }) => content);
}
