/** Trials of missing tokens under a packer for value, and what bounds them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fragmentsOf, scored, testRun } from "../../../drafts.fixture.js";
import { runAtOnce } from "../../../run-in-slices.js";
import { packingInputOf } from "../../packing.fixture.js";
import type { Packing } from "../../packing.js";
import { createOptimal } from "../optimal.js";
import { book } from "./outcome.js";
import { readPool } from "./pool.js";
import { type Repacked, valueShortfalls } from "./shortfalls.js";
import { openTask, solveTask } from "./task.js";

// Of 300 tokens the best set is B and C, worth .95; from 400 on A and B are worth more.
const fragments = fragmentsOf(scored("A", 0.7, 250), scored("B", 0.5, 150), scored("C", 0.45, 150));
const scores = Float64Array.from(fragments, ({ relevanceScore }) => relevanceScore);
const input = packingInputOf(fragments, 300, { scores });

/** What A lacks, and how often it was packed again, where a packing takes so many steps. */
function lackingWith(stepsOfOne: number): { further: number; trials: number } {
  const pool = readPool(input, {});
  const { compiled } = runAtOnce(openTask(pool));
  const solution = runAtOnce(solveTask(runAtOnce(openTask(pool)), 300, { steps: 1_000 }));
  const ledger = runAtOnce(book(pool, compiled, solution, 300));
  let trials = 0;
  const repack = function* (tokens: number): Generator<void, Repacked> {
    yield;
    trials++;
    return { chosenBy: Uint8Array.of(tokens >= 400 ? 1 : 0, 1, 1), steps: stepsOfOne };
  };
  const { tokens } = runAtOnce(
    valueShortfalls({ pool, compiled, ledger, unreachable: new Map(), isBest: true, repack }),
  );
  return { further: tokens[0]!, trials };
}

test("what a small pool lacks is found by packing again", () => {
  const packed = createOptimal({}).pack(input, testRun()) as Packing;
  assert.deepEqual([...packed.chosenBy], [0, 1, 1]);
  const { tokens, estimates } = runAtOnce(packed.shortfalls!());
  assert.equal(tokens[0], 100);
  assert.equal(estimates.has(0), false);
});

test("packing again ends once it has taken too many steps, and the estimate stays", () => {
  const tried = lackingWith(10);
  assert.equal(tried.further, 100);
  assert.equal(tried.trials, 2);
  const ended = lackingWith(60_000);
  assert.ok(ended.further > 100);
  assert.equal(ended.trials, 2);
});
