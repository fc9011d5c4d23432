import assert from "node:assert/strict";
import { test } from "node:test";
import { AssembleRequest } from "../../../gen/acms/v1/assembly_service.js";
import { openInProcess } from "../door/in-process.js";
import { type NamedChoice, variantsOf } from "../input/compared-variants.js";
import { type ComparisonView, comparisonText } from "./comparison-text.js";
import { widthOf } from "./fit-text.js";

const door = openInProcess();

async function view(
  request: Parameters<typeof AssembleRequest.fromPartial>[0],
  choices: readonly NamedChoice[],
  { width = 80, limit = 20, colour = false } = {},
): Promise<ComparisonView> {
  const assemble = AssembleRequest.fromPartial(request);
  const response = await door.compareStrategies({ assemble, variants: variantsOf(choices, assemble) });
  for (const result of response.results) result.elapsed = { seconds: 0, nanos: 2_000_000 };
  return { request: assemble, response, terminal: { width, colour }, limit };
}

const strategies = (...names: string[]) => names.map((name) => ({ kind: "strategy" as const, name }));
const packers = (...names: string[]) => names.map((name) => ({ kind: "packer" as const, name }));

function fragment(fragmentId: string, tokenCount: number, relevanceScore: number, second = 0) {
  const createdAt = { seconds: 1_000 + second, nanos: 0 };
  return { fragmentId, ukoNode: `project://app/${fragmentId}`, tokenCount, relevanceScore, createdAt };
}

const fragments = [
  fragment("best.ts", 60, 0.9, 1),
  fragment("new.ts", 30, 0.1, 4),
  fragment("old.ts", 50, 0.4, 2),
  fragment("huge.ts", 5_000, 0, 3),
];
const request = { fragments, budget: { maxTokens: 100, reservedTokens: 10 } };

test("a row for each variant, what is to be said of it, and the fragments on which they differ", async () => {
  const choices = [...strategies("relevance", "recency", "nearest"), ...packers("optimal")];
  assert.deepEqual(comparisonText(await view(request, choices)), [
    "4 ways to fill 90 tokens  from 4 fragments",
    "",
    "                                              tokens  relevance  kept  alone  ms",
    `A  relevance  ${"█".repeat(30)}      90       1.00     2      0   2`,
    `B  recency    ${"█".repeat(27)}···      80       0.50     2      1   2`,
    "C  nearest    failed",
    `D  optimal    ${"█".repeat(30)}      90       1.00     2      0   2`,
    "",
    "  A  value 1.000 of at most 1.100 (gap 9.1%, not proven the greatest)",
    "  B  value 1.500 of at most 1.500 (gap 0.0%, proven the greatest)",
    '  C  NOT_FOUND: no strategy has the name "nearest"; known: priority_context,',
    "     recency, relevance, sliding_window, tiered",
    "  D  value 1.000 of at most 1.000 (gap 0.0%, proven the greatest)",
    "  A=D  the same context",
    "",
    "They differ on 2  all keep 1, none keeps 1",
    "   tokens  A B D",
    "       60  █ · █  best.ts",
    "       50  · █ ·  old.ts",
    "",
    "all counts as declared",
  ]);
});

test("without differences there is no list", async () => {
  const text = comparisonText(await view(request, strategies("relevance", "builtin:relevance")));
  assert.ok(text.includes("No differences  all keep 2, none keeps 2"), text.join("\n"));
});

test("where every variant fails there is neither figure nor difference", async () => {
  const text = comparisonText(await view(request, strategies("x", "y")));
  assert.ok(text.includes("A  x  failed"), text.join("\n"));
  assert.ok(text.includes("No differences  all keep 0, none keeps 4"));
});

test("a long list of differences ends with how many more there are", async () => {
  const many = Array.from({ length: 8 }, (_, i) => fragment(`f${i}`, 10, i / 10, 8 - i));
  const small = { fragments: many, budget: { maxTokens: 40 } };
  const text = comparisonText(await view(small, strategies("relevance", "recency"), { limit: 3 }));
  const start = text.indexOf("They differ on 8  all keep 0, none keeps 0");
  assert.deepEqual(text.slice(start + 1, start + 6), [
    "   tokens  A B",
    "       10  █ ·  f7",
    "       10  █ ·  f6",
    "       10  █ ·  f5",
    "   and 5 more",
  ]);
});

test("a fragment without an id goes by its node, and estimates are told", async () => {
  const nameless = [
    { ukoNode: "project://app/a", content: "a".repeat(40), relevanceScore: 0.9 },
    { ukoNode: "project://app/b", content: "b".repeat(40), createdAt: { seconds: 9e9, nanos: 0 } },
  ];
  const tight = { fragments: nameless, budget: { maxTokens: 10 } };
  const text = comparisonText(await view(tight, strategies("relevance", "recency")));
  assert.ok(text.includes("       10  █ ·  project://app/a"), text.join("\n"));
  assert.equal(text.at(-1), "some counts estimated by chars4");
});

test("what a variant warns of is said after its sign", async () => {
  const parents = [{ fragmentId: "p", ukoNode: "n", content: "parent", tokenCount: 50 }];
  const text = comparisonText(await view({ ...request, parentFragments: parents }, strategies("recency")));
  assert.ok(
    text.some((line) => line.startsWith("  A  skeleton_over_share: ")),
    text.join("\n"),
  );
});

test("every line fits the terminal, however wide it is and many the variants are, and no name can steer it", async () => {
  const names = [`src/${"deep/".repeat(20)}file.ts`, "日本語".repeat(20), "\u001b[2Jgone\nnext"];
  const odd = names.map((name, i) => fragment(name, 60_000_000 + i, 0.9 - i / 10, i));
  const labels = ["relevance", "recency", "tiered", "x".repeat(70), "\u001b[2J", "字".repeat(60)];
  for (const width of [40, 60, 80, 120]) {
    for (const count of [2, 16]) {
      const choices = Array.from({ length: count }, (_, i) => labels[i] ?? `builtin:${i}`);
      const more = await view({ fragments: odd, budget: { maxTokens: 130_000_000 } }, strategies(...choices), {
        width,
      });
      for (const result of more.response.results) {
        if (result.outcome?.$case === "failure") result.outcome.value.message = "failed";
      }
      for (const line of comparisonText(more)) {
        assert.ok(widthOf(line) <= width, `${width}: ${widthOf(line)}: ${line}`);
        assert.doesNotMatch(line, /\p{Cc}/u);
      }
    }
  }
});

test("sixteen variants have a column each at the least width", async () => {
  const choices = Array.from({ length: 16 }, (_, i) => ({ kind: "strategy" as const, name: `s${i}` }));
  const own = choices.map(({ name }, i) => ({
    name,
    config: {
      $case: "expression" as const,
      value: { where: "", score: `fragment.relevance_score * ${i % 2 ? "-1.0" : "1.0"}` },
    },
  }));
  const text = comparisonText(await view({ ...request, strategies: own }, choices, { width: 40 }));
  assert.ok(text.includes("   tokens  ABCDEFGHIJKLMNOP"), text.join("\n"));
  assert.ok(text.every((line) => widthOf(line) <= 40));
});

test("colour is for terminals that have it", async () => {
  const plain = comparisonText(await view(request, strategies("recency", "x")));
  assert.ok(!plain.join("").includes("\u001b"));
  const coloured = comparisonText(await view(request, strategies("recency", "x"), { colour: true }));
  assert.ok(coloured.join("").includes("\u001b[31mfailed\u001b[0m"));
});
