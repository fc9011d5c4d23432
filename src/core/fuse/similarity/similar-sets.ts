import { jaccardFromLeast } from "./jaccard.js";
import { bandingFor, createBandHasher } from "./min-hash.js";

/** Sets of shingles, in which those that are at least as similar as a threshold to another one are found. */
export interface SimilarSets {
  /**
   * The position, in the order in which they were added, of the most similar of the sets that are at least as similar as the threshold, the
   * first of equally similar ones; nothing where none was found. Sets that `isLeftOut` says are not looked at.
   */
  find(shingles: Float64Array, isLeftOut: (position: number) => boolean): Generator<void, Similar | undefined>;
  /** Adds the set that was looked for last; its position is the number of those before it. */
  addLast(): void;
}

export interface Similar {
  readonly position: number;
  /** Exact: from the threshold to 1. */
  readonly similarity: number;
}

/**
 * The most candidates that one set is compared with, and the most sets that a bucket holds, those added first. Where thousands of texts
 * share a template they share buckets too, and to compare all pairs would take hours. What it costs: a pair is missed where it agrees in
 * full buckets alone, or where so many others agree with it in buckets that are no larger; of the template's buckets that is true, seldom
 * of one in which a text has something of its own.
 */
const MOST_COMPARED = 32;

/** Shingles of two sets of which the comparison takes some milliseconds. */
const LONG_COMPARISON = 200_000;

/**
 * Makes an empty collection. Sets that agree in a band are candidates, and each candidate is compared exactly, so what is found is true,
 * and what is at the threshold is found in 97 of 100 cases, what is above it more often. Each set costs so much at most, however many there
 * are.
 */
export function createSimilarSets(threshold: number): SimilarSets {
  const banding = bandingFor(threshold);
  const hash = createBandHasher(banding);
  const buckets = Array.from({ length: banding.bands }, () => new Map<number, number[]>());
  const sets: Float64Array[] = [];
  /** By position: the number of the last search that had it for a candidate. */
  const seenIn: number[] = [];
  let searches = 0;
  let last: { shingles: Float64Array; keys: Int32Array } | undefined;

  /** From the smallest bucket to the largest: the fewer sets agree in a band, the more it says that these do. */
  function candidatesOf(keys: Int32Array, isLeftOut: (position: number) => boolean): number[] {
    const found: number[][] = [];
    for (let band = 0; band < buckets.length; band++) {
      const bucket = buckets[band]!.get(keys[band]!);
      if (bucket !== undefined) found.push(bucket);
    }
    found.sort((a, b) => a.length - b.length);
    const candidates: number[] = [];
    searches++;
    for (const bucket of found) {
      for (const position of bucket) {
        if (seenIn[position] === searches || isLeftOut(position)) continue;
        seenIn[position] = searches;
        if (candidates.push(position) === MOST_COMPARED) return candidates;
      }
    }
    return candidates;
  }

  return {
    *find(shingles, isLeftOut) {
      const keys = yield* hash(shingles);
      last = { shingles, keys };
      let best: Similar | undefined;
      for (const position of candidatesOf(keys, isLeftOut)) {
        const set = sets[position]!;
        const similarity = jaccardFromLeast(shingles, set, best?.similarity ?? threshold);
        const isBetter = best === undefined ? similarity >= threshold : isBefore({ position, similarity }, best);
        if (isBetter) best = { position, similarity };
        if (shingles.length + set.length > LONG_COMPARISON) yield;
      }
      return best;
    },
    addLast: () => {
      if (last === undefined) throw new Error("no set was looked for");
      const position = sets.push(last.shingles) - 1;
      seenIn.push(0);
      for (let band = 0; band < buckets.length; band++) {
        const bucket = buckets[band]!.get(last.keys[band]!);
        if (bucket === undefined) buckets[band]!.set(last.keys[band]!, [position]);
        else if (bucket.length < MOST_COMPARED) bucket.push(position);
      }
    },
  };
}

function isBefore(a: Similar, b: Similar): boolean {
  return a.similarity > b.similarity || (a.similarity === b.similarity && a.position < b.position);
}
