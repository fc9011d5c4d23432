import { gatherVariants } from "../../fuse/variants.js";
import { checkCounts } from "../../model/count-fragments.js";
import type { Fragment } from "../../model/fragment.js";
import { highestFirst } from "../../order/keys.js";
import { compareTotal } from "../../order/total-order.js";
import type { Run } from "../../run.js";
import type { SkeletonCompressor } from "../../stages.js";

/** The depth of an outline that was cut: little more than a name. */
const CUT_DEPTH = 1;

/**
 * For each key the shallowest variant, the most relevant first. What does not fit in the tokens that are left is cut to its first lines,
 * as many as fit; where not even one does, it is left out.
 */
export const depthReduction: SkeletonCompressor = {
  compress: async (parents, maxTokens, run) => {
    const outline: Fragment[] = [];
    let left = maxTokens;
    for (const fragment of shallowest(parents)) {
      if (left === 0 && fragment.tokenCount > 0) continue;
      const fitting = fragment.tokenCount <= left ? fragment : await cutToLines(fragment, left, run);
      if (fitting === undefined) continue;
      outline.push(fitting);
      left -= fitting.tokenCount;
    }
    return outline;
  },
};

function shallowest(parents: readonly Fragment[]): Fragment[] {
  const deeper = new Set<Fragment>();
  for (const variants of gatherVariants(parents)) {
    const least = variants.at(-1)!.detailDepth;
    const kept = variants.find(({ detailDepth }) => detailDepth === least);
    for (const variant of variants) if (variant !== kept) deeper.add(variant);
  }
  return parents
    .filter((fragment) => !deeper.has(fragment))
    .sort((a, b) => highestFirst(a.relevanceScore) - highestFirst(b.relevanceScore) || compareTotal(a, b));
}

/** The fragment with as many first lines as fit, found by bisection; a text of more lines is taken to have no fewer tokens. */
async function cutToLines(fragment: Fragment, maxTokens: number, run: Run): Promise<Fragment | undefined> {
  const lines = fragment.content.split("\n");
  let best: Fragment | undefined;
  let least = 1;
  let most = lines.length;
  while (least <= most) {
    const middle = (least + most) >> 1;
    const content = lines.slice(0, middle).join("\n").replace(/\r$/, "");
    const counts = await run.counter.count([content], run.signal);
    checkCounts(counts, 1, run.counter.name);
    if (counts[0]! <= maxTokens && content.trim() !== "") {
      best = { ...fragment, content, tokenCount: counts[0]!, detailDepth: Math.min(CUT_DEPTH, fragment.detailDepth) };
      least = middle + 1;
    } else if (counts[0]! > maxTokens) {
      most = middle - 1;
    } else {
      least = middle + 1;
    }
  }
  return best;
}
