import assert from "node:assert/strict";
import { test } from "node:test";
import { noExpressions } from "./core/drafts.fixture.js";
import { instantOfMs } from "./core/index.js";
import { createRun, newId, now } from "./run.js";
import { estimateCounter } from "./tokens/estimate-counter.js";

const create = () =>
  createRun({ signal: new AbortController().signal, counter: estimateCounter, expressions: noExpressions });

/** Holds the thread. */
function holdMs(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

test("ids are ULIDs, each greater than those before it", () => {
  const ids = Array.from({ length: 10_000 }, newId);
  assert.ok(ids.every((id) => /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(id)));
  assert.deepEqual([...ids].sort(), ids);
  assert.equal(new Set(ids).size, ids.length);
});

test("the time is the time of day", () => {
  const before = Date.now();
  const { seconds, nanos } = now();
  const ms = seconds * 1_000 + nanos / 1e6;
  assert.ok(ms >= before && ms <= Date.now());
  assert.deepEqual(now().nanos % 1_000_000, 0);
  assert.deepEqual(instantOfMs(before).seconds, Math.floor(before / 1_000));
});

test("elapsed time never goes back", () => {
  const run = create();
  const first = run.elapsedMs();
  assert.ok(run.elapsedMs() >= first);
});

test("a run that has not held the thread for long goes on at once", () => {
  assert.equal(create().breathe(), undefined);
});

test("a run that has held the thread lets others have a turn", async () => {
  const run = create();
  holdMs(15);
  let turn = false;
  setImmediate(() => {
    turn = true;
  });
  await run.breathe();
  assert.equal(turn, true);
  assert.equal(run.breathe(), undefined, "and begins anew");
});

test("a run without a recorder has one that does nothing", () => {
  assert.deepEqual(create().recorder, {});
});
