import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { shortenParts } from "./shorten.js";

const partsOf = (lengths: readonly number[]) =>
  lengths.map((length, i) => ({ label: `${i}`, content: "x".repeat(length) }));

function lengthsAfter(lengths: readonly number[], floor: number, room: number): number[] {
  return shortenParts(partsOf(lengths), floor, room).map(({ content }) => content.length);
}

/** The rule word by word: share out, hold what falls below the floor, and share again what remains. */
function sharedByRule(lengths: readonly number[], floor: number, room: number): number[] {
  if (lengths.reduce((a, b) => a + b, 0) <= room) return [...lengths];
  const held = new Map<number, number>();
  for (;;) {
    const free = lengths.map((_, i) => i).filter((i) => !held.has(i));
    const total = free.reduce((sum, i) => sum + lengths[i]!, 0);
    const left = room - [...held.values()].reduce((a, b) => a + b, 0);
    const share = (i: number): number => Math.floor((left * lengths[i]!) / total);
    const below = free.filter((i) => share(i) < floor);
    if (below.length === 0) return lengths.map((_, i) => held.get(i) ?? share(i));
    for (const i of below) held.set(i, Math.min(lengths[i]!, floor));
  }
}

test("parts that have room stay as they are", () => {
  assert.deepEqual(lengthsAfter([5, 10], 2, 15), [5, 10]);
});

test("shares are in proportion, and their fractions go", () => {
  assert.deepEqual(lengthsAfter([100, 200, 300], 1, 100), [16, 33, 50]);
});

test("a part held at the floor leaves the proportion to the rest", () => {
  assert.deepEqual(lengthsAfter([1_100, 9_000], 1_024, 4_000), [1_024, 2_976]);
  assert.deepEqual(lengthsAfter([9_000, 500, 1_500], 1_024, 4_000), [2_476, 500, 1_024]);
});

test("holding one may bring another down to the floor", () => {
  // By the first shares alone, 250 of 400 would not be held.
  assert.deepEqual(lengthsAfter([100, 150, 400, 1_000], 100, 440), [100, 100, 100, 140]);
});

test("without enough room every part is held at the floor", () => {
  assert.deepEqual(lengthsAfter([1_024, 1_025, 5_000], 1_024, 3_000), [1_024, 1_024, 1_024]);
  assert.deepEqual(lengthsAfter([10, 20], 5, -100), [5, 5]);
});

test("a floor of none lets parts go down to nothing, and they stay", () => {
  assert.deepEqual(lengthsAfter([10, 20], 0, 0), [0, 0]);
  assert.deepEqual(lengthsAfter([10, 20], 0, -1), [0, 0]);
});

test("equal parts have equal shares", () => {
  assert.deepEqual(lengthsAfter([7, 7, 7], 1, 11), [3, 3, 3]);
});

test("one pass gives what the rule gives, for any lengths", () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(lengths, fc.nat(120), fc.integer({ min: -50, max: 1_500 }), (given, floor, room) => {
      assert.deepEqual(lengthsAfter(given, floor, room), sharedByRule(given, floor, room));
    }),
    { seed: 7, numRuns: 3_000 },
  );
});
