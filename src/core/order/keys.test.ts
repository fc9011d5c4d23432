import assert from "node:assert/strict";
import { test } from "node:test";
import { highestFirst, newestFirst, SCORE_KEYS } from "./keys.js";

test("a higher score has the smaller key", () => {
  assert.equal(highestFirst(1), 0);
  assert.ok(highestFirst(0.9) < highestFirst(0.8));
  assert.ok(highestFirst(0) < SCORE_KEYS);
});

test("scores that are equal to twelve decimals have equal keys", () => {
  assert.equal(highestFirst(0.7), highestFirst(0.7000000000000001));
  assert.equal(highestFirst(0.1 + 0.2), highestFirst(0.3));
  assert.notEqual(highestFirst(0.7), highestFirst(0.700000000001));
});

test("a newer instant has the smaller key, over the whole range of years", () => {
  const instants = [
    { seconds: 253_402_300_799, nanos: 999_999_999 },
    { seconds: 1, nanos: 2_000_000 },
    { seconds: 1, nanos: 1_000_000 },
    { seconds: 0, nanos: 0 },
    { seconds: -1, nanos: 999_000_000 },
    { seconds: -62_135_596_800, nanos: 0 },
  ];
  const keys = instants.map(newestFirst);
  assert.deepEqual(
    keys,
    [...keys].sort((a, b) => a - b),
  );
  assert.ok(keys.every((key) => Number.isSafeInteger(key) && key >= 0));
  assert.equal(new Set(keys).size, keys.length);
});

test("instants within one millisecond have equal keys", () => {
  assert.equal(newestFirst({ seconds: 1, nanos: 1 }), newestFirst({ seconds: 1, nanos: 999_999 }));
});
