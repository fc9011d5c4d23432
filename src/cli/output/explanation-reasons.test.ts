// The story of each reason that a request can provoke.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createApp } from "../../app.js";
import { builtInRegistry, Reason } from "../../core/index.js";
import { openInProcess } from "../door/in-process.js";
import { at, budget, filter, fragment, type Request, story, window } from "./story.fixture.js";

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
  SECTION_CAP: {
    request: {
      fragments: [fragment("x", 20, 1, { tier: 1 })],
      budget: { ...budget(90), sections: [{ selector: { $case: "tier", value: 1 }, capTokens: 10 }] },
    },
    wanted: "x",
    has: ["x  dropped: section full", "  Lift the caps of the sections."],
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

test("no pin is offered where it would break a cap, and a share of a cap is lifted too", async () => {
  const sections = [{ selector: { $case: "tier" as const, value: 1 }, capShare: 0.1 }];
  const request = { fragments: [fragment("x", 20, 1, { tier: 1 })], budget: { ...budget(90), sections } };
  const { lines } = await story(request, "x");
  assert.deepEqual(lines.slice(-3), [
    "What lets it in, as was tried",
    "  Raise max_tokens by 110, to 200.",
    "  Lift the caps of the sections.",
  ]);
});

test("what is worth too little for its tokens is told the minimum that kept it out", async () => {
  const pipeline = { profile: "fusion", options: { minValuePerToken: 0.5 } };
  const { lines } = await story({ fragments: [fragment("x", 100, 0.2)], budget: budget(900), pipeline }, "x");
  assert.ok(lines.includes("x  dropped: worth too little"), lines.join("\n"));
  assert.deepEqual(lines.slice(-2), ["  Do without min_value_per_token.", "  Pin it."]);
});

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
