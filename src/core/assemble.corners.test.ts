/** Corners of variants, groups, requirements, pins and windows, each computed by hand; and every drop of small pools against every budget. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  at,
  type Corner,
  decisionsById,
  fragment,
  fusion,
  fusionAsScored,
  inOrderDeepest,
  payloadOf,
  reasons,
  selected,
  windowOf,
} from "./corners.fixture.js";
import { pipelineDraft } from "./drafts.fixture.js";
import { ContextError } from "./errors.js";
import type { FragmentDraft } from "./model/fragment.js";
import { type Decision, Outcome, Reason } from "./model/payload.js";
import type { StrategySpecDraft } from "./model/strategy-spec.js";

test("a group has one of each key, the deepest first, in any order of the input", async () => {
  const call = fragment("call", 0.5, 10, { groupId: "g" });
  const deep = fragment("deep", 0.5, 50, { groupId: "g", variantKey: "k", detailDepth: 9 });
  const short = fragment("short", 0.5, 15, { groupId: "g", variantKey: "k", detailDepth: 2 });
  for (const fragments of [
    [call, deep, short],
    [short, deep, call],
    [deep, short, call],
  ]) {
    const all = await selected({ fragments, tokens: 1_000, pipeline: fusion });
    assert.deepEqual(all.sort(), ["call", "deep"]);
    const tight = await selected({ fragments, tokens: 40, pipeline: fusion });
    assert.deepEqual(tight.sort(), ["call", "short"]);
  }
});

test("alternatives give way in a group that a requirement brings, too", async () => {
  const fragments = [
    fragment("y", 0.9, 20, { requires: ["call"] }),
    fragment("call", 0.5, 10, { groupId: "g" }),
    fragment("deep", 0.5, 500, { groupId: "g", variantKey: "k", detailDepth: 9 }),
    fragment("short", 0.5, 15, { groupId: "g", variantKey: "k", detailDepth: 2 }),
  ];
  assert.deepEqual((await selected({ fragments, tokens: 100, pipeline: fusion })).sort(), ["call", "short", "y"]);
});

test("pins that fit with the cheapest alternatives are not refused, and a refusal names what is needed", async () => {
  const fragments = [
    fragment("a", 0.5, 10, { groupId: "g", pinned: true }),
    fragment("ad", 0.5, 50, { groupId: "g", variantKey: "k", detailDepth: 9 }),
    fragment("as", 0.5, 5, { groupId: "g", variantKey: "k", detailDepth: 1 }),
    fragment("b", 0.5, 10, { pinned: true, requires: ["c"] }),
    fragment("c", 0.5, 40),
  ];
  assert.deepEqual((await selected({ fragments, tokens: 80, pipeline: fusion })).sort(), ["a", "as", "b", "c"]);
  await assert.rejects(
    payloadOf({ fragments, tokens: 40, pipeline: fusion }),
    (error) => error instanceof ContextError && error.metadata.needed_tokens === "65",
  );
});

test("what could not enter at any budget does not end a window", async () => {
  const fragments = [
    fragment("a", 0.5, 10),
    fragment("b", 0.5, 10),
    fragment("c", 0.5, 10, { ...at(3), pinned: true }),
    fragment("e", 0.5, 10, at(7)),
  ];
  const corner = { fragments, tokens: 1_000, pipeline: inOrderDeepest, strategies: [windowOf(10)] };
  assert.deepEqual(await selected(corner), ["a", "b", "c"]);
  assert.equal((await reasons(corner)).e, Reason.OTHER_VARIANT);
});

test("whoever requires a variant that lost has no budget that helps", async () => {
  const fragments = [
    fragment("x9", 0.9, 50, at(9)),
    fragment("x2", 0.5, 20, at(2)),
    fragment("y", 0.6, 10, { requires: ["x2"] }),
    fragment("z", 0.1, 10, { requires: ["x9", "x2"] }),
  ];
  for (const pipeline of [inOrderDeepest, fusionAsScored]) {
    const found = await reasons({ fragments, tokens: 10_000, pipeline });
    assert.equal(found.y, Reason.REQUIREMENT_MISSING);
    assert.equal(found.z, Reason.REQUIREMENT_MISSING);
  }
});

test("a variant that something requires has a turn of its own beside the deepest", async () => {
  const fragments = [
    fragment("x9", 0.9, 500, at(9)),
    fragment("x2", 0.5, 100, at(2)),
    fragment("y", 0.6, 1_000, { requires: ["x2"] }),
  ];
  assert.deepEqual(await selected({ fragments, tokens: 150, pipeline: inOrderDeepest }), ["x2"]);
});

test("a fallback that another strategy nominated is in the payload", async () => {
  const where = (id: string): StrategySpecDraft => ({
    name: id,
    config: {
      $case: "priority",
      value: { rules: [{ field: "fragment_id", matcher: id, score: 1 }], scoreExpression: "" },
    },
  });
  const fragments = [fragment("x9", 0.9, 500, at(9)), fragment("x2", 0.5, 50, at(2))];
  const corner = { fragments, tokens: 100, pipeline: fusion, strategies: [where("x9"), where("x2")] };
  assert.deepEqual(await selected(corner), ["x2"]);
});

test("a scored fragment starts from the relevance that it had, whatever its nomination score happens to be", async () => {
  const metadata = new Map([["acms.original_relevance", "1"]]);
  const fragments = [
    fragment("old", 0.5, 100, { createdAt: { seconds: 1, nanos: 0 }, metadata }),
    fragment("new", 0, 100, { createdAt: { seconds: 2, nanos: 0 } }),
  ];
  assert.deepEqual(await selected({ fragments, tokens: 150, pipeline: fusion, strategies: [{ name: "recency" }] }), [
    "new",
  ]);
  const rated = [fragment("a", 0.9, 10, { metadata: new Map([["acms.original_relevance", "0.3"]]) })];
  const [shown] = (await payloadOf({ fragments: rated, tokens: 100, pipeline: fusion })).fragments;
  assert.equal(shown!.relevanceScore, 0.42);
});

test("a web of requirements in which every walk is long is cut, and the payload says so", async () => {
  const wide = 50;
  const fragments = Array.from({ length: 40 * wide }, (_, i) => {
    const layer = Math.floor(i / wide);
    const next = Array.from({ length: layer < 39 ? wide : 0 }, (_, k) => `f${(layer + 1) * wide + k}`);
    return fragment(`f${i}`, 1 - layer / 40, 1, { requires: next });
  });
  const { warnings } = await payloadOf({ fragments, tokens: 1_500 });
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ["search_cut"],
  );
});

/** Small numbers from a seed, so that a failure comes again. */
function createDice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x7fffffff) * sides);
  };
}

const POOLS: Record<
  string,
  Pick<Corner, "pipeline" | "strategies"> & { fields(dice: (sides: number) => number): Partial<FragmentDraft> }
> = {
  "variants in fusion": {
    pipeline: fusion,
    fields: (dice) => (dice(5) < 3 ? at(dice(10), `X${dice(2)}`) : {}),
  },
  "variants and pins in fusion": {
    pipeline: fusion,
    fields: (dice) => ({ ...(dice(5) < 3 ? at(dice(10), `X${dice(2)}`) : {}), pinned: dice(4) === 0 }),
  },
  "groups and pins": {
    fields: (dice) => ({ groupId: ["", "g", "h"][dice(3)]!, pinned: dice(4) === 0 }),
  },
  "a window with groups, roles and pins": {
    strategies: [windowOf(3)],
    fields: (dice) => ({ groupId: ["", "g", "h"][dice(3)]!, role: [1, 2, 2, 3, 4][dice(5)]!, pinned: dice(4) === 0 }),
  },
  "a preamble and an outline in fusion": {
    pipeline: pipelineDraft({ profile: "fusion", preambleGenerator: "provenance" }),
    fields: (dice) => (dice(5) < 3 ? at(dice(10), `X${dice(2)}`) : {}),
  },
};

for (const [what, { fields, ...corner }] of Object.entries(POOLS)) {
  test(`every number that is said to be exact is, for ${what}`, async () => {
    const dice = createDice(11);
    for (let pool = 0; pool < 12; pool++) {
      const fragments = Array.from({ length: 2 + dice(4) }, (_, i) =>
        fragment("abcdef"[i]!, [0, 0.3, 0.5, 0.5, 0.9][dice(5)]!, [0, 5, 10, 12, 20, 33][dice(6)]!, fields(dice)),
      );
      await checkEveryBudget({ fragments, ...corner });
    }
  });
}

async function checkEveryBudget(corner: Omit<Corner, "tokens">): Promise<void> {
  const most = corner.fragments.reduce((sum, { tokenCount }) => sum + (tokenCount ?? 0), 0) * 2 + 40;
  const byBudget: (readonly Decision[] | undefined)[] = [];
  for (let tokens = 1; tokens <= most; tokens++) {
    byBudget[tokens] = await payloadOf({ ...corner, tokens }).then(
      ({ decisions }) => decisions.toArray(),
      () => undefined,
    );
  }
  for (let tokens = 1; tokens <= most; tokens++) {
    for (const { inputIndex, tokensMissing, tokensMissingExact, reason } of byBudget[tokens] ?? []) {
      if (tokensMissing === undefined) {
        // At the largest budget nothing is short, so nothing is over budget.
        if (tokens === most) assert.notEqual(reason, Reason.OVER_BUDGET, JSON.stringify(corner.fragments));
        continue;
      }
      if (!tokensMissingExact) continue;
      let further = 1;
      while (byBudget[tokens + further]?.[inputIndex]?.outcome === Outcome.DROPPED) further++;
      assert.equal(tokensMissing, further, `input ${inputIndex} at ${tokens} of ${JSON.stringify(corner.fragments)}`);
    }
  }
}

test("an alternative that a member of its own group requires does not give way to a deeper one", async () => {
  const fragments = [
    fragment("short", 0.5, 10, { groupId: "g", variantKey: "k" }),
    fragment("deep", 0.5, 10, { groupId: "g", variantKey: "k", detailDepth: 1 }),
    fragment("needs", 0.5, 10, { groupId: "g", requires: ["short"] }),
  ];
  for (const packer of ["in_order", "greedy_knapsack", "diverse", "relaxation", "optimal"]) {
    for (const tokens of [20, 29, 100]) {
      const pipeline = pipelineDraft({ profile: "fusion", packer });
      assert.deepEqual(await selected({ fragments, tokens, pipeline }), ["short", "needs"], `${packer} ${tokens}`);
    }
  }
});

test("nor one that something outside its group requires, where both enter with a third", async () => {
  const fragments = [
    fragment("short", 0.1, 10, { groupId: "g", variantKey: "k" }),
    fragment("deep", 0.1, 10, { groupId: "g", variantKey: "k", detailDepth: 1 }),
    fragment("with", 0.1, 10, { groupId: "g" }),
    fragment("needs", 0.1, 10, { requires: ["short"] }),
    fragment("lead", 0.9, 10, { requires: ["with", "needs"] }),
  ];
  for (const packer of ["in_order", "greedy_knapsack", "diverse", "relaxation", "optimal"]) {
    const pipeline = pipelineDraft({ profile: "fusion", packer });
    const kept = await selected({ fragments, tokens: 100, pipeline });
    assert.deepEqual(kept.sort(), ["lead", "needs", "short", "with"], packer);
  }
});

test("among equal scores a group stands where its best member does", async () => {
  const fragments = [
    fragment("b", 0.8, 20),
    fragment("a", 0.5, 10, { groupId: "g" }),
    fragment("c", 0.8, 10, { groupId: "g" }),
  ];
  for (const packer of ["in_order", "greedy_knapsack", "diverse"]) {
    const pipeline = pipelineDraft({ profile: "fusion", packer });
    assert.deepEqual(await selected({ fragments, tokens: 20, pipeline }), ["b"], packer);
  }
});

test("relevances that are equal to twelve decimals leave it to the total order which variant stands", async () => {
  const fragments = [
    fragment("first", 0.7, 20, { ukoNode: "n" }),
    fragment("second", 0.7000000000000001, 20, { ukoNode: "n" }),
  ];
  for (const packer of ["in_order", "greedy_knapsack", "optimal"]) {
    const pipeline = pipelineDraft({ profile: "fusion", packer });
    assert.deepEqual(await selected({ fragments, tokens: 100, pipeline }), ["first"], packer);
  }
});

test("what is required names who requires it, though another of that one's group has the turn", async () => {
  const fragments = [
    fragment("lead", 0.9, 10, { groupId: "g" }),
    fragment("needs", 0.5, 10, { groupId: "g", requires: ["far"] }),
    fragment("far", 0.1, 10, { groupId: "h" }),
    fragment("near", 0.1, 10, { groupId: "h" }),
  ];
  const { far, near } = await decisionsById({ fragments, tokens: 100, pipeline: fusion });
  assert.deepEqual([far!.reason, far!.relatedFragmentId], [Reason.REQUIRED, "needs"]);
  assert.deepEqual([near!.reason, near!.relatedFragmentId], [Reason.REQUIRED, "needs"]);
});
