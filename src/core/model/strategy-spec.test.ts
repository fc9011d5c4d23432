import assert from "node:assert/strict";
import { test } from "node:test";
import { createFaults } from "./faults.js";
import { MAX_STRATEGIES, readStrategySpecs, type StrategySpecDraft } from "./strategy-spec.js";

function read(...drafts: StrategySpecDraft[]) {
  const faults = createFaults();
  return { specs: readStrategySpecs(drafts, faults), found: faults.found };
}

test("no strategies are none, and no fault", () => {
  assert.deepEqual(read(), { specs: [], found: [] });
});

test("a strategy without a confidence has its own, and 0 is a confidence", () => {
  const { specs, found } = read({ name: "a" }, { name: "b", confidence: 0 });
  assert.deepEqual(found, []);
  assert.deepEqual(specs, [
    { name: "a", confidence: undefined, config: undefined },
    { name: "b", confidence: 0, config: undefined },
  ]);
});

test("any finite confidence from 0 is allowed, a tiny and a huge one too", () => {
  assert.deepEqual(read({ name: "a", confidence: 5e-324 }, { name: "b", confidence: 1.7e308 }).found, []);
});

test("a confidence below 0 or not finite is a fault with its path", () => {
  const confidences = [-0.1, Number.NaN, Number.POSITIVE_INFINITY];
  for (const confidence of confidences) {
    assert.deepEqual(read({ name: "ok" }, { name: "a", confidence }).found, [
      { field: "strategies[1].confidence", description: `is ${confidence}; allowed are finite numbers from 0.0` },
    ]);
  }
});

test("a name that stands twice is a fault at its second place", () => {
  assert.deepEqual(read({ name: "a" }, { name: "b" }, { name: "a" }).found, [
    { field: "strategies[2].name", description: 'is "a", as strategies[0] is; each name may stand once' },
  ]);
});

test("a name has 1 to 128 characters", () => {
  assert.equal(read({ name: "" }).found[0]?.field, "strategies[0].name");
  assert.equal(read({ name: "n".repeat(129) }).found[0]?.field, "strategies[0].name");
  assert.deepEqual(read({ name: "n".repeat(128) }).found, []);
});

test("the length of a name counts code points", () => {
  assert.deepEqual(read({ name: "😀".repeat(128) }).found, []);
});

test("16 strategies are allowed and 17 are not", () => {
  const named = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `s${i}` }));
  assert.deepEqual(read(...named(MAX_STRATEGIES)).found, []);
  assert.deepEqual(read(...named(MAX_STRATEGIES + 1)).found, [
    { field: "strategies", description: "has 17 entries; at most 16 are allowed" },
  ]);
});
