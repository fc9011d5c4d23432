import assert from "node:assert/strict";
import { test } from "node:test";
import { ThreadPool } from "./thread-pool.js";

const never = new AbortController().signal;

/** A pool whose threads answer a task by running it as code; the code sees `count`, how many tasks the thread has had before. */
function poolOf(size: number, beforeReady = ""): ThreadPool {
  const script = `import { parentPort } from "node:worker_threads";
    ${beforeReady}
    let count = 0;
    parentPort.on("message", (code) => parentPort.postMessage(new Function("count", code)(count++)));
    parentPort.postMessage("ready");`;
  const url = new URL(`data:text/javascript,${encodeURIComponent(script)}`);
  return new ThreadPool({ url, options: { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 32 } } }, size);
}

test("a thread does one task after the other", async () => {
  const pool = poolOf(1);
  const results = await Promise.all(
    ["return count", "return count", "return count"].map((code) => pool.run(code, 10_000, never)),
  );
  await pool.close();
  assert.deepEqual(results, [{ answer: 0 }, { answer: 1 }, { answer: 2 }]);
});

test("a task that takes too long ends its thread, and the next gets another", async () => {
  const pool = poolOf(1);
  assert.deepEqual(await pool.run("for (;;);", 50, never), { broke: "time" });
  assert.deepEqual(await pool.run("return count", 10_000, never), { answer: 0 });
  await pool.close();
});

test("a task that eats memory ends its thread, and the next gets another", async () => {
  const pool = poolOf(1);
  const eat = "const all = []; for (;;) all.push(new Array(1000).fill(all.length));";
  assert.deepEqual(await pool.run(eat, 60_000, never), { broke: "memory" });
  assert.deepEqual(await pool.run("return count", 10_000, never), { answer: 0 });
  await pool.close();
});

test("a task that throws, or ends the thread, fails with that", async () => {
  const pool = poolOf(1);
  await assert.rejects(pool.run("throw new Error('broken')", 10_000, never), /broken/);
  await assert.rejects(pool.run("process.exit()", 10_000, never), /the worker has ended/);
  assert.deepEqual(await pool.run("return count", 10_000, never), { answer: 0 });
  await pool.close();
});

test("where threads cannot start, tasks fail with the reason, and later ones try again", async () => {
  const pool = poolOf(2, "throw new Error('no script');");
  await assert.rejects(pool.run("return 1", 10_000, never), /no script/);
  await assert.rejects(pool.run("return 1", 10_000, never), /no script/);
  await assert.rejects(pool.start(), /no script/);
  await pool.close();
});

test("a task that is given up while it waits is never done", async () => {
  const pool = poolOf(1);
  const giveUp = new AbortController();
  const first = pool.run("const end = Date.now() + 200; while (Date.now() < end); return count", 10_000, never);
  const second = pool.run("return count", 10_000, giveUp.signal);
  giveUp.abort(new Error("given up"));
  await assert.rejects(second, /given up/);
  assert.deepEqual(await first, { answer: 0 });
  assert.deepEqual(await pool.run("return count", 10_000, never), { answer: 1 });
  await pool.close();
});

test("an answer that has come in time counts, however busy this thread is", async () => {
  const pool = poolOf(1);
  await pool.start();
  const result = pool.run("return count", 1_500, never);
  await new Promise((resolve) => setImmediate(resolve));
  const end = performance.now() + 2_000;
  while (performance.now() < end);
  assert.deepEqual(await result, { answer: 0 });
  await pool.close();
});
