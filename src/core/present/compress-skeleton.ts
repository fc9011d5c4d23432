import { type Assembly, ask } from "../assembly.js";
import type { Reserves } from "../fuse/reserve-tokens.js";
import { FRAGMENT_LIMITS, type Fragment } from "../model/fragment.js";
import type { Warning } from "../model/payload.js";
import type { Part } from "../registry.js";
import { countOutline, outlineFault } from "./check-outline.js";

/** The outline of the parents. */
export interface Skeleton {
  readonly fragments: readonly Fragment[];
  readonly tokens: number;
}

const NO_SKELETON: Skeleton = { fragments: [], tokens: 0 };

/** Stage 10. Asks for an outline of the parent fragments, where there are any and the ratio leaves it a share. */
export async function compressSkeleton(assembly: Assembly, { skeletonTokens }: Reserves): Promise<Skeleton> {
  const { request, run, warnings, parts } = assembly;
  const { parentFragments, skeletonRatio } = request;
  if (parentFragments.length === 0 || skeletonRatio === 0) return NO_SKELETON;
  const { name, source } = parts.stages.skeleton_compressor;
  const outline = await ask(
    assembly,
    "skeleton_compressor",
    (compressor) => compressor.compress(parentFragments, skeletonTokens, run),
    outlineFault,
  );
  const counted = await countOutline(outline, parentFragments, run);
  const { warning, ...skeleton } = heldToShare(counted, skeletonTokens, { name, source });
  if (warning !== undefined) warnings.push(warning);
  return skeleton;
}

/**
 * An outline as it goes out, with a warning where it was over its share. Of the built-in components `unchanged` may pass it; the code of a
 * client is held to it.
 */
export function heldToShare(
  outline: readonly Fragment[],
  share: number,
  { name, source }: Pick<Part<"skeleton_compressor">, "name" | "source">,
): Skeleton & { readonly warning: Warning | undefined } {
  const fragments = source === "hosted" ? withinShare(outline, share) : outline;
  return {
    fragments,
    tokens: Math.min(skeletonPrice(fragments), FRAGMENT_LIMITS.maxTokens),
    warning: skeletonWarning(skeletonPrice(outline), share, name),
  };
}

/** What an outline costs. */
function skeletonPrice(fragments: readonly Fragment[]): number {
  return fragments.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
}

/** What of an outline fits in its share, in its order. */
function withinShare(fragments: readonly Fragment[], share: number): readonly Fragment[] {
  let left = share;
  return fragments.filter(({ tokenCount }) => {
    if (tokenCount > left) return false;
    left -= tokenCount;
    return true;
  });
}

/** The warning for an outline over its share, or nothing. */
function skeletonWarning(tokens: number, share: number, component: string): Warning | undefined {
  if (tokens <= share) return undefined;
  return {
    code: "skeleton_over_share",
    stage: "skeleton_compressor",
    component,
    message: `the skeleton takes ${tokens} tokens; its share is ${share}`,
  };
}
