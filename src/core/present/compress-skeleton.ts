import { type Assembly, ask } from "../assembly.js";
import type { Reserves } from "../fuse/reserve-tokens.js";
import type { Fragment } from "../model/fragment.js";
import type { Warning } from "../model/payload.js";
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
  const { name } = parts.stages.skeleton_compressor;
  const outline = await ask(
    assembly,
    "skeleton_compressor",
    (compressor) => compressor.compress(parentFragments, skeletonTokens, run),
    outlineFault,
  );
  const fragments = await countOutline(outline, parentFragments, run);
  const tokens = fragments.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
  const warning = skeletonWarning(tokens, skeletonTokens, name);
  if (warning !== undefined) warnings.push(warning);
  return { fragments, tokens };
}

/** The warning for an outline over its share, or nothing. */
export function skeletonWarning(tokens: number, share: number, component: string): Warning | undefined {
  if (tokens <= share) return undefined;
  return {
    code: "skeleton_over_share",
    stage: "skeleton_compressor",
    component,
    message: `the skeleton takes ${tokens} tokens; its share is ${share}`,
  };
}
