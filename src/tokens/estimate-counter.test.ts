import assert from "node:assert/strict";
import { test } from "node:test";
import { estimateCounter } from "./estimate-counter.js";

const { signal } = new AbortController();

test("the estimate is a quarter of the UTF-16 length, rounded up", () => {
  const texts = ["", "a", "abcd", "abcde", "😀", "😀😀😀"];
  assert.deepEqual(estimateCounter.count(texts, signal), [0, 1, 1, 2, 1, 2]);
});

test("the estimate says that it is one", () => {
  assert.equal(estimateCounter.name, "chars4");
  assert.equal(estimateCounter.estimated, true);
});
