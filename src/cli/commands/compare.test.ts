import assert from "node:assert/strict";
import { test } from "node:test";
import { parseProtoJson } from "../../proto-json/index.js";
import { captureRun } from "../captured-run.js";

const example = {
  requestId: "mine",
  fragments: [
    { fragmentId: "a", ukoNode: "project://app/a", tokenCount: 60, relevanceScore: 0.9 },
    { fragmentId: "b", ukoNode: "project://app/b", tokenCount: 40, createdAt: "2999-01-01T00:00:00Z" },
  ],
  budget: { maxTokens: 60 },
};
const lines = example.fragments.map((fragment) => JSON.stringify(fragment)).join("\n");

async function compare(input: unknown, ...args: string[]) {
  return captureRun(["compare", "-", ...args], { stdin: typeof input === "string" ? input : JSON.stringify(input) });
}

test("a request is answered in ProtoJSON, a result for each name in the order of the flags", async () => {
  const { code, stdout, stderr } = await compare(
    example,
    ...["--packers", "optimal", "--strategies", "relevance,recency", "--profiles", "fusion"],
  );
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  parseProtoJson("acms.v1.CompareStrategiesResponse", stdout);
  const response = JSON.parse(stdout);
  assert.equal(response.requestId, "mine");
  assert.deepEqual(
    response.results.map((result: { label: string; summary: { selected: { fragmentId: string }[] } }) => [
      result.label,
      result.summary.selected.map(({ fragmentId }) => fragmentId),
    ]),
    [
      ["optimal", ["a"]],
      ["relevance", ["a"]],
      ["recency", ["b"]],
      ["fusion", ["a"]],
    ],
  );
  assert.deepEqual(response.differences, [
    { fragment: { fragmentId: "a", inputIndex: 0, tokenCount: 60 }, keptBy: [0, 1, 3] },
    { fragment: { fragmentId: "b", inputIndex: 1, tokenCount: 40 }, keptBy: [2] },
  ]);
});

test("lines of fragments are read with a budget, and other flags hold for all", async () => {
  const flags = ["--budget", "70", "--reserved", "10", "--profile", "fusion", "--strategy", "recency"];
  const { stdout, stderr } = await compare(lines, ...flags, "--packers", "in_order,optimal");
  assert.equal(stderr, "");
  const response = JSON.parse(stdout);
  assert.equal(response.availableTokens, 60);
  for (const { summary } of response.results) assert.deepEqual(summary.strategiesUsed, ["recency"]);
});

test("a variant that fails is part of the answer", async () => {
  const { code, stdout } = await compare(example, "--strategies", "nearest,recency");
  assert.equal(code, 0);
  const [failed, other] = JSON.parse(stdout).results;
  assert.deepEqual([failed.failure.status, failed.failure.reason], ["NOT_FOUND", "ERROR_REASON_UNKNOWN_STRATEGY"]);
  assert.equal(other.summary.selectedCount, 1);
});

test("text is for people, and the default on a terminal", async () => {
  const asked = await compare(example, "--strategies", "relevance,recency", "--format", "text");
  assert.match(asked.stdout, /^2 ways to fill 60 tokens {2}from 2 fragments\n\n +tokens {2}relevance/);
  const stdin = JSON.stringify(example);
  const terminal = await captureRun(["compare", "-", "--strategies", "recency"], { stdin, columns: 50 });
  assert.ok(terminal.stdout.startsWith("\u001b[1m1 way to fill 60 tokens\u001b[0m"));
});

test("differences are limited unless all are wanted", async () => {
  const many = Array.from({ length: 24 }, (_, i) => {
    return JSON.stringify({
      ukoNode: `n${i}`,
      tokenCount: 1,
      relevanceScore: i / 24,
      createdAt: new Date(i === 0 ? 9e11 : 9e11 - i).toISOString(),
    });
  }).join("\n");
  const flags = ["--budget", "12", "--strategies", "relevance,recency", "--format", "text"];
  assert.match((await compare(many, ...flags)).stdout, / and 4 more\n/);
  assert.doesNotMatch((await compare(many, ...flags, "--all")).stdout, / more\n/);
});

test("a refused request has exit code 1, and every violation with its path", async () => {
  const { code, stdout, stderr } = await compare(
    { ...example, budget: { maxTokens: 0 } },
    "--strategies",
    "recency,recency",
  );
  assert.deepEqual([code, stdout], [1, ""]);
  assert.deepEqual(
    stderr
      .trimEnd()
      .split("\n")
      .map((line) => line.split(": ")[0]),
    ["INVALID_ARGUMENT", "  assemble.budget.max_tokens", "  variants[1].label"],
  );
  const strict = await compare('{"ukoNode": 1}', "--budget", "5", "--strategies", "recency");
  assert.deepEqual([strict.code, strict.stdout], [1, ""]);
  assert.match(strict.stderr, /fragments\[0\]\.uko_node: expected a string/);
});

test("wrong use has exit code 2", async (t) => {
  const cases: [string, string[], RegExp][] = [
    [lines, ["-"], /nothing to compare; --strategies, --profiles and --packers name it/],
    [lines, ["-", "--strategies", "recency"], /--budget TOKENS makes a request of them/],
    ["{", ["-", "--strategies", "recency"], /not JSON/],
    ["", ["-", "--strategies", "a,,b"], /one name or several, with a comma between/],
    ["", ["--strategies", "a"], /missing required argument 'file'/],
    ["", ["-", "--packers", "a", "--budget", "1k"], /whole number of tokens/],
  ];
  for (const [stdin, args, message] of cases) {
    await t.test(args.join(" "), async () => {
      const { code, stdout, stderr } = await captureRun(["compare", ...args], { stdin });
      assert.deepEqual([code, stdout], [2, ""]);
      assert.match(stderr, message);
    });
  }
});
