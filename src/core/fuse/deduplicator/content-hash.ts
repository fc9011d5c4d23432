import type { Fragment } from "../../model/fragment.js";
import { highestFirst } from "../../order/keys.js";
import { compareTotal } from "../../order/total-order.js";
import type { DeduplicationContext, Deduplicator } from "../../stages.js";

/**
 * Same node and same content: one survives. Depth and price are no part of the key. What is committed survives whatever its copies are;
 * then what was nominated before what only a requirement brings, then the most relevant, then the total order. Members of groups take no
 * part: equal results of two calls are two results.
 */
export const contentHash: Deduplicator = createDeduplicator(({ ukoNode, content }) => `${ukoNode}\0${content}`);

/** The same, but equal content under two nodes is one as well. */
export const crossNode: Deduplicator = createDeduplicator(({ content }) => content, true);

function createDeduplicator(keyOf: (fragment: Fragment) => string, mergesSources = false): Deduplicator {
  return {
    deduplicate: (fragments, context) => {
      const survivors = new Map<string, Fragment>();
      for (const fragment of context.committed) survivors.set(keyOf(fragment), fragment);
      const open = fragments.filter((fragment) => !context.isGrouped(fragment) && !context.committed.has(fragment));
      for (const fragment of open) {
        const key = keyOf(fragment);
        const before = survivors.get(key);
        if (before === undefined || isBetter(fragment, before, context)) survivors.set(key, fragment);
      }
      const duplicates = open.flatMap((fragment) => {
        const survivor = survivors.get(keyOf(fragment))!;
        return survivor === fragment ? [] : [{ fragment, survivor }];
      });
      if (duplicates.length === 0) return { kept: fragments, duplicates };
      const gone = new Set(duplicates.map(({ fragment }) => fragment));
      return { kept: fragments.filter((fragment) => !gone.has(fragment)), duplicates, mergesSources };
    },
  };
}

function isBetter(fragment: Fragment, than: Fragment, { committed, uninvited }: DeduplicationContext): boolean {
  if (committed.has(than)) return false;
  const order =
    Number(uninvited.has(fragment)) - Number(uninvited.has(than)) ||
    highestFirst(fragment.relevanceScore) - highestFirst(than.relevanceScore) ||
    compareTotal(fragment, than);
  return order < 0;
}
