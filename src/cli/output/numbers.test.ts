import assert from "node:assert/strict";
import { test } from "node:test";
import { count, countOf, percent } from "./numbers.js";

test("thousands stand apart", () => {
  assert.equal(count(1_234_567), "1,234,567");
  assert.equal(countOf(1, "file"), "1 file");
  assert.equal(countOf(2_000, "file"), "2,000 files");
});

test("only all is 100 per cent, and only nothing is 0", () => {
  assert.deepEqual([0, 0.00001, 0.4567, 0.99999, 1].map(percent), ["0.0%", "0.1%", "45.7%", "99.9%", "100.0%"]);
});
