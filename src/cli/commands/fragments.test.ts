import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { parseProtoJson } from "../../proto-json/index.js";
import { runCommand } from "../io.js";
import { fragmentsCommand } from "./fragments.js";

async function run(...args: string[]) {
  const io = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough(), env: {} };
  const output = Promise.all([text(io.stdout), text(io.stderr)]);
  const code = await runCommand(fragmentsCommand(io), args, io);
  io.stdout.end();
  io.stderr.end();
  const [stdout, stderr] = await output;
  return { code, stdout, stderr };
}

function exampleFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "acms-command-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "README.md"), "# Foxes\nThey jump.\n");
  writeFileSync(join(folder, "src", "fox.ts"), "export const fox = 1;\n");
  return folder;
}

test("a folder becomes JSON lines of ContextFragment, by default the full texts", async (t) => {
  const folder = exampleFolder(t);
  const { code, stdout, stderr } = await run(folder);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  const lines = stdout.trimEnd().split("\n");
  for (const line of lines) {
    parseProtoJson("acms.v1.ContextFragment", line);
  }
  const fragments = lines.map((line) => JSON.parse(line));
  assert.deepEqual(
    fragments.map(({ ukoNode, detailDepth }) => [ukoNode, detailDepth]),
    ["README.md", "src/fox.ts"].map((path) => [`project://${basename(folder)}/${path}`, 9]),
  );
  assert.equal(fragments[0].relevanceScore, undefined);
});

test("depths and a query are taken", async (t) => {
  const { code, stdout } = await run(exampleFolder(t), "--depths", "2,0", "--query", "fox");
  assert.equal(code, 0);
  const fragments = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    fragments.map(({ fragmentId }) => fragmentId),
    ["README.md@0", "README.md@2", "src/fox.ts@0", "src/fox.ts@2"],
  );
  assert.equal(fragments[3].relevanceScore, 1);
});

test("an empty folder has no fragments", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "acms-command-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  assert.deepEqual(await run(folder, "--query", "fox"), { code: 0, stdout: "", stderr: "" });
});

test("what is skipped is reported on stderr", async (t) => {
  const folder = exampleFolder(t);
  writeFileSync(join(folder, "long.txt"), "a".repeat(1_000_001));
  writeFileSync(join(folder, "image.png"), Uint8Array.of(0, 1, 2));
  const { code, stderr } = await run(folder);
  assert.equal(code, 0);
  assert.equal(stderr, "skipped long.txt: too long (at most 1,000,000 characters)\nskipped without text: 1 binary\n");
});

test("wrong use has exit code 2 and says what is allowed", async (t) => {
  const folder = exampleFolder(t);
  const cases: [string[], RegExp][] = [
    [[join(folder, "nothing")], /no folder ".*nothing" exists/],
    [[join(folder, "README.md")], /README.md" is a file, but must be a folder/],
    [[], /missing required argument 'dir'/],
    [[folder, "other"], /too many arguments/],
    [[folder, "--depths", "0,5"], /"5" is not a depth. Allowed are 0, 2, 9/],
    [[folder, "--depths", "9,"], /"" is not a depth/],
    [[folder, "--depths", "09"], /"09" is not a depth/],
    [[folder, "--depths", "2,9,2"], /2 comes twice/],
    [[folder, "--query", " "], /must not be blank/],
    [[folder, "--deep"], /unknown option '--deep'/],
  ];
  for (const [args, message] of cases) {
    await t.test(args.slice(1).join(" ") || "folder", async () => {
      const { code, stdout, stderr } = await run(...args);
      assert.equal(code, 2);
      assert.equal(stdout, "");
      assert.match(stderr, message);
    });
  }
});

test("a folder that cannot be read is wrong use, told in a line", async (t) => {
  const long = join(tmpdir(), "a".repeat(300));
  assert.deepEqual(await run(long), {
    code: 2,
    stdout: "",
    stderr: `error: cannot read the folder "${long}": name too long\n`,
  });
  const folder = exampleFolder(t);
  const closed = join(folder, "src");
  chmodSync(folder, 0o755);
  chmodSync(closed, 0o000);
  // Nothing is closed to root.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    assert.deepEqual(await run(closed), {
      code: 2,
      stdout: "",
      stderr: `error: cannot read the folder "${closed}": permission denied\n`,
    });
    const around = await run(folder);
    assert.equal(around.code, 0);
    assert.match(around.stderr, /^skipped src: EACCES/);
  } finally {
    if (isRoot) process.seteuid?.(0);
    chmodSync(closed, 0o755);
  }
});

test("names of what is skipped cannot steer the terminal", async (t) => {
  const folder = exampleFolder(t);
  writeFileSync(join(folder, "\u001b[31m\nlong.txt"), "a".repeat(1_000_001));
  const { stderr } = await run(folder);
  assert.equal(stderr, "skipped \\u{001b}[31m\\u{000a}long.txt: too long (at most 1,000,000 characters)\n");
});
