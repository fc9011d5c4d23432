import type { Assembly } from "../assembly.js";
import type { Fragment } from "../model/fragment.js";
import type { ScoredParts } from "../trace.js";
import { ScoredMetadata } from "./scored-metadata.js";

/**
 * The selected fragments as the payload shows them: with the score in place of the relevance where a scorer computed one, its parts in the
 * metadata that is the server's, every source of a fragment into which copies were merged, and without their vectors.
 */
export function showFragments(assembly: Assembly, fragments: readonly Fragment[]): readonly Fragment[] {
  const { trace, mergedFrom } = assembly;
  const bare = withoutVectors(assembly, fragments);
  if (!trace.hasScoreParts && mergedFrom.size === 0) return bare;
  return bare.map((fragment, i) => {
    const sources = mergedFrom.size === 0 ? undefined : mergedFrom.get(fragments[i]!);
    const merged =
      sources === undefined ? fragment : { ...fragment, provenance: { ...fragment.provenance, mergedFrom: sources } };
    const parts = trace.scorePartsOf(fragment);
    const score = trace.scoreOf(fragment);
    return parts === undefined || score === undefined ? merged : withScore(merged, score, parts);
  });
}

/**
 * Fragments without their vectors, which would be most of the bytes of a payload; whoever gave them has them.
 */
export function withoutVectors({ request }: Assembly, fragments: readonly Fragment[]): readonly Fragment[] {
  if (request.hasVectors !== true) return fragments;
  return fragments.map((fragment) => (fragment.vector.length === 0 ? fragment : { ...fragment, vector: [] }));
}

/** A fragment with a score in place of its relevance, and its parts in metadata, from which a later scoring starts anew. */
export function withScore(fragment: Fragment, score: number, parts: ScoredParts): Fragment {
  return { ...fragment, relevanceScore: score, metadata: new ScoredMetadata(fragment.metadata, parts) };
}
