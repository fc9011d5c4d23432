import assert from "node:assert/strict";
import { test } from "node:test";
import { CallStats } from "./call-stats.js";

test("calls and failures are counted, and the last durations have percentiles", () => {
  const stats = new CallStats();
  assert.equal(stats.latencyMs(0.5), undefined);
  for (let ms = 1; ms <= 100; ms++) stats.add(ms, ms % 10 === 0);
  assert.deepEqual([stats.calls, stats.failures, stats.latencyMs(0.5), stats.latencyMs(0.95)], [100, 10, 51, 96]);
});

test("only the last calls are remembered", () => {
  const stats = new CallStats();
  for (let i = 0; i < 1_000; i++) stats.add(1_000, false);
  for (let i = 0; i < 256; i++) stats.add(1, false);
  assert.equal(stats.latencyMs(1), 1);
  assert.equal(stats.calls, 1_256);
});
