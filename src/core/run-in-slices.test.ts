import assert from "node:assert/strict";
import { test } from "node:test";
import { testRun } from "./drafts.fixture.js";
import { ContextError } from "./errors.js";
import { runAtOnce, runInSlices, type Slices } from "./run-in-slices.js";
import { Slice } from "./slice.js";

/** Yields so many times, and counts how often it went on. */
function work(yields: number): { went: number; slices: Slices<string> } {
  const done = { went: 0 };
  function* go(): Slices<string> {
    for (; done.went < yields; done.went++) yield;
    return "done";
  }
  return Object.assign(done, { slices: go() });
}

test("where nothing gives way the answer comes at once", () => {
  let breaths = 0;
  assert.equal(runInSlices(work(3).slices, testRun({ breathe: () => void breaths++ })), "done");
  assert.equal(breaths, 3);
  assert.equal(runAtOnce(work(3).slices), "done");
});

test("after a pause it goes on where it was", async () => {
  const { slices } = work(3);
  assert.equal(await runInSlices(slices, testRun({ breathe: () => Promise.resolve() })), "done");
});

test("an abort that comes in a pause ends the work", async () => {
  const controller = new AbortController();
  const gone = new ContextError("CANCELLED", "gone");
  const given = work(10);
  let breaths = 0;
  const breathe = async () => {
    if (++breaths === 4) controller.abort(gone);
  };
  const run = testRun({ signal: controller.signal, breathe });
  await assert.rejects(async () => runInSlices(given.slices, run), gone);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(given.went, 3);
});

test("a slice is over after thousands of looks, or hundreds of steps of a walk", () => {
  const looks = new Slice();
  assert.equal(Array.from({ length: 40_960 }, () => looks.isOver()).filter(Boolean).length, 10);
  const walks = { walked: 7 };
  const linked = new Slice(walks);
  let over = 0;
  for (let i = 0; i < 4_096; i++) {
    walks.walked++;
    if (linked.isOver()) over++;
  }
  assert.equal(over, 8);
});
