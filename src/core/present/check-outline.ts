import { countFragments } from "../model/count-fragments.js";
import { type Fragment, UNCOUNTED } from "../model/fragment.js";
import type { Run } from "../run.js";

/** Says what is wrong with a compressor's answer, or nothing. */
export function outlineFault(outline: readonly Fragment[]): string | undefined {
  const ids = new Set<string>();
  for (const fragment of outline) {
    if (!isFragment(fragment)) return `answered with ${fragment.fragmentId}, which is no fragment`;
    if (ids.has(fragment.fragmentId)) return `answered with ${fragment.fragmentId} twice`;
    ids.add(fragment.fragmentId);
  }
  return undefined;
}

/**
 * An outline as it may enter a payload: fragments given are kept as they were given; those that the compressor made have well-formed text,
 * and the server's count of it, whatever the compressor says that they cost.
 */
export async function countOutline(
  outline: readonly Fragment[],
  parents: readonly Fragment[],
  run: Run,
): Promise<readonly Fragment[]> {
  const given = new Set(parents);
  const read = outline.map((fragment) =>
    given.has(fragment) ? fragment : { ...fragment, content: fragment.content.toWellFormed(), tokenCount: UNCOUNTED },
  );
  const [counted] = await countFragments([read], run.counter, run.signal);
  return counted!;
}

function isFragment({ fragmentId, ukoNode, content, tokenCount, detailDepth, relevanceScore }: Fragment): boolean {
  return (
    [fragmentId, ukoNode].every((text) => typeof text === "string" && text !== "") &&
    typeof content === "string" &&
    Number.isInteger(tokenCount) &&
    tokenCount >= 0 &&
    Number.isInteger(detailDepth) &&
    detailDepth >= 0 &&
    detailDepth <= 9 &&
    relevanceScore >= 0 &&
    relevanceScore <= 1
  );
}
