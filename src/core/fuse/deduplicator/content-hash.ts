import type { Fragment } from "../../model/fragment.js";
import type { Deduplicator } from "../../stages.js";
import { fragmentsSharingNodes, groupBy } from "../group-by.js";
import { compareSurvivors } from "./survivors.js";

/**
 * Same node and same content: one survives. Depth and price are no part of the key. What is committed survives whatever its copies are;
 * then what was nominated before what only a requirement brings, then the most relevant, then the total order. Members of groups take no
 * part: equal results of two calls are two results.
 */
export const contentHash: Deduplicator = createDeduplicator(copiesOfOneNode, false);

/** The same, but equal content under two nodes is one as well, and the survivor lists the sources of all. */
export const crossNode: Deduplicator = createDeduplicator(copies, true);

/** Fragments that say the same, in lists of two or more. */
type FindCopies = (fragments: readonly Fragment[]) => readonly (readonly Fragment[])[];

function createDeduplicator(findCopies: FindCopies, mergesSources: boolean): Deduplicator {
  return {
    deduplicate: (fragments, context) => {
      const { committed } = context;
      const all = committed.size === 0 ? fragments : [...new Set([...committed, ...fragments])];
      const takesPart = (fragment: Fragment): boolean => committed.has(fragment) || !context.isGrouped(fragment);
      const duplicates = findCopies(all)
        .map((same) => same.filter(takesPart))
        .filter((same) => same.length > 1)
        .flatMap((same) => {
          const survivor = same.reduce((best, fragment) =>
            compareSurvivors(fragment, best, context) < 0 ? fragment : best,
          );
          return same
            .filter((fragment) => fragment !== survivor && !committed.has(fragment))
            .map((fragment) => ({ fragment, survivor }));
        });
      if (duplicates.length === 0) return { kept: fragments, duplicates };
      const gone = new Set(duplicates.map(({ fragment }) => fragment));
      return { kept: fragments.filter((fragment) => !gone.has(fragment)), duplicates, mergesSources };
    },
  };
}

/** By node first: most nodes have one fragment, whose content then need not be looked at. */
function copiesOfOneNode(fragments: readonly Fragment[]): Fragment[][] {
  return fragmentsSharingNodes(fragments).flatMap(copies);
}

function copies(fragments: readonly Fragment[]): Fragment[][] {
  return groupBy(fragments, ({ content }) => content);
}
