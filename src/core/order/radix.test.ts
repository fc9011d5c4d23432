import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { sortPositions } from "./radix.js";

/** What a comparison sort makes of the same keys. */
function sortByComparing(keys: Float64Array, compareEqual: (a: number, b: number) => number): number[] {
  return [...keys.keys()].sort((a, b) => keys[a]! - keys[b]! || compareEqual(a, b));
}

const backwards = (a: number, b: number) => b - a;

test("nothing sorts to nothing", () => {
  assert.deepEqual([...sortPositions(new Float64Array(0), backwards)], []);
});

test("equal keys stand in the order of the comparator", () => {
  for (const n of [3, 500]) {
    const keys = new Float64Array(n).fill(7);
    assert.deepEqual([...sortPositions(keys, backwards)], sortByComparing(keys, backwards));
  }
});

test("the largest whole numbers sort right", () => {
  const keys = Float64Array.from({ length: 400 }, (_, i) => Number.MAX_SAFE_INTEGER - ((i * 7_919) % 400));
  assert.deepEqual([...sortPositions(keys, backwards)], sortByComparing(keys, backwards));
});

const keyLists = fc
  .record({
    size: fc.constantFrom(1, 2, 50, 199, 200, 201, 700),
    largest: fc.constantFrom(1, 3, 2_047, 2_048, 2 ** 31, 2 ** 32, 2 ** 33, 4e12, Number.MAX_SAFE_INTEGER),
  })
  .chain(({ size, largest }) =>
    fc.array(
      fc.maxSafeNat().map((key) => key % (largest + 1)),
      { minLength: size, maxLength: size },
    ),
  );

test("any whole numbers sort as a comparison sort puts them", () => {
  fc.assert(
    fc.property(keyLists, (list) => {
      const keys = Float64Array.from(list);
      assert.deepEqual([...sortPositions(keys, backwards)], sortByComparing(keys, backwards));
    }),
    { seed: 1, numRuns: 120 },
  );
});
