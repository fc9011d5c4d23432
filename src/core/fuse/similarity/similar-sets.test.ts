import assert from "node:assert/strict";
import { test } from "node:test";
import { jaccard } from "./jaccard.js";
import { bandingFor } from "./min-hash.js";
import { createSimilarSets, type Similar, type SimilarSets } from "./similar-sets.js";

/** Numbers that look random and are the same every time. */
function createNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const high = state;
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (high >>> 12) * 2 ** 32 + state;
  };
}

function setOf(...parts: readonly number[][]): Float64Array {
  return Float64Array.from(new Set(parts.flat())).sort();
}

function find(sets: SimilarSets, set: Float64Array, isLeftOut = (_position: number) => false): Similar | undefined {
  const slices = sets.find(set, isLeftOut);
  for (let slice = slices.next(); ; slice = slices.next()) if (slice.done) return slice.value;
}

function add(sets: SimilarSets, set: Float64Array): void {
  find(sets, set);
  sets.addLast();
}

test("bands find a pair at the threshold in 97 of 100 cases by the formula, whatever the threshold", () => {
  for (const threshold of [0.01, 0.05, 0.2, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1]) {
    const { bands, rows } = bandingFor(threshold);
    assert.ok(1 - (1 - threshold ** rows) ** bands >= 0.97, `${threshold}: ${bands} bands of ${rows}`);
    assert.ok(bands * rows <= 400);
  }
});

test("of 1,000 pairs at the threshold at least 95 in 100 are found, and of pairs far below it none", () => {
  for (const threshold of [0.3, 0.5, 0.8, 0.9]) {
    const next = createNumbers(7);
    const numbers = (count: number): number[] => Array.from({ length: count }, next);
    const size = 70;
    // Of two sets of a size that share s shingles, s / (2 x size - s) is the threshold where s is this.
    const shared = Math.ceil((2 * size * threshold) / (1 + threshold));
    let found = 0;
    for (let pair = 0; pair < 1_000; pair++) {
      const both = numbers(shared);
      const a = setOf(both, numbers(size - shared));
      const b = setOf(both, numbers(size - shared));
      const sets = createSimilarSets(threshold);
      add(sets, a);
      const similar = find(sets, b);
      if (similar === undefined) continue;
      found++;
      assert.equal(similar.similarity, jaccard(a, b));
    }
    assert.ok(found >= 950, `threshold ${threshold}: ${found} of 1,000`);
    const sets = createSimilarSets(threshold);
    for (let one = 0; one < 200; one++) {
      assert.equal(find(sets, setOf(numbers(size))), undefined);
      sets.addLast();
    }
  }
});

test("the most similar is found, of equally similar ones the first", () => {
  const next = createNumbers(3);
  const base = Array.from({ length: 60 }, next);
  const sets = createSimilarSets(0.5);
  add(sets, setOf(base.slice(0, 50), [1, 2, 3]));
  add(sets, setOf(base.slice(0, 58), [4]));
  add(sets, setOf(base.slice(0, 58), [5]));
  assert.deepEqual(find(sets, setOf(base)), { position: 1, similarity: 58 / 61 });
});

test("what is left out is not looked at", () => {
  const sets = createSimilarSets(0.8);
  add(sets, setOf([1, 2, 3]));
  const slices = sets.find(setOf([1, 2, 3]), (position) => position === 0);
  assert.deepEqual(slices.next(), { done: true, value: undefined });
});

test("thousands of sets that share all their buckets cost a bounded number of comparisons, and near copies among them are found", () => {
  const next = createNumbers(11);
  const template = Array.from({ length: 60 }, next);
  const sets = createSimilarSets(0.8);
  // 60 of 74 shingles in common: 60 / (2 x 67 - 60) = 0.81 would be a duplicate, 58 / 76 = 0.76 is none.
  let missed = 0;
  let most = 0;
  for (let one = 0; one < 2_000; one++) {
    const own = Array.from({ length: 9 }, next);
    let compared = 0;
    const count = (): boolean => {
      compared++;
      return false;
    };
    assert.equal(find(sets, setOf(template.slice(0, 58), own), count), undefined);
    most = Math.max(most, compared);
    sets.addLast();
    if (one % 10 === 0 && find(sets, setOf(template.slice(0, 58), own.slice(0, 8)))?.position !== one) missed++;
  }
  assert.equal(most, 32);
  assert.ok(missed <= 10, `${missed} of 200 near copies were missed`);
});
