import assert from "node:assert/strict";
import { test } from "node:test";
import { AssembleRequest } from "../../../gen/acms/v1/assembly_service.js";
import { explanationText } from "./explanation-text.js";
import { widthOf } from "./fit-text.js";
import { at, budget, filter, fragment, story } from "./story.fixture.js";

test("what the budget kept out is told with what it lacks and what lets it in", async () => {
  const fragments = [fragment("a", 50, 0.9), fragment("b", 25, 0.8), fragment("c", 30, 0.7, at(500))];
  const { lines } = await story({ fragments, budget: budget(60) }, "c");
  assert.deepEqual(lines, [
    "c  dropped: over budget",
    "  What was left at its turn was not enough for it. It lacks exactly 45 tokens.",
    "",
    "Who it is",
    "  id           c",
    "  node         project://app/c",
    "  tokens       30, as declared",
    "  relevance    0.7",
    "  kind         tier warm, role none, depth 0",
    "  created      1970-01-01T00:08:20.000Z",
    "",
    "How it was judged",
    "  decided by   packer (in_order)",
    "  nominated    by relevance, as number 3 of its order",
    "  score        0.700",
    "",
    "What lets it in, as was tried",
    "  Raise max_tokens by 45, to 105.",
    "  Pin it.",
  ]);
});

test("what was chosen is told with its links, its score and its place", async () => {
  const fragments = [
    fragment("call", 20, 0.9, { groupId: "g", role: 3 }),
    { ...fragment("answer", 20, 0.2, { groupId: "g", requires: ["base"] }), metadata: new Map([["role", "tool"]]) },
    fragment("base", 20, 0.1, { tier: 1, detailDepth: 9 }),
    { ...fragment("brief", 20, 0.3, { detailDepth: 2 }), ukoNode: "project://app/base" },
  ];
  const request = { fragments, budget: budget(100), pipeline: { profile: "fusion" } };
  const { lines } = await story(request, "base");
  for (const line of [
    "base  kept: required",
    "  Another fragment needs it.",
    "  kind         tier hot, role none, depth 9",
    "  created      with the request, as no time is given",
    "  required by  answer",
    "  variants     brief (depth 2)",
    "  related      for answer",
    "  made of      relevance 0.100, hierarchy 0.500, quality 0.500, recency 0.500,",
    "               relevance before 0.100",
  ]) {
    assert.ok(lines.includes(line), `${line}\n in\n${lines.join("\n")}`);
  }
  assert.ok(lines.some((line) => /^ {2}place {8}\d of \d in the payload$/.test(line)));
  const answer = await story(request, "answer");
  assert.ok(answer.lines.includes("  group        g, with call"), answer.lines.join("\n"));
  assert.ok(answer.lines.includes("  requires     base"));
  assert.ok(answer.lines.includes("  kind         tier warm, role tool, depth 0"));
});

test("only what was tried and helps is said: where pins take everything, no other pin does", async () => {
  const fragments = [fragment("p", 10, 0, { pinned: true }), fragment("x", 2_000, 1)];
  const { lines } = await story({ fragments, budget: budget(10) }, "x");
  assert.deepEqual(lines.slice(-2), ["What lets it in, as was tried", "  Raise max_tokens by 2,000, to 2,010."]);
});

test("where nothing helps, that is said", async () => {
  const most = 2_147_483_647;
  const fragments = [fragment("p", most, 0, { pinned: true }), fragment("x", most, 1, { requires: ["p"] })];
  const { lines } = await story({ fragments, budget: budget(most) }, "x");
  assert.equal(lines.at(-1), "  Nothing that was tried lets it in.");
});

test("a pin that would have won its place says so", async () => {
  const { lines } = await story({ fragments: [fragment("x", 1, 1, { pinned: true })], budget: budget(9) }, "x");
  assert.equal(lines.at(-1), "  It would still be kept: chosen.");
});

test("with several strategies each one's rank is told", async () => {
  const fragments = [fragment("a", 9, 1, at(1)), fragment("x", 9, 0, at(2)), fragment("c", 9, 0.5, at(0))];
  const request = { fragments, budget: budget(27), strategies: [{ name: "relevance" }, { name: "recency" }, filter] };
  const { lines } = await story(request, "x");
  for (const line of [
    "  nominated    by relevance, as number 3 of its order",
    "  nominated    by recency, as number 1 of its order",
    "  nominated    not by own",
  ]) {
    assert.ok(lines.includes(line), lines.join("\n"));
  }
});

test("a fragment without an id goes by its place, and what nobody counted is counted", async () => {
  const nameless = [
    { ukoNode: "project://app/a", content: "a".repeat(400), relevanceScore: 0.9 },
    { ukoNode: "project://app/a", content: "b".repeat(401), detailDepth: 3 },
  ];
  const { lines } = await story({ fragments: nameless, budget: budget(100) }, "#1");
  for (const line of [
    "#1  dropped: over budget",
    "  id           made by the server; #1 names it here",
    "  tokens       101, counted by chars4",
    "  relevance    0.5, as none is given",
    "  variants     #0 (depth 0)",
  ]) {
    assert.ok(lines.includes(line), lines.join("\n"));
  }
});

test("an estimate is called one", async () => {
  const { explanation } = await story({ fragments: [fragment("x", 9, 1)], budget: budget(5) }, "x");
  const decision = { ...explanation.decision, tokensMissing: 1, tokensMissingExact: false };
  const request = AssembleRequest.fromPartial({ fragments: [fragment("x", 9, 1)] });
  const lines = explanationText({
    request,
    explanation: { ...explanation, decision },
    terminal: { width: 80, colour: false },
  });
  assert.match(lines.join(" "), /It lacks about 1 token, which +is an estimate\./);
});

test("every line fits the terminal, and no name can steer it", async () => {
  const odd = "\u001b[2Jgone\nnext";
  const fragments = [
    fragment(odd, 9, 1, {
      groupId: "字".repeat(60),
      requires: Array.from({ length: 12 }, (_, i) => `f${i}${"y".repeat(50)}`),
    }),
    ...Array.from({ length: 12 }, (_, i) => fragment(`f${i}${"y".repeat(50)}`, 9, 1, { requires: [odd] })),
  ];
  for (const width of [40, 80]) {
    const { lines } = await story({ fragments, budget: budget(9), strategies: [{ name: "relevance" }] }, odd, {
      width,
    });
    for (const line of lines) {
      assert.ok(widthOf(line) <= width, line);
      assert.doesNotMatch(line, /\p{Cc}/u);
    }
    assert.ok(lines.join(" ").includes("and 4 more"));
  }
  const { lines } = await story({ fragments, budget: budget(9) }, odd, { colour: true });
  assert.ok(lines[0]?.includes("\u001b[33mdropped: over budget\u001b[0m"));
});
