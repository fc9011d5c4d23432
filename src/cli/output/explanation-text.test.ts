import assert from "node:assert/strict";
import { test } from "node:test";
import { AssembleRequest } from "../../../gen/acms/v1/assembly_service.js";
import { createApp } from "../../app.js";
import { builtInRegistry, Reason } from "../../core/index.js";
import { openInProcess } from "../door/in-process.js";
import { explain } from "../explain/explanation.js";
import { explanationText } from "./explanation-text.js";
import { widthOf } from "./fit-text.js";

type Request = Parameters<typeof AssembleRequest.fromPartial>[0];

const door = openInProcess();

async function story(request: Request, wanted: string, { width = 80, colour = false, through = door } = {}) {
  const whole = AssembleRequest.fromPartial({ asOf: { seconds: 1_000, nanos: 0 }, ...request });
  const explanation = await explain(through, whole, wanted);
  return { explanation, lines: explanationText({ request: whole, explanation, terminal: { width, colour } }) };
}

function fragment(fragmentId: string, tokenCount: number, relevanceScore: number, more: object = {}) {
  return {
    fragmentId,
    ukoNode: `project://app/${fragmentId}`,
    content: fragmentId,
    tokenCount,
    relevanceScore,
    ...more,
  };
}

const at = (seconds: number) => ({ createdAt: { seconds, nanos: 0 } });
const budget = (maxTokens: number) => ({ maxTokens, reservedTokens: 0, sections: [] });
const filter = {
  name: "own",
  config: { $case: "expression" as const, value: { where: "fragment.fragment_id != 'x'", score: "" } },
};
const window = (windowSize: number) => {
  return { name: "sliding_window", config: { $case: "slidingWindow" as const, value: { windowSize, windowMode: 0 } } };
};

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

/** Every reason that a request can provoke, with the lines that its story must have. */
const cases: Partial<Record<keyof typeof Reason, { request: Request; wanted: string; has: readonly string[] }>> = {
  CHOSEN: {
    request: { fragments: [fragment("a", 1, 1)], budget: budget(9) },
    wanted: "a",
    has: ["a  kept: chosen", "  place        1 of 1 in the payload"],
  },
  PINNED: {
    request: { fragments: [fragment("a", 9, 1), fragment("x", 9, 0, { pinned: true })], budget: budget(9) },
    wanted: "x",
    has: ["x  kept: pinned", "  pinned       by the caller", "Without its pin", "  It would be dropped: over budget."],
  },
  REQUIRED: {
    request: { fragments: [fragment("a", 9, 1, { requires: ["x"] }), fragment("x", 9, 0)], budget: budget(18) },
    wanted: "x",
    has: ["x  kept: required", "  related      for a", "  required by  a"],
  },
  NOT_NOMINATED: {
    request: { fragments: [fragment("a", 9, 1), fragment("x", 9, 0)], budget: budget(18), strategies: [filter] },
    wanted: "x",
    has: ["  nominated    not by own", "  Add the strategy builtin:relevance.", "  Pin it."],
  },
  OUTSIDE_WINDOW: {
    request: {
      fragments: [fragment("x", 9, 1, at(1)), fragment("b", 9, 1, at(2))],
      budget: budget(18),
      strategies: [window(1)],
    },
    wanted: "x",
    has: ["x  dropped: outside the window", "  decided by   strategy executor (sequential)", "  Widen the window."],
  },
  OVER_BUDGET: {
    request: { fragments: [fragment("p", 9, 0, { pinned: true }), fragment("x", 9, 1)], budget: budget(12) },
    wanted: "x",
    has: ["  Raise max_tokens by 6, to 18.", "  Unpin the other pin."],
  },
  DUPLICATE: {
    request: {
      fragments: [fragment("a", 20, 1), { ...fragment("x", 20, 0.5), ukoNode: "project://app/a", content: "a" }],
      budget: budget(90),
      pipeline: { deduplicator: "content_hash" },
    },
    wanted: "x",
    has: [
      "x  dropped: duplicate",
      "  decided by   deduplicator (content_hash)",
      "  related      same as a",
      "  Name the deduplicator pass_through, which keeps copies.",
    ],
  },
  OTHER_VARIANT: {
    request: {
      fragments: [
        fragment("a", 20, 1, { variantKey: "k", detailDepth: 9 }),
        fragment("x", 20, 1, { variantKey: "k", detailDepth: 2 }),
      ],
      budget: budget(90),
      pipeline: { profile: "fusion" },
    },
    wanted: "x",
    has: [
      "x  dropped: other variant",
      "  variants     a (depth 9)",
      "  Give it a variant_key of its own.",
      "  Pin it.",
    ],
  },
  BELOW_MINIMUM_TOKENS: {
    request: { fragments: [fragment("x", 9, 1)], budget: budget(90), pipeline: { profile: "fusion" } },
    wanted: "x",
    has: ["x  dropped: too small", "  Set min_fragment_tokens to 9."],
  },
  BELOW_MINIMUM_VALUE: {
    request: {
      fragments: [fragment("x", 20, 0.25)],
      budget: budget(90),
      pipeline: { profile: "fusion", options: { minRelevance: 0.5 } },
    },
    wanted: "x",
    has: ["x  dropped: worth too little", "  Set min_relevance to 0.25."],
  },
  PARTNER_MISSING: {
    request: {
      fragments: [
        fragment("out", 9, 1, { ...at(1), groupId: "g" }),
        fragment("x", 9, 1, { ...at(2), groupId: "g" }),
        fragment("c", 9, 1, at(3)),
      ],
      budget: budget(90),
      strategies: [window(2)],
    },
    wanted: "x",
    has: [
      "x  dropped: partner missing",
      "  group        g, with out",
      "  related      without out",
      "  Pin it.",
      "  --explain out has the story of the one that is missing.",
    ],
  },
  REQUIREMENT_MISSING: {
    request: {
      fragments: [
        fragment("a", 20, 1, { variantKey: "k", detailDepth: 9, pinned: true }),
        fragment("b", 20, 1, { variantKey: "k", detailDepth: 2 }),
        fragment("x", 20, 1, { requires: ["b"] }),
      ],
      budget: budget(90),
      pipeline: { profile: "fusion" },
    },
    wanted: "x",
    has: ["x  dropped: requirement missing", "  requires     b"],
  },
};

for (const [reason, { request, wanted, has }] of Object.entries(cases)) {
  test(`the story of a fragment with the reason ${reason}`, async () => {
    const { explanation, lines } = await story(request, wanted);
    assert.equal(explanation.decision.reason, Reason[reason as keyof typeof Reason]);
    for (const line of has) assert.ok(lines.includes(line), `${line}\n in\n${lines.join("\n")}`);
  });
}

test("what a component leaves out is told with its name, and the way around it", async () => {
  const registry = builtInRegistry().addComponent("deduplicator", "picky", () => ({
    deduplicate: (fragments) => ({ kept: fragments.filter(({ fragmentId }) => fragmentId !== "x"), duplicates: [] }),
  }));
  const through = openInProcess(createApp({ registry }));
  const request = { fragments: [fragment("x", 9, 1)], budget: budget(90), pipeline: { deduplicator: "picky" } };
  const { lines } = await story(request, "x", { through });
  for (const line of [
    "x  dropped: rejected",
    "  decided by   deduplicator (picky)",
    "  Name the deduplicator pass_through, which keeps copies.",
  ]) {
    assert.ok(lines.includes(line), lines.join("\n"));
  }
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
