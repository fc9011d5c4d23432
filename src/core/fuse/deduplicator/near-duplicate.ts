import type { Fragment } from "../../model/fragment.js";
import type { PipelineOptions } from "../../model/pipeline-spec.js";
import { runInSlices, type Slices } from "../../run-in-slices.js";
import type { Deduplication, DeduplicationContext, Deduplicator, Duplicate } from "../../stages.js";
import { shinglesInSlices } from "../similarity/shingles.js";
import { createSimilarSets } from "../similarity/similar-sets.js";
import { gatherVariantsInSlices } from "../variants.js";
import { createKeptCopies } from "./kept-copies.js";
import { inSurvivorOrder } from "./survivors.js";

/** How similar texts are where a request does not say. */
const DEFAULT_THRESHOLD = 0.8;

/**
 * Texts that share most of their shingles, whatever their nodes: one survives. In the order of survivors, what is at least as similar as
 * the threshold to one that is kept goes, and names the most similar one; what is similar only to something that went stays. What is
 * committed is always kept. Members of groups take no part, and alternatives of one variant key never count as similar to each other: of
 * them the depth resolver and the packer choose. Equal text of one node is a plain duplicate, alternative or not.
 *
 * Approximate in one way: a pair at the threshold may be missed, in 3 of 100 cases; what is found is compared exactly.
 */
export function createNearDuplicate({ similarityThreshold = DEFAULT_THRESHOLD }: PipelineOptions): Deduplicator {
  return {
    deduplicate: (fragments, context, run) => runInSlices(deduplicate(fragments, context, similarityThreshold), run),
  };
}

function* deduplicate(
  fragments: readonly Fragment[],
  context: DeduplicationContext,
  threshold: number,
): Generator<void, Deduplication> {
  const { committed } = context;
  const all = committed.size === 0 ? fragments : [...new Set([...committed, ...fragments])];
  const taking = all.filter((fragment) => committed.has(fragment) || !context.isGrouped(fragment));
  const keys = yield* variantKeys(all);
  const areAlternatives = (a: Fragment, b: Fragment): boolean => {
    const key = keys.get(a);
    return key !== undefined && key === keys.get(b);
  };
  yield;
  const order = inSurvivorOrder(taking, context);
  const copies = createKeptCopies(areAlternatives);
  const sets = createSimilarSets(threshold);
  const kept: Fragment[] = [];
  const duplicates: Duplicate[] = [];
  for (const fragment of order) {
    yield;
    const isCommitted = committed.size > 0 && committed.has(fragment);
    const copy = isCommitted ? undefined : copies.find(fragment);
    if (copy !== undefined) {
      const isSameNode = copy.ukoNode === fragment.ukoNode;
      duplicates.push({ fragment, survivor: copy, ...(!isSameNode && { similarity: 1 }) });
      continue;
    }
    const shingles = yield* shinglesInSlices(fragment.content);
    const similar = yield* sets.find(shingles, (position) => isCommitted || areAlternatives(kept[position]!, fragment));
    if (similar !== undefined) {
      duplicates.push({ fragment, survivor: kept[similar.position]!, similarity: similar.similarity });
      continue;
    }
    kept.push(fragment);
    copies.add(fragment);
    sets.addLast();
  }
  if (duplicates.length === 0) return { kept: fragments, duplicates };
  const gone = new Set(duplicates.map(({ fragment }) => fragment));
  return { kept: fragments.filter((fragment) => !gone.has(fragment)), duplicates };
}

/** The number of the variant key of each fragment that has alternatives. */
function* variantKeys(fragments: readonly Fragment[]): Slices<ReadonlyMap<Fragment, number>> {
  const keys = new Map<Fragment, number>();
  (yield* gatherVariantsInSlices(fragments)).forEach((variants, key) => {
    for (const variant of variants) keys.set(variant, key);
  });
  return keys;
}
