import assert from "node:assert/strict";
import { test } from "node:test";
import { captureRun } from "../captured-run.js";

const fragments = [
  { ukoNode: "a", content: "first" },
  { ukoNode: "b", content: "second" },
];

test("what a request may hold is set as for a server", async () => {
  const stdin = JSON.stringify({ fragments, budget: { maxTokens: 100 } });
  const run = (env: Record<string, string>) => captureRun(["assemble", "-"], { stdin, env });
  assert.equal((await run({ ACMS_MAX_FRAGMENTS: "2" })).code, 0);
  assert.match((await run({ ACMS_MAX_FRAGMENTS: "1" })).stderr, /^RESOURCE_EXHAUSTED: .* 2 fragments; at most 1 /);
  const { code, stderr } = await run({ ACMS_MAX_CONTENT_CHARACTERS: "5" });
  assert.equal(code, 1);
  assert.match(stderr, /^INVALID_ARGUMENT: .*\n {2}fragments\[1\]\.content: /);
  const many = Array.from({ length: 10_001 }, (_, i) => JSON.stringify({ ukoNode: `n${i}`, tokenCount: 1 })).join("\n");
  const args = ["assemble", "-", "--budget", "1", "--trace", "none"];
  const raised = await captureRun(args, { stdin: many, env: { ACMS_MAX_FRAGMENTS: "20000" } });
  assert.deepEqual([raised.code, raised.stderr], [0, ""]);
  const faulty = await run({ ACMS_MAX_FRAGMENTS: "0", ACMS_PORT: "x\u001b" });
  assert.deepEqual([faulty.code, faulty.stdout], [2, ""]);
  assert.match(
    faulty.stderr,
    /^error: the settings have faults:\n {2}ACMS_PORT: "x\\u001b" .*\n {2}ACMS_MAX_FRAGMENTS: 0 came/,
  );
});
