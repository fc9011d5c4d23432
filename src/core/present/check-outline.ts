import { componentFailure } from "../component-failure.js";
import { countFragments } from "../model/count-fragments.js";
import { type Fragment, UNCOUNTED } from "../model/fragment.js";
import type { Run } from "../run.js";

/**
 * An outline as it may enter a payload: fragments given are kept as they were given; those that the compressor made have well-formed text,
 * and the server's count of it, whatever the compressor says that they cost.
 */
export async function checkOutline(
  outline: readonly Fragment[],
  parents: readonly Fragment[],
  component: string,
  run: Run,
): Promise<readonly Fragment[]> {
  const given = new Set(parents);
  const ids = new Set<string>();
  const read = outline.map((fragment) => {
    if (ids.has(fragment.fragmentId)) {
      throw componentFailure("skeleton_compressor", component, `answered with ${fragment.fragmentId} twice`);
    }
    ids.add(fragment.fragmentId);
    if (given.has(fragment)) return fragment;
    if (!isFragment(fragment)) {
      throw componentFailure(
        "skeleton_compressor",
        component,
        `answered with ${fragment.fragmentId}, which is no fragment`,
      );
    }
    return { ...fragment, content: fragment.content.toWellFormed(), tokenCount: UNCOUNTED };
  });
  const [counted] = await countFragments([read], run.counter, run.signal);
  return counted!;
}

function isFragment({ fragmentId, ukoNode, content, detailDepth, relevanceScore }: Fragment): boolean {
  return (
    [fragmentId, ukoNode].every((text) => typeof text === "string" && text !== "") &&
    typeof content === "string" &&
    Number.isInteger(detailDepth) &&
    detailDepth >= 0 &&
    detailDepth <= 9 &&
    relevanceScore >= 0 &&
    relevanceScore <= 1
  );
}
