import type { DepthResolver } from "../../stages.js";
import { gatherVariants } from "../variants.js";

/** The deepest of each key stands for it, of equally deep ones the more relevant; the others stay as its alternatives. */
export const maxDepth: DepthResolver = {
  resolve: (fragments) => {
    const alternatives = new Map(
      [...gatherVariants(fragments).values()].map(([deepest, ...others]) => [deepest!, others] as const),
    );
    const isAlternative = new Set([...alternatives.values()].flat());
    return fragments
      .filter((fragment) => !isAlternative.has(fragment))
      .map((fragment) => ({ fragment, alternatives: alternatives.get(fragment) ?? [] }));
  },
};
