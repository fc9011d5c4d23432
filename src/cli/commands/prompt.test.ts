import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { devNull, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { type TestContext, test } from "node:test";
import { pino } from "pino";
import { createApp } from "../../app.js";
import { startServer } from "../../grpc/server.js";
import { parseProtoJson } from "../../proto-json/index.js";
import { captureRun } from "../captured-run.js";

/** A folder with files, and the path of each name in it. */
function folderWith(t: TestContext, files: Readonly<Record<string, string>>): (name: string) => string {
  const folder = mkdtempSync(join(tmpdir(), "acms-prompt-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const pathOf = (name: string): string => join(folder, name);
  for (const [name, text] of Object.entries(files)) writeFileSync(pathOf(name), text);
  return pathOf;
}

const files = {
  "task.md": "Judge the plan.",
  "roadmap.md": "Ship in May.",
  "project.md": "A budgeter.",
  "a.md": "Cut the ends.",
  "b.md": "Keep the rest.",
  "context.md": "We spoke.",
  "research.md": "We read.",
  "requirements.md": "It must fit.",
};

test("files make a prompt, and the report goes to the standard error", async (t) => {
  const pathOf = folderWith(t, files);
  const named = ["requirements", "research", "context", "project", "roadmap"].flatMap((name) => [
    `--${name}`,
    pathOf(`${name}.md`),
  ]);
  const plans = ["--plan", pathOf("a.md"), "--plan", pathOf("b.md")];
  const { code, stdout, stderr } = await captureRun([
    "prompt",
    "--budget",
    "1000",
    ...named,
    ...plans,
    "--instructions",
    pathOf("task.md"),
  ]);
  assert.equal(code, 0);
  assert.equal(
    stdout,
    "Judge the plan.\n\n## Roadmap\n\nShip in May.\n\n## Project\n\nA budgeter.\n\n## Plans\n\n### a.md\n\nCut the ends." +
      "\n\n### b.md\n\nKeep the rest.\n\n## Context\n\nWe spoke.\n\n## Research\n\nWe read.\n\n## Requirements\n\nIt must fit.",
  );
  parseProtoJson("acms.v1.PromptReport", stderr);
  const { effectiveBudget, estimatedTokens, omitted, hardFailed } = JSON.parse(stderr);
  assert.deepEqual(
    [effectiveBudget, estimatedTokens, omitted, hardFailed],
    [900, Math.ceil(stdout.length / 4), [], false],
  );
});

test("prompt and report go to files where they are named", async (t) => {
  const pathOf = folderWith(t, { ...files, "context.md": "c".repeat(4_000) });
  const output = ["--out", pathOf("prompt.txt"), "--metadata", pathOf("report.json")];
  const input = ["--instructions", pathOf("task.md"), "--context", pathOf("context.md")];
  const run = await captureRun(["prompt", "--budget", "200", "--margin", "0", ...input, ...output]);
  assert.deepEqual(run, { code: 0, stdout: "", stderr: "" });
  assert.match(readFileSync(pathOf("prompt.txt"), "utf8"), /^Judge the plan\.\n\nNote: .*context left out\.$/);
  const report = JSON.parse(readFileSync(pathOf("report.json"), "utf8"));
  assert.deepEqual([report.effectiveBudget, report.omitted, report.noteInjected], [200, ["context"], true]);
});

test("where no prompt fits the exit code is 3, the prompt is empty, and the report has the figures", async (t) => {
  const pathOf = folderWith(t, { "task.md": "i".repeat(800), "prompt.txt": "an older one" });
  const args = ["prompt", "--budget", "50", "--instructions", pathOf("task.md")];
  const { code, stdout, stderr } = await captureRun(args);
  assert.deepEqual([code, stdout], [3, ""]);
  const { hardFailed, failedLimit, estimatedTokens } = JSON.parse(stderr);
  assert.deepEqual([hardFailed, failedLimit, estimatedTokens], [true, "minimum", 200]);
  assert.equal((await captureRun([...args, "--out", pathOf("prompt.txt")])).code, 3);
  assert.equal(readFileSync(pathOf("prompt.txt"), "utf8"), "");
});

test("any sections are laid out as they are named, each with its policy", async (t) => {
  const pathOf = folderWith(t, {
    "log.txt": "one\ntwo\nthree\n".repeat(30),
    "notes.md": "n".repeat(400),
    "x.md": "x".repeat(400),
    "y.md": "y".repeat(400),
  });
  const section = (text: string): string[] => ["--section", text];
  const { code, stdout } = await captureRun(
    [
      ...["prompt", "--layout", "plain", "--budget", "180", "--margin", "0"],
      ...section(`log=${pathOf("log.txt")}:head-lines=2`),
      ...section("task=-:keep"),
      ...section(`docs=${pathOf("x.md")}:shorten=150`),
      ...section(`docs=${pathOf("y.md")}`),
      ...section(`notes=${pathOf("notes.md")}:drop`),
    ],
    { stdin: "Answer." },
  );
  assert.equal(code, 0);
  const [note, ...pieces] = stdout.split("\n\n");
  assert.equal(
    note,
    "Note: this prompt was cut to fit its token budget: notes left out, docs shortened, log cut to 2 lines.",
  );
  const [log, task, ...docs] = pieces;
  assert.deepEqual([log, task], ["one\ntwo", "Answer."]);
  assert.deepEqual(docs, ["### x.md", docs[1], "### y.md", docs[3]]);
  assert.match(docs[1]!, /^x{150,399}$/);
  assert.match(docs[3]!, /^y{150,399}$/);
});

test("a file that the process gives is read to the letter", async () => {
  const stdin = "a\r\nb\n\n";
  const { stdout } = await captureRun(["prompt", "--budget", "100", "--instructions", "-"], { stdin });
  assert.equal(stdout, stdin);
});

test("a refused request has exit code 1 and every violation", async () => {
  const args = ["prompt", "--budget", "0", "--margin", "101", "--layout", "wide", "--section", "log=-:head-lines=0"];
  const { code, stdout, stderr } = await captureRun(args, { stdin: "text" });
  assert.deepEqual([code, stdout], [1, ""]);
  const [title, ...faults] = stderr.trimEnd().split("\n");
  assert.equal(title, "INVALID_ARGUMENT: the request is refused");
  assert.deepEqual(
    faults.map((fault) => fault.trim().split(":")[0]),
    ["layout", "sections[0].policy.head_lines.lines", "budget", "margin_percent"],
  );
  assert.match(stderr, /layout: is "wide"; allowed are review, plain/);
});

test("wrong use has exit code 2", async (t) => {
  const cases: [string[], RegExp][] = [
    [[], /required option '--budget <tokens>' not specified/],
    [["--budget", "many"], /whole number/],
    [["--budget", "9", "--margin", "1.5"], /whole number/],
    [["--budget", "9", "--section", "file.md"], /It must be NAME=FILE/],
    [["--budget", "9", "--context", "/nowhere/a.md"], /^error: cannot read "\/nowhere\/a\.md": ENOENT/],
    [
      ["--budget", "9", "--section", "a=/nowhere/a.md:dorp"],
      /^error: cannot read "\/nowhere\/a\.md:dorp".*\nIf ":dorp" is to say what may be done to it: :keep, :drop, :head-lines=N or :shorten=N\.\n$/,
    ],
    [
      ["--budget", "100"],
      /^error: there is nothing to make a prompt of; --instructions, .* and --section name files\n$/,
    ],
    [["--budget", "9", "--context", "-", "--research", "-"], /can be one file only/],
    [
      ["--budget", "9", "--context", "-", "--out", "/nowhere/prompt.txt"],
      /^error: cannot write "\/nowhere\/prompt\.txt"/,
    ],
    [["--budget", "9", "--server", "here"], /HOST:PORT/],
    [["--budget", "9", "context.md"], /too many arguments/],
  ];
  for (const [args, message] of cases) {
    await t.test(args.join(" "), async () => {
      const { code, stdout, stderr } = await captureRun(["prompt", ...args], { stdin: "text" });
      assert.deepEqual([code, stdout], [2, ""]);
      assert.match(stderr, message);
    });
  }
});

test("each file has one part to play", async (t) => {
  const pathOf = folderWith(t, { "a.md": "text", "old.txt": "old" });
  symlinkSync(pathOf("a.md"), pathOf("link.md"));
  symlinkSync(pathOf("."), pathOf("folder"));
  const input = ["--context", pathOf("a.md")];
  const cases: [string[], string, string][] = [
    [["--out", pathOf("p"), "--metadata", pathOf("p")], "--out", "--metadata"],
    [["--out", pathOf("p"), "--metadata", pathOf("folder/p")], "--out", "--metadata"],
    [["--out", pathOf("old.txt"), "--metadata", relative(".", pathOf("old.txt"))], "--out", "--metadata"],
    [["--out", pathOf("a.md")], "--out", "the section context"],
    [["--metadata", pathOf("link.md")], "--metadata", "the section context"],
  ];
  for (const [output, one, other] of cases) {
    const { code, stdout, stderr } = await captureRun(["prompt", "--budget", "100", ...input, ...output]);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, new RegExp(`^error: ${one} ".*" and ${other} ".*" are one file; each needs its own\\n$`));
  }
  assert.equal(existsSync(pathOf("p")), false);
  assert.deepEqual([readFileSync(pathOf("a.md"), "utf8"), readFileSync(pathOf("old.txt"), "utf8")], ["text", "old"]);
  const nowhere = await captureRun(["prompt", "--budget", "100", ...input, "--out", devNull, "--metadata", devNull]);
  assert.deepEqual(nowhere, { code: 0, stdout: "", stderr: "" });
});

test("a server gives the same answer and refuses alike", async (t) => {
  const server = await startServer(
    createApp(),
    { host: "127.0.0.1", port: 0, maxReceiveBytes: 16_777_216, maxConcurrentCalls: 4, shutdownGraceMs: 1_000 },
    pino({ level: "silent" }),
  );
  t.after(() => server.stop());
  const stdin = "word ".repeat(500);
  for (const [code, ...args] of [
    [0, "--budget", "1000", "--instructions", "-"],
    [0, "--budget", "400", "--plan", "-"],
    [3, "--budget", "40", "--instructions", "-"],
    [1, "--budget", "0", "--section", "x=-"],
  ] as const) {
    const here = await captureRun(["prompt", ...args], { stdin });
    assert.equal(here.code, code);
    assert.deepEqual(await captureRun(["prompt", ...args, "--server", server.address], { stdin }), here);
  }
});
