import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { parseProtoJson } from "../../proto-json/index.js";
import { captureRun } from "../captured-run.js";
import { spawnAcms } from "../spawned-run.js";

const example = {
  planId: "01JQTESTPN00000000000000AA",
  fragments: [
    { fragmentId: "a", ukoNode: "project://app/a", content: "first", tokenCount: 60, relevanceScore: 0.9 },
    { fragmentId: "b", ukoNode: "project://app/b", content: "second", tokenCount: 40, relevanceScore: 0.2 },
  ],
  budget: { maxTokens: 60 },
};
const lines = example.fragments.map((fragment) => JSON.stringify(fragment)).join("\n");

async function assemble(input: unknown, ...args: string[]) {
  return captureRun(["assemble", "-", ...args], { stdin: typeof input === "string" ? input : JSON.stringify(input) });
}

async function payloadOf(input: unknown, ...args: string[]) {
  const { code, stdout, stderr } = await assemble(input, ...args);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  return JSON.parse(stdout).payload;
}

function exampleFile(t: TestContext, content: string | Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), "acms-assemble-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "request.json");
  writeFileSync(file, content);
  return file;
}

test("a request in ProtoJSON is answered in ProtoJSON, zeros and all", async (t) => {
  const { code, stdout } = await captureRun(["assemble", exampleFile(t, JSON.stringify(example))]);
  assert.equal(code, 0);
  parseProtoJson("acms.v1.AssembleResponse", stdout);
  const { payload } = JSON.parse(stdout);
  assert.equal(payload.planId, example.planId);
  assert.equal(payload.totalTokens, 60);
  assert.equal(payload.remainingTokens, 0);
  assert.equal(payload.withinBudget, true);
  assert.deepEqual(payload.warnings, []);
  assert.deepEqual(
    payload.decisions.map(({ fragmentId, reason, tokensMissing }: Record<string, unknown>) => [
      fragmentId,
      reason,
      tokensMissing,
    ]),
    [["b", "REASON_OVER_BUDGET", 40]],
  );
});

test("with a budget, fragments are read as JSON lines", async () => {
  const { fragments, budget } = await payloadOf(lines, "--budget", "90", "--reserved", "40");
  assert.deepEqual(
    fragments.map(({ fragmentId }: { fragmentId: string }) => fragmentId),
    ["b"],
  );
  assert.deepEqual(budget, { maxTokens: 90, reservedTokens: 40, sections: [] });
});

test("what a flag says replaces what the request says", async () => {
  const request = { ...example, budget: { maxTokens: 60, reservedTokens: 10 }, strategies: [{ name: "tiered" }] };
  const other = "01JQTESTPN00000000000000BB";
  const flags = ["--budget", "110", "--strategy", "recency", "--strategy", "relevance", "--trace", "full"];
  const payload = await payloadOf(request, ...flags, "--plan-id", other);
  assert.deepEqual(payload.budget, { maxTokens: 110, reservedTokens: 10, sections: [] });
  assert.equal(payload.planId, other);
  assert.equal(payload.decisions.length, 2);
  assert.deepEqual([...payload.strategiesUsed].sort(), ["recency", "relevance"]);
});

test("text is for people, and the default on a terminal", async () => {
  const asked = await assemble(example, "--format", "text");
  assert.match(
    asked.stdout,
    /^60 of 60 tokens {2}100\.0%\n█{80}\n█ kept 60\nvalue .*\n\nKept 1 of 2 {2}by relevance\n/,
  );
  const stdin = JSON.stringify(example);
  const terminal = await captureRun(["assemble", "-"], { stdin, columns: 50, env: { NO_COLOR: "1" } });
  assert.match(terminal.stdout, /^60 of 60 tokens {2}100\.0%\n█{50}\n/);
  const colours = await captureRun(["assemble", "-"], { stdin, columns: 50 });
  assert.ok(colours.stdout.startsWith("\u001b[1m60 of 60 tokens\u001b[0m"));
  const json = await captureRun(["assemble", "-", "--format", "json"], { stdin, columns: 50 });
  assert.equal(JSON.parse(json.stdout).payload.totalTokens, 60);
});

test("a packing for value says how good it is, in text", async () => {
  const { stdout } = await assemble(example, "--packer", "optimal", "--format", "text");
  assert.match(stdout, /\n█ kept 60\nvalue 0\.900 of at most 0\.900 \(gap 0\.0%, proven the greatest\)\n\nKept 1 of 2/);
});

test("the story of one fragment is text even where nobody reads it, and its decision as json", async () => {
  const { code, stdout } = await assemble(example, "--explain", "b", "--trace", "none");
  assert.equal(code, 0);
  assert.match(stdout, /^b {2}dropped: over budget\n.*\n {2}Raise max_tokens by 40, to 100\.\n {2}Pin it\.\n$/s);
  const json = await assemble(example, "--explain", "#1", "--format", "json");
  parseProtoJson("acms.v1.Decision", json.stdout);
  const { fragmentId, reason, tokensMissing } = JSON.parse(json.stdout);
  assert.deepEqual([fragmentId, reason, tokensMissing], ["b", "REASON_OVER_BUDGET", 40]);
});

test("the story of what does not exist, or of what is refused, is none", async () => {
  const unknown = await assemble(example, "--explain", "bb");
  assert.deepEqual([unknown.code, unknown.stdout], [1, ""]);
  assert.match(
    unknown.stderr,
    /^error: no fragment is "bb"; the nearest ids are "b", "a"; #0 to #1 name them by place\n$/,
  );
  const refused = await assemble({ ...example, budget: { maxTokens: 0 } }, "--explain", "b");
  assert.deepEqual([refused.code, refused.stdout], [1, ""]);
  assert.match(refused.stderr, /^INVALID_ARGUMENT: .*\n {2}budget\.max_tokens: is 0/);
});

test("lists are limited unless all are wanted", async () => {
  const many = Array.from({ length: 12 }, (_, i) => JSON.stringify({ ukoNode: `n${i}`, tokenCount: 1 })).join("\n");
  const some = await assemble(many, "--budget", "12", "--format", "text");
  assert.match(some.stdout, / and 2 more, 2 tokens\n/);
  const all = await assemble(many, "--budget", "12", "--format", "text", "--all");
  assert.doesNotMatch(all.stdout, / more/);
});

test("a refused request has exit code 1, its status, and every violation with its path", async () => {
  const bad = {
    fragments: [{ ukoNode: " " }, { ukoNode: "n", tokenCount: -1, relevanceScore: 2 }],
    budget: { maxTokens: 0 },
  };
  const { code, stdout, stderr } = await assemble(bad);
  assert.deepEqual([code, stdout], [1, ""]);
  const [title, ...faults] = stderr.trimEnd().split("\n");
  assert.equal(title, "INVALID_ARGUMENT: the request is refused");
  assert.deepEqual(
    faults.map((fault) => fault.split(":")[0]),
    ["  fragments[0].uko_node", "  fragments[1].token_count", "  fragments[1].relevance_score", "  budget.max_tokens"],
  );
});

test("wrong types and wrong values are told at once, and nothing that only follows from them", async () => {
  const input = {
    budget: { maxTokens: 0, reservedTokens: "x" },
    trace: "LOUD",
    fragments: [
      { ukoNode: " ", fragmentId: 5 },
      { ukoNode: 5, relevanceScore: 2 },
      { ukoNode: "a", requires: ["nobody"] },
    ],
  };
  const { code, stdout, stderr } = await assemble(input);
  assert.deepEqual({ code, stdout }, { code: 1, stdout: "" });
  const [title, ...violations] = stderr.trimEnd().split("\n");
  assert.equal(title, "INVALID_ARGUMENT: the request is refused");
  assert.deepEqual(
    violations.map((line) => line.split(":")[0]),
    [
      "  budget.reserved_tokens",
      "  trace",
      "  fragments[0].fragment_id",
      "  fragments[1].uko_node",
      "  fragments[0].uko_node",
      "  fragments[1].relevance_score",
      "  budget.max_tokens",
    ],
  );
});

test("every violation is told, however many there are", async () => {
  const fragments = Array.from({ length: 1_000 }, () => ({ ukoNode: "" }));
  const { code, stderr } = await assemble({ ...example, fragments });
  assert.equal(code, 1);
  assert.equal(stderr.trimEnd().split("\n").length, 1_001);
});

test("what the contract does not have is refused as well, all at once", async () => {
  const { code, stdout, stderr } = await assemble({ fragments: [{ ukoNode: 1, tier: "HOT" }], budgets: {} });
  assert.deepEqual([code, stdout], [1, ""]);
  assert.match(
    stderr,
    /^INVALID_ARGUMENT: the request is refused\n {2}fragments\[0\]\.uko_node: .*\n {2}fragments\[0\]\.tier: .*\n {2}budgets: unknown/,
  );
});

test("other refusals have exit code 1 with the status and the words of the service", async (t) => {
  const pinned = example.fragments.map((fragment) => ({ ...fragment, pinned: true }));
  const many = Array.from({ length: 10_001 }, () => ({ ukoNode: "n" }));
  const cases: [object, string[], RegExp][] = [
    [example, ["--strategy", "nearest"], /^NOT_FOUND: no strategy has the name "nearest"; known: /],
    [{ ...example, tokenizer: "gpt9" }, [], /^NOT_FOUND: .*"gpt9"/],
    [{ ...example, fragments: pinned }, [], /^FAILED_PRECONDITION: /],
    [
      { ...example, fragments: many },
      [],
      /^RESOURCE_EXHAUSTED: .*10001.*\n {2}ACMS_MAX_FRAGMENTS in the environment sets the/,
    ],
    [example, ["--budget", "0"], /^INVALID_ARGUMENT: .*\n {2}budget\.max_tokens: is 0/],
    [example, ["--plan-id", ""], /^INVALID_ARGUMENT: .*\n {2}plan_id: .*ULID/],
  ];
  for (const [request, args, message] of cases) {
    await t.test(String(message), async () => {
      const { code, stdout, stderr } = await assemble(request, ...args);
      assert.deepEqual([code, stdout], [1, ""]);
      assert.match(stderr, message);
    });
  }
});

test("the text has the tokens of what was dropped, whoever counted them", async () => {
  const fragments = [
    { fragmentId: "a", ukoNode: "a", content: "a".repeat(40), tokenCount: 7 },
    { fragmentId: "b", ukoNode: "b", content: "b".repeat(4_000) },
    { fragmentId: "c", ukoNode: "b", content: "b".repeat(4_000) },
    { fragmentId: "d", ukoNode: "d", content: "d", tokenCount: 500 },
  ];
  const { stdout } = await assemble({ fragments, budget: { maxTokens: 10 } }, "--format", "text");
  assert.match(stdout, /\n {6}500 +497 {2}d\n {4}1,000 +997 {2}b\n {4}1,000 +1,997 {2}c\n/);
  assert.doesNotMatch(stdout, /\?/);
});

test("the text keeps within a narrow terminal", async () => {
  const request = { ...example, strategies: ["relevance", "recency", "tiered"].map((name) => ({ name })) };
  const untold = await assemble({ ...request, trace: "TRACE_NONE" }, "--format", "text");
  assert.match(untold.stdout, /without a trace/);
  for (const trace of ["TRACE_NONE", "TRACE_DROPPED"]) {
    const stdin = JSON.stringify({ ...request, trace });
    const { stdout } = await captureRun(["assemble", "-"], { stdin, columns: 40, env: { NO_COLOR: "1" } });
    const wide = stdout.split("\n").filter((line) => line.length > 40);
    assert.deepEqual(wide, []);
  }
});

test("wrong use has exit code 2", async (t) => {
  const notText = exampleFile(t, Uint8Array.of(0x7b, 0xff, 0x7d));
  const cases: [string, string[], RegExp][] = [
    ["{", ["-"], /^error: the standard input: not JSON: /],
    ["\u001b[31m{", ["-"], /^error: the standard input: not JSON: .*"\\u\{001b\}\[31m\{" is not valid JSON\n$/],
    ["{}\n\u001b{", ["-", "--budget", "1"], /^error: not every line of .*\n {2}line 2: .*\\u\{001b\}\{.*\n$/],
    ["", ["/nowhere/\u001b"], /^error: cannot read "\/nowhere\/\\u001b": ENOENT.*'\/nowhere\/\\u\{001b\}'\n$/],
    ["", ["-", "--budget", "\u001b[31m"], /argument '\\u\{001b\}\[31m' is invalid/],
    ["", ["-", "--namespace", "mine"], /^error: --namespace needs --server, since /],
    ["", ["-", "--server", "localhost:1", "--namespace", "é"], /visible ASCII characters/],
    ["", ["-", "--server", "localhost:1", "--namespace", ""], /visible ASCII characters/],
    [lines, ["-"], /--budget TOKENS makes a request of them/],
    ["", ["/nowhere/request.json"], /^error: cannot read "\/nowhere\/request\.json": ENOENT/],
    ["", [tmpdir()], /^error: cannot read ".*": EISDIR/],
    ["", [notText], /is not UTF-8 text/],
    ["", [], /missing required argument 'file'/],
    ["", ["-", "--budget", "8k"], /'8k' is invalid.*whole number of tokens/],
    ["", ["-", "--budget", "2147483648"], /at most 2147483647/],
    ["", ["-", "--trace", "some"], /Allowed choices are none, dropped, full/],
    ["", ["-", "--format", "yaml"], /Allowed choices are json, text/],
    ["", ["-", "--explain", "a", "--explain", "b"], /It may come once/],
    ["", ["-", "--server", "localhost"], /HOST:PORT/],
    ["", ["-", "--server", "localhost:0"], /HOST:PORT/],
  ];
  for (const [stdin, args, message] of cases) {
    await t.test(args.join(" ") || "nothing", async () => {
      const { code, stdout, stderr } = await captureRun(["assemble", ...args], { stdin });
      assert.deepEqual([code, stdout], [2, ""]);
      assert.match(stderr, message);
    });
  }
});

test("what `acms fragments` writes, `acms assemble` reads through a pipe", async () => {
  const folder = fileURLToPath(new URL("..", import.meta.url));
  const fragments = spawnAcms(["fragments", folder, "--query", "how is a budget drawn"]);
  const assembly = spawnAcms(["assemble", "--budget", "2000", "-"]);
  fragments.stdout.pipe(assembly.stdin);
  const [stdout, stderr, [code]] = await Promise.all([
    text(assembly.stdout),
    text(assembly.stderr),
    once(assembly, "exit"),
  ]);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  const { payload } = JSON.parse(stdout);
  assert.ok(payload.totalTokens > 0 && payload.totalTokens <= 2_000);
  assert.equal(payload.fragments[0].relevanceScore, 1);
});
