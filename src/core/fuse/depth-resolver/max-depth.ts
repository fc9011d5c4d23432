import type { Fragment } from "../../model/fragment.js";
import type { DepthResolver } from "../../stages.js";
import { gatherVariants } from "../variants.js";

/** The deepest of each key stands for it, of equally deep ones the more relevant; the others stay as its alternatives. */
export const maxDepth: DepthResolver = {
  isByDepth: true,
  resolve: (fragments) => {
    const variants = gatherVariants(fragments);
    if (variants.length === 0) return undefined;
    const alternativesOf = new Map<Fragment, readonly Fragment[]>();
    const isAlternative = new Set<Fragment>();
    for (const [deepest, ...others] of variants) {
      alternativesOf.set(deepest!, others);
      for (const other of others) isAlternative.add(other);
    }
    return fragments
      .filter((fragment) => !isAlternative.has(fragment))
      .map((fragment) => ({ fragment, alternatives: alternativesOf.get(fragment) ?? NONE }));
  },
};

const NONE: readonly Fragment[] = [];
