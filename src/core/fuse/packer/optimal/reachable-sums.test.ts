import assert from "node:assert/strict";
import { test } from "node:test";
import { reachableSums } from "./reachable-sums.js";

/** All sums in order, from the least above nothing. */
function sumsOf(...prices: number[]): number[] {
  const next = reachableSums(prices);
  const sums: number[] = [];
  for (let sum = next(-1); sum !== Number.POSITIVE_INFINITY; sum = next(sum)) sums.push(sum);
  return sums;
}

test("the sums are those of all sets, each once", () => {
  assert.deepEqual(sumsOf(), [0]);
  assert.deepEqual(sumsOf(0, 0), [0]);
  assert.deepEqual(sumsOf(3, 5), [0, 3, 5, 8]);
  assert.deepEqual(sumsOf(2, 2, 3), [0, 2, 3, 4, 5, 7]);
});

test("the next sum lies above any number, be it a sum or not", () => {
  const next = reachableSums([10, 25]);
  assert.deepEqual([0, 9, 10, 24, 34, 35].map(next), [10, 10, 25, 25, 35, Number.POSITIVE_INFINITY]);
});

test("where there are too many sums to list, every whole number up to the largest is one", () => {
  const next = reachableSums([1_000_000, 2_000_000]);
  assert.deepEqual([0, 7, 3_000_000].map(next), [1, 8, Number.POSITIVE_INFINITY]);
});
