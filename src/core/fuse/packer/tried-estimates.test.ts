import assert from "node:assert/strict";
import { test } from "node:test";
import { runAtOnce } from "../../run-in-slices.js";
import { type Trials, tryEstimates } from "./tried-estimates.js";

/** What becomes of the estimates of one fragment each, and the further tokens that were tried. */
function tried(estimates: number[], isEnough: (further: number) => boolean, limits: Partial<Trials> = {}) {
  const found = { tokens: Float64Array.from(estimates), estimates: new Set(estimates.keys()) };
  const budgets: number[] = [];
  const trials: Trials = {
    looks: 4,
    plenty: 1_000,
    // biome-ignore lint/correctness/useYield: it answers at once.
    *enters(_, further) {
      budgets.push(further);
      return isEnough(further);
    },
    ...limits,
  };
  runAtOnce(tryEstimates(found, trials));
  return { numbers: [...found.tokens], budgets };
}

test("an estimate that is too high comes down to where fewer tokens are not enough", () => {
  assert.deepEqual(tried([250], (further) => further >= 100).numbers, [100]);
  assert.deepEqual(tried([1], (further) => further >= 1).numbers, [1]);
});

test("one that is too low goes up", () => {
  assert.deepEqual(tried([5], (further) => further >= 550).numbers, [550]);
  assert.deepEqual(tried([5], (further) => further >= 1_000).numbers, [1_000]);
});

test("one that no trial bears out stays", () => {
  const { numbers, budgets } = tried([5], () => false);
  assert.deepEqual(numbers, [5]);
  assert.equal(budgets.at(-1), 1_000);
});

test("a number was seen to be enough, and one fewer was not, though other numbers may do as well", () => {
  const isEnough = (further: number): boolean => (further >= 10 && further < 20) || further >= 50;
  const [number] = tried([64], isEnough).numbers;
  assert.ok(isEnough(number!) && !isEnough(number! - 1), `${number}`);
});

test("with too much to do nothing is tried", () => {
  const { numbers, budgets } = tried([250, 250], () => true, { looks: 2_000 });
  assert.deepEqual({ numbers, budgets }, { numbers: [250, 250], budgets: [] });
});

test("where the trials have to end every estimate stays as it was", () => {
  let trials = 0;
  const enters = function* (_: number, further: number) {
    yield;
    return ++trials > 20 ? undefined : further >= 100;
  };
  assert.deepEqual(tried([250, 251, 252], () => true, { enters }).numbers, [250, 251, 252]);
});

test("what has no number gets none", () => {
  assert.deepEqual(tried([-1, 8], () => true).numbers, [-1, 1]);
});
