/** What no strategy nominated and something over budget requires. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { decisionsById, fragment, selected, windowOf } from "./corners.fixture.js";
import { assembled, budgetOf, pipelineDraft, requestDraft } from "./drafts.fixture.js";
import { Reason, TraceLevel } from "./model/payload.js";

const strategies = [windowOf(1)];

const older = [fragment("needed", 0.5, 8), fragment("old", 0.5, 1)];

test("a message outside the window that the window requires lacks what its bringer lacks", async () => {
  const fragments = [...older, fragment("new", 0.5, 5, { requires: ["needed"] })];
  const { needed, old, new: bringer } = await decisionsById({ fragments, tokens: 10, strategies });
  assert.deepEqual([bringer!.reason, bringer!.tokensMissing], [Reason.OVER_BUDGET, 3]);
  assert.deepEqual(
    [needed!.reason, needed!.stage, needed!.tokensMissing, needed!.tokensMissingExact],
    [Reason.OVER_BUDGET, bringer!.stage, 3, true],
  );
  assert.deepEqual([old!.reason, old!.tokensMissing], [Reason.OUTSIDE_WINDOW, undefined]);
  assert.deepEqual(await selected({ fragments, tokens: 13, strategies }), ["needed", "new"]);
});

test("what several bring lacks what the first of them lacks, at any distance", async () => {
  const fragments = [
    fragment("far", 0.5, 1),
    fragment("needed", 0.5, 2, { requires: ["far"] }),
    fragment("costly", 0.5, 90, { requires: ["needed"] }),
    fragment("new", 0.5, 5, { requires: ["needed"] }),
  ];
  const decisions = await decisionsById({ fragments, tokens: 4, strategies: [windowOf(2)] });
  const missing = ["far", "needed", "new", "costly"].map((id) => decisions[id]!.tokensMissing);
  assert.deepEqual(missing, [4, 4, 4, 94]);
});

test("a preamble says the same whether anybody asks for decisions or not", async () => {
  const fragments = [fragment("needed", 0.5, 800), fragment("new", 0.5, 500, { requires: ["needed"] })];
  const pipeline = pipelineDraft({ preambleGenerator: "provenance" });
  const draft = requestDraft({ fragments, budget: budgetOf(1_000), strategies, pipeline });
  const preambles = [TraceLevel.NONE, TraceLevel.FULL].map(
    async (trace) => (await assembled({ ...draft, trace })).preamble,
  );
  const [silent, told] = await Promise.all(preambles);
  assert.equal(silent, told);
  assert.match(silent!, /over budget 2/);
});

test("a window's orphan that comes with what requires it is over budget, and so is its partner", async () => {
  const fragments = [
    fragment("call", 0.5, 0, { groupId: "g" }),
    fragment("asking", 0.5, 0, { requires: ["call"] }),
    fragment("answer", 0.5, 0, { groupId: "g" }),
    fragment("new", 0.5, 2),
  ];
  const { call, answer, asking } = await decisionsById({ fragments, tokens: 1, strategies: [windowOf(3)] });
  assert.deepEqual(
    [call, answer, asking].map((decision) => [decision!.reason, decision!.tokensMissing]),
    [1, 1, 1].map((missing) => [Reason.OVER_BUDGET, missing]),
  );
});

test("what a window holds is chosen, also where another part of it, or a system message, requires it", async () => {
  const held = [
    fragment("first", 0.5, 5),
    fragment("second", 0.5, 5, { requires: ["first"] }),
    fragment("rules", 0.5, 5, { role: 1, requires: ["second"] }),
  ];
  for (const packer of ["in_order", "greedy_knapsack", "diverse", "relaxation", "optimal"]) {
    const decisions = await decisionsById({
      fragments: held,
      tokens: 100,
      strategies: [windowOf(5)],
      pipeline: pipelineDraft({ packer, options: { minFragmentTokens: 0 } }),
    });
    for (const { reason } of Object.values(decisions)) assert.equal(reason, Reason.CHOSEN, packer);
  }
});

test("a pin outside the window stands at its place by age, also where another strategy ranks it", async () => {
  const fragments = [fragment("opening", 0.5, 5, { pinned: true }), fragment("x", 0.5, 5), fragment("y", 0.5, 5)];
  const strategies = [windowOf(1), { name: "relevance" }];
  assert.deepEqual(await selected({ fragments, tokens: 100, strategies }), ["opening", "y", "x"]);
});

test("what only one alternative of a group brings is no exact number, and what is in brings nothing", async () => {
  const fragments = [
    fragment("far", 0.5, 1),
    fragment("deep", 0.5, 9, { groupId: "g", variantKey: "k", detailDepth: 3, requires: ["far"] }),
    fragment("short", 0.5, 5, { groupId: "g", variantKey: "k", detailDepth: 1 }),
  ];
  const pipeline = pipelineDraft({ profile: "fusion", options: { minFragmentTokens: 0 } });
  const { far } = await decisionsById({ fragments, tokens: 3, strategies: [windowOf(2)], pipeline });
  assert.deepEqual([far!.reason, far!.tokensMissing, far!.tokensMissingExact], [Reason.OVER_BUDGET, 7, true]);
  const held = [
    fragment("other", 0.5, 0, { groupId: "g", variantKey: "k" }),
    fragment("pin", 0.5, 6, { groupId: "g", variantKey: "k", pinned: true }),
    fragment("asking", 0.5, 1, { requires: ["pin"] }),
  ];
  const optimal = pipelineDraft({ profile: "fusion", packer: "optimal" });
  const { other } = await decisionsById({ fragments: held, tokens: 6, strategies: [windowOf(2)], pipeline: optimal });
  assert.notEqual(other!.reason, Reason.OVER_BUDGET);
});

test("where pins bring more of a larger budget, nothing is exact, and what they would bring is over budget", async () => {
  const fragments = [
    fragment("pin", 0.5, 0, { groupId: "g", pinned: true }),
    fragment("short", 0.5, 0, { groupId: "g", variantKey: "k" }),
    fragment("deep", 0.5, 6, { groupId: "g", variantKey: "k", detailDepth: 3 }),
    fragment("y", 0.5, 6),
  ];
  for (const packer of ["greedy_knapsack", "in_order", "optimal"]) {
    const pipeline = pipelineDraft({ profile: "fusion", packer, options: { minFragmentTokens: 0 } });
    const { deep, y } = await decisionsById({ fragments, tokens: 5, pipeline });
    assert.deepEqual([deep!.reason, deep!.tokensMissing], [Reason.OVER_BUDGET, 1], packer);
    assert.deepEqual([y!.reason, y!.tokensMissingExact], [Reason.OVER_BUDGET, false], packer);
    assert.deepEqual((await selected({ fragments, tokens: 6, pipeline })).sort(), ["deep", "pin"], packer);
  }
});
