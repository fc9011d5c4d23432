/** Alternatives of groups, minimums and what decisions say of others, each computed by hand. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { at, decisionsById, fragment, payloadOf, reasons, selected } from "./corners.fixture.js";
import { pipelineDraft } from "./drafts.fixture.js";
import { Reason } from "./model/payload.js";

test("a group whose deep alternative requires its own shallower one comes with the shallower", async () => {
  const fragments = [
    fragment("short", 0.5, 50, { groupId: "g", variantKey: "k" }),
    fragment("deep", 0.5, 100, { groupId: "g", variantKey: "k", detailDepth: 2, requires: ["short"] }),
  ];
  for (const packer of ["in_order", "greedy_knapsack", "diverse", "relaxation", "optimal"]) {
    const pipeline = pipelineDraft({ profile: "fusion", packer });
    assert.deepEqual(await selected({ fragments, tokens: 1_000, pipeline }), ["short"], packer);
  }
});

test("a minimum relevance decides between the alternatives of a group", async () => {
  const fragments = [
    fragment("good", 0.7, 10, { groupId: "g", variantKey: "k" }),
    fragment("bad", 0.3, 20, { groupId: "g", variantKey: "k", detailDepth: 2 }),
  ];
  for (const packer of ["greedy_knapsack", "diverse", "relaxation", "optimal"]) {
    const pipeline = pipelineDraft({
      profile: "fusion",
      scorer: "pass_through",
      packer,
      options: { minRelevance: 0.5 },
    });
    const corner = { fragments, tokens: 100, pipeline };
    assert.deepEqual(await selected(corner), ["good"], packer);
    assert.equal((await reasons(corner)).bad, Reason.BELOW_MINIMUM_VALUE, packer);
  }
});

test("what a minimum keeps out, and a larger budget brings with what requires it, is over budget", async () => {
  const fragments = [fragment("a", 0.9, 15, { requires: ["b"] }), fragment("b", 0.1, 15)];
  for (const packer of ["greedy_knapsack", "diverse", "relaxation", "optimal"]) {
    const pipeline = pipelineDraft({ packer, options: { minRelevance: 0.5 } });
    assert.equal((await reasons({ fragments, tokens: 12, pipeline })).b, Reason.OVER_BUDGET, packer);
    assert.deepEqual(await selected({ fragments, tokens: 30, pipeline }), ["a", "b"], packer);
  }
});

test("what a group's alternative requires is required by the alternative that is in", async () => {
  const fragments = [
    fragment("deep", 0.9, 29, { groupId: "g", variantKey: "k", detailDepth: 2 }),
    fragment("short", 0.9, 10, { groupId: "g", variantKey: "k", requires: ["note"] }),
    fragment("note", 0.1, 1),
  ];
  const pipeline = pipelineDraft({ profile: "fusion", options: { minFragmentTokens: 0 } });
  const decisions = await decisionsById({ fragments, tokens: 20, pipeline });
  assert.deepEqual([decisions.note!.reason, decisions.note!.relatedFragmentId], [Reason.REQUIRED, "short"]);
  // 29 tokens against the 20 that there are; that 11 of them are spent does not matter.
  assert.equal(decisions.deep!.reason, Reason.OVER_BUDGET);
  assert.ok(decisions.deep!.tokensMissing! >= 9);
});

test("a drop names the variant, the requirement or the partner that its reason speaks of", async () => {
  const variants = [
    fragment("deep", 0.9, 20, { ...at(9), requires: [] }),
    fragment("flat", 0.5, 10, at(1)),
    fragment("needs-flat", 0.4, 10, { requires: ["flat"] }),
    fragment("call", 0.3, 10, { groupId: "g" }),
    fragment("result", 0.3, 10, { groupId: "g", requires: ["needs-flat"] }),
  ];
  const pipeline = pipelineDraft({ profile: "fusion", depthResolver: "pass_through", scorer: "pass_through" });
  const decisions = await decisionsById({ fragments: variants, tokens: 1_000, pipeline });
  const told = ["flat", "needs-flat", "call", "result"].map((id) => {
    const { reason, relatedFragmentId } = decisions[id]!;
    return [id, reason, relatedFragmentId];
  });
  assert.deepEqual(told, [
    ["flat", Reason.OTHER_VARIANT, "deep"],
    ["needs-flat", Reason.REQUIREMENT_MISSING, "flat"],
    ["call", Reason.PARTNER_MISSING, "result"],
    ["result", Reason.REQUIREMENT_MISSING, "needs-flat"],
  ]);
});

test("what nothing fits in has no gap, whatever the exponent", async () => {
  const pipeline = pipelineDraft({ packer: "optimal", options: { valueExponent: 0.5 } });
  const { packing } = await payloadOf({ fragments: [fragment("a", 0.5, 10)], tokens: 5, pipeline });
  assert.deepEqual([packing.value, packing.upperBound, packing.gap, packing.provenOptimal], [0, 0, 0, true]);
});

test("estimates and sums of values do not depend on the order of the input", async () => {
  const equal = [fragment("f0", 0.5, 10), fragment("f1", 0.5, 10)];
  const roots = [1, 10, 21, 10, 10, 20].map((tokens, i) => fragment(`r${i}`, [0.1, 0.9, 1, 0.5, 0.5, 0.3][i]!, tokens));
  for (const [fragments, tokens, options] of [
    [equal, 5, {}],
    [roots, 58, { valueExponent: 0.5 }],
  ] as const) {
    const pipeline = pipelineDraft({ packer: "optimal", options });
    const told = await Promise.all(
      [fragments, [...fragments].reverse()].map(async (given) => {
        const { packing, decisions } = await payloadOf({ fragments: given, tokens, pipeline });
        const missing = decisions.toArray().map(({ fragmentId, tokensMissing }) => [fragmentId, tokensMissing]);
        return { packing, missing: missing.sort() };
      }),
    );
    assert.deepEqual(told[0], told[1]);
  }
});

test("beside variants a number is exact, whatever else is linked, where nothing requires one of them", async () => {
  const fragments = [
    fragment("full", 0.9, 20, { ukoNode: "n", detailDepth: 9 }),
    fragment("short", 0.8, 5, { ukoNode: "n", detailDepth: 2 }),
    fragment("other", 0.5, 30),
    fragment("call", 0.1, 12, { groupId: "g" }),
    fragment("rest", 0, 1, { requires: ["call"] }),
  ];
  const corner = (tokens: number) => ({
    fragments,
    tokens,
    pipeline: pipelineDraft({ profile: "fusion", packer: "in_order" }),
  });
  const { tokensMissing, tokensMissingExact } = (await decisionsById(corner(40))).other!;
  assert.deepEqual([tokensMissing, tokensMissingExact], [10, true]);
  assert.ok(!(await selected(corner(49))).includes("other"));
  assert.ok((await selected(corner(50))).includes("other"));
});
