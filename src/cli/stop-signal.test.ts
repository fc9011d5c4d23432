import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import { awaitStopSignal, loadUnlessStopped } from "./stop-signal.js";

test("the first signal is told, and then nobody listens any longer", async () => {
  const signals = new EventEmitter();
  const { came } = awaitStopSignal(signals);
  assert.deepEqual(signals.eventNames(), ["SIGTERM", "SIGINT"]);
  signals.emit("SIGINT", "SIGINT");
  assert.deepEqual(signals.eventNames(), []);
  assert.equal(await came, "SIGINT");
});

test("after a release nobody listens", () => {
  const signals = new EventEmitter();
  awaitStopSignal(signals).release();
  assert.deepEqual(signals.eventNames(), []);
});

test("a signal that comes while a program is loaded ends the process, and a later one does not", async () => {
  const signals = new EventEmitter();
  let ends = 0;
  const loading = loadUnlessStopped(
    awaitStopSignal(signals),
    async () => {
      signals.emit("SIGTERM", "SIGTERM");
      await new Promise(setImmediate);
      return "loaded";
    },
    () => ends++,
  );
  assert.equal(await loading, "loaded");
  assert.equal(ends, 1);
  const later = awaitStopSignal(signals);
  await loadUnlessStopped(
    later,
    async () => "loaded",
    () => ends++,
  );
  signals.emit("SIGTERM", "SIGTERM");
  await later.came;
  await new Promise(setImmediate);
  assert.equal(ends, 1);
});
