import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { captureRun } from "./captured-run.js";

test("the version is that of the package", async () => {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  assert.deepEqual(await captureRun(["--version"]), { code: 0, stdout: `${version}\n`, stderr: "" });
});

test("help names every command", async () => {
  const { code, stdout } = await captureRun(["--help"]);
  assert.equal(code, 0);
  for (const command of ["serve", "assemble", "fragments", "strategies"]) {
    assert.match(stdout, new RegExp(`^  ${command} `, "m"));
  }
});

test("no command, an unknown one and an unknown flag are wrong use", async () => {
  assert.match((await captureRun([])).stderr, /^Usage: acms/);
  assert.equal((await captureRun([])).code, 2);
  for (const args of [["asemble"], ["--fast"], ["assemble", "--fast", "-"], ["strategies", "recency"]]) {
    const { code, stdout, stderr } = await captureRun(args);
    assert.deepEqual([code, stdout], [2, ""], args.join(" "));
    assert.match(stderr, /^error: (unknown|too many)/);
  }
});

test("help of a command is that command's, and help of none is wrong use", async () => {
  const asked = await captureRun(["help", "assemble"]);
  assert.deepEqual(asked, await captureRun(["assemble", "--help"]));
  assert.equal(asked.code, 0);
  assert.deepEqual(await captureRun(["help"]), await captureRun(["--help"]));
  const { code, stdout, stderr } = await captureRun(["help", "nope\u001b"]);
  assert.deepEqual([code, stdout], [2, ""]);
  assert.match(stderr, /^error: unknown command 'nope\\u\{001b\}'; there are serve, assemble, .*strategies/);
});
