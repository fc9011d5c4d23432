import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

test("the demo shows six assemblies of this repository and stops its server", async () => {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const demo = fileURLToPath(new URL("demo.ts", import.meta.url));
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["--import", "tsx", demo], { cwd: root });
  assert.equal(stderr, "");
  assert.match(stdout, /^A server listens on 127\.0\.0\.1:\d+\.\nThis repository: [\d,]+ files, /);
  assert.equal(stdout.match(/^── (?:relevance|recency), [\d,]+ tokens: answered in /gm)?.length, 6);
  assert.match(stdout, /\nThe server has stopped\.\n$/);
});
