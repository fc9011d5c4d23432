import type { Fragment } from "../../model/fragment.js";

/** The fragments kept so far by their texts, in which exact copies are found without comparing. */
export interface KeptCopies {
  /**
   * A kept fragment with the same text: one of the same node, else the first one that is not an alternative of the fragment; nothing where
   * there is none.
   */
  find(fragment: Fragment): Fragment | undefined;
  add(fragment: Fragment): void;
}

interface Copies {
  readonly first: Fragment;
  /** The first that is no alternative of the first. */
  second?: Fragment;
  /** The first of each node; absent while there is one. */
  byNode?: Map<string, Fragment>;
}

/** Makes an empty collection; `areAlternatives` says whether two fragments show one thing at different depths. */
export function createKeptCopies(areAlternatives: (a: Fragment, b: Fragment) => boolean): KeptCopies {
  const byContent = new Map<string, Copies>();
  return {
    find: (fragment) => {
      const copies = byContent.get(fragment.content);
      if (copies === undefined) return undefined;
      const { first, second, byNode } = copies;
      const ofNode = first.ukoNode === fragment.ukoNode ? first : byNode?.get(fragment.ukoNode);
      // Alternatives of the first are none of the second, so one of the two will do.
      return ofNode ?? (areAlternatives(first, fragment) ? second : first);
    },
    add: (fragment) => {
      const copies = byContent.get(fragment.content);
      if (copies === undefined) {
        byContent.set(fragment.content, { first: fragment });
        return;
      }
      if (copies.second === undefined && !areAlternatives(copies.first, fragment)) copies.second = fragment;
      copies.byNode ??= new Map([[copies.first.ukoNode, copies.first]]);
      if (!copies.byNode.has(fragment.ukoNode)) copies.byNode.set(fragment.ukoNode, fragment);
    },
  };
}
