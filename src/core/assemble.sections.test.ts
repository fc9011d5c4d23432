/** Floors and caps of parts of the budget, computed by hand, under every packer. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fragment } from "./corners.fixture.js";
import { ContextError } from "./errors.js";
import type { FragmentDraft } from "./model/fragment.js";
import { Reason } from "./model/payload.js";
import {
  type Case,
  COLD,
  decisionsOf,
  HOT,
  PACKERS,
  payloadOf,
  roleOf,
  sectionOf,
  selected,
  TOOL,
  tierOf,
  USER,
  WARM,
} from "./sections.fixture.js";

/** The violations of a refused request, or the reason and message of another refusal. */
async function refusalOf(given: Case): Promise<string[]> {
  try {
    await payloadOf(given);
  } catch (error) {
    assert.ok(error instanceof ContextError);
    if (error.reason !== "INVALID_REQUEST") return [error.reason, error.message];
    return error.violations.map(({ field, description }) => `${field} ${description}`);
  }
  return assert.fail("was not refused");
}

const coldAndHot = [
  fragment("c1", 0.2, 60, { tier: COLD }),
  fragment("c2", 0.1, 60, { tier: COLD }),
  fragment("h", 0.9, 100, { tier: HOT }),
  fragment("h2", 0.8, 100, { tier: HOT }),
];

for (const packer of PACKERS) {
  test(`${packer}: a floor is filled first, and what it cannot spend is free again`, async () => {
    const floor = (floorTokens: number): Case => ({
      fragments: coldAndHot,
      tokens: 200,
      sections: [tierOf(COLD, { floorTokens })],
      packer,
    });
    assert.deepEqual(await selected(floor(0)), ["h", "h2"]);
    assert.deepEqual(await selected(floor(59)), ["h", "h2"]);
    assert.deepEqual(await selected(floor(60)), ["c1", "h"]);
    assert.deepEqual(await selected(floor(100)), ["c1", "h"]);
    assert.deepEqual(await selected(floor(120)), ["c1", "c2"]);
  });

  test(`${packer}: a cap is tested before the budget, and has a reason of its own`, async () => {
    const capped = { fragments: coldAndHot, tokens: 1_000, sections: [tierOf(HOT, { capTokens: 150 })], packer };
    assert.deepEqual(await selected(capped), ["c1", "c2", "h"]);
    assert.deepEqual((await decisionsOf(capped)).get("h2"), { reason: Reason.SECTION_CAP, tokensMissing: undefined });
    const tight = await decisionsOf({ ...capped, tokens: 180 });
    assert.equal(tight.get("c2")!.reason, Reason.OVER_BUDGET);
    assert.equal(tight.get("h2")!.reason, Reason.SECTION_CAP);
  });

  test(`${packer}: a cap that is a share grows with the budget`, async () => {
    const capped = { fragments: coldAndHot, tokens: 200, sections: [tierOf(HOT, { capShare: 0.5 })], packer };
    assert.deepEqual(await selected(capped), ["c1", "h"]);
    assert.equal((await decisionsOf(capped)).get("h2")!.reason, Reason.OVER_BUDGET);
    assert.deepEqual(await selected({ ...capped, tokens: 400 }), ["c1", "c2", "h", "h2"]);
  });

  test(`${packer}: pins count for the floor and for the cap of their section`, async () => {
    const pinned = coldAndHot.map((draft) => (draft.fragmentId === "c2" ? { ...draft, pinned: true } : draft));
    const floor = { fragments: pinned, tokens: 200, sections: [tierOf(COLD, { floorTokens: 60 })], packer };
    assert.deepEqual(await selected(floor), ["c2", "h"]);
    const cap = { fragments: pinned, tokens: 1_000, sections: [tierOf(COLD, { capTokens: 119 })], packer };
    assert.deepEqual(await selected(cap), ["c2", "h", "h2"]);
    assert.deepEqual(await refusalOf({ ...cap, sections: [tierOf(COLD, { capTokens: 59 })] }), [
      "PINNED_OVER_CAP",
      "the pinned fragments take, with all that they bring, 60 tokens of the section tier cold, whose cap is 59",
    ]);
  });

  test(`${packer}: a floor takes no unit that reaches out of its section, and the deepest variants alone`, async () => {
    const fragments = [
      fragment("call", 0.4, 20, { role: USER, groupId: "g" }),
      fragment("result", 0.4, 20, { role: TOOL, groupId: "g" }),
      fragment("lone", 0.1, 30, { role: TOOL }),
      fragment("rest", 0.9, 60),
    ];
    const sections = [roleOf(TOOL, { floorTokens: 50 })];
    assert.deepEqual(await selected({ fragments, tokens: 90, sections, packer }), ["lone", "rest"]);
    const variants = [
      fragment("deep", 0.3, 50, { ukoNode: "x", detailDepth: 9, tier: COLD }),
      fragment("flat", 0.3, 20, { ukoNode: "x", detailDepth: 1, tier: COLD }),
      fragment("hot", 0.9, 70, { tier: HOT }),
    ];
    const short = {
      fragments: variants,
      tokens: 75,
      sections: [tierOf(COLD, { floorTokens: 30 })],
      packer,
      pipeline: { depthResolver: "max_depth" },
    };
    assert.deepEqual(await selected(short), ["hot"]);
    assert.deepEqual(await selected({ ...short, sections: [tierOf(COLD, { floorTokens: 50 })] }), ["deep"]);
  });
}

for (const packer of PACKERS) {
  test(`${packer}: a floor is filled with what a fragment of it requires, though no strategy nominated that`, async () => {
    const fragments = [fragment("old", 0.5, 5), fragment("new", 0.5, 20, { requires: ["old"] })];
    const sections = [tierOf(WARM, { floorTokens: 25 })];
    const window = { $case: "slidingWindow" as const, value: { windowSize: 1, windowMode: 0 } };
    const strategies = [{ name: "sliding_window", config: window }];
    const given = { fragments, tokens: 1_000, sections, strategies, packer };
    assert.deepEqual(await selected(given), ["new", "old"]);
    const reasons = await decisionsOf(given);
    assert.equal(reasons.get("old")!.reason, Reason.REQUIRED);
  });

  test(`${packer}: what the budget keeps out has a number beside a cap too, where something in would give way to it`, async () => {
    const fragments = [fragment("big", 0.9, 23, { tier: HOT }), fragment("small", 0.5, 12, { tier: HOT })];
    const capped = { fragments, tokens: 18, sections: [tierOf(HOT, { capTokens: 30 })], packer };
    assert.deepEqual(await selected(capped), ["small"]);
    assert.deepEqual(await selected({ ...capped, tokens: 23 }), ["big"]);
    const { reason, tokensMissing = 0 } = (await decisionsOf(capped)).get("big")!;
    assert.equal(reason, Reason.OVER_BUDGET);
    assert.ok(tokensMissing >= 5, `${tokensMissing}`);
    assert.deepEqual(await selected({ ...capped, tokens: 18 + tokensMissing }), ["big"]);
  });
}

test("a window keeps its longest suffix within the floor, and a miss by a cap ends it", async () => {
  const message = (at: number, role: number, tokens: number): FragmentDraft =>
    fragment(`m${at}`, 0.5, tokens, { role, createdAt: { seconds: at, nanos: 0 } });
  const fragments = [
    message(1, TOOL, 10),
    message(2, USER, 10),
    message(3, TOOL, 30),
    message(4, USER, 10),
    message(5, TOOL, 10),
  ];
  const strategies = [{ name: "sliding_window" }];
  const capped = { fragments, tokens: 100, sections: [roleOf(TOOL, { capTokens: 30 })], strategies };
  assert.deepEqual(await selected(capped), ["m4", "m5"]);
  const reasons = await decisionsOf(capped);
  assert.deepEqual(
    [...reasons.values()].map(({ reason }) => reason),
    [Reason.SECTION_CAP, Reason.SECTION_CAP, Reason.SECTION_CAP, Reason.CHOSEN, Reason.CHOSEN],
  );
  // The floor of 40 holds m5 and m3, newest first; m1 is older than what the floor misses no more of.
  assert.deepEqual(
    await selected({ fragments, tokens: 45, sections: [roleOf(TOOL, { floorTokens: 40 })], strategies }),
    ["m3", "m5"],
  );
});

test("floors are filled before the strategies have their shares", async () => {
  const fragments = [
    fragment("cold", 0.1, 40, { tier: COLD, createdAt: { seconds: 1, nanos: 0 } }),
    fragment("a", 0.9, 48, { createdAt: { seconds: 2, nanos: 0 } }),
    fragment("b", 0.2, 12, { createdAt: { seconds: 3, nanos: 0 } }),
  ];
  const strategies = [
    { name: "relevance", confidence: 0.8 },
    { name: "recency", confidence: 0.2 },
  ];
  // 100 less 40 is 60, of which relevance has 48 and recency 12.
  const sections = [tierOf(COLD, { floorTokens: 40 })];
  assert.deepEqual(await selected({ fragments, tokens: 100, sections, strategies }), ["a", "b", "cold"]);
});

test("sections by group and by metadata hold what they name", async () => {
  const fragments = [
    fragment("g1", 0.9, 50, { groupId: "g" }),
    fragment("g2", 0.9, 50, { groupId: "g" }),
    fragment("team", 0.8, 30, { metadata: new Map([["team", "a"]]) }),
    fragment("other", 0.1, 30, { metadata: new Map([["team", "b"]]) }),
  ];
  const sections = [
    sectionOf({ $case: "groupId", value: "g" }, { capTokens: 99 }),
    sectionOf({ $case: "metadata", value: { key: "team", value: "b" } }, { floorTokens: 30 }),
  ];
  assert.deepEqual(await selected({ fragments, tokens: 60, sections }), ["other", "team"]);
});

test("shares of floors lose no token, by the largest remainder", async () => {
  const third = { floorShare: 1 / 3 };
  const fragments = [HOT, 2, COLD].flatMap((tier) =>
    Array.from({ length: 40 }, (_, i) => fragment(`${tier}-${i}`, 0.5, 1, { tier })),
  );
  const payload = await payloadOf({
    fragments,
    tokens: 100,
    sections: [tierOf(HOT, third), tierOf(2, third), tierOf(COLD, third)],
  });
  const tokensOf = (tier: number): number => payload.fragments.filter((one) => one.tier === tier).length;
  assert.deepEqual([HOT, 2, COLD].map(tokensOf), [34, 33, 33]);
});

test("a cap gives way to alternatives of a group that keep it, whoever is over it", async () => {
  const grouped = { groupId: "g", ukoNode: "n" };
  const capped = { ...grouped, tier: HOT, detailDepth: 2 };
  const one = [
    fragment("call", 0.9, 30, grouped),
    fragment("short", 0.9, 50, { ...grouped, variantKey: "k" }),
    fragment("deep", 0.9, 100, { ...capped, variantKey: "k" }),
  ];
  const two = [
    fragment("d1", 0.9, 60, { ...capped, variantKey: "k1" }),
    fragment("s1", 0.9, 5, { ...grouped, variantKey: "k1" }),
    fragment("d2", 0.9, 60, { ...capped, variantKey: "k2" }),
    fragment("s2", 0.9, 5, { ...grouped, variantKey: "k2" }),
  ];
  for (const packer of ["in_order", "greedy_knapsack", "diverse"]) {
    const pipeline = { profile: "fusion" };
    const given = { tokens: 1_000, packer, pipeline };
    const forOne = { ...given, fragments: one, sections: [tierOf(HOT, { capTokens: 10 })] };
    assert.deepEqual(await selected(forOne), ["call", "short"]);
    // Deepest first, the last part giving way first.
    const forTwo = { ...given, fragments: two, sections: [tierOf(HOT, { capTokens: 60 })] };
    assert.deepEqual(await selected(forTwo), ["d1", "s2"]);
  }
});

test("what a cap in tokens keeps out of a packing with variants has no number, and is no fault", async () => {
  const warm = 2;
  const fragments = [
    fragment("a", 0.5, 20, { requires: ["b"] }),
    fragment("b", 0.5, 5, { variantKey: "k", tier: COLD }),
    fragment("c", 0.74, 10),
    fragment("d", 0.7, 10, { variantKey: "k" }),
  ];
  const sections = [tierOf(warm, { capTokens: 18 })];
  const given = { fragments, tokens: 11, sections, packer: "in_order", pipeline: { profile: "fusion" } };
  assert.deepEqual((await decisionsOf(given)).get("a"), { reason: Reason.SECTION_CAP, tokensMissing: undefined });
});

test("a share of nothing is a cap that no budget lifts, and sections without caps keep nothing out", async () => {
  const none = {
    fragments: [fragment("a", 0.5, 5, { tier: COLD })],
    tokens: 10,
    sections: [tierOf(COLD, { capShare: 0 })],
  };
  assert.deepEqual((await decisionsOf(none)).get("a"), { reason: Reason.SECTION_CAP, tokensMissing: undefined });
  const lost = [
    fragment("f0", 0.9, 19, { variantKey: "l", requires: ["f2"] }),
    fragment("f2", 0.9, 2, { variantKey: "l", requires: ["f0"] }),
  ];
  const pipeline = { profile: "fusion", options: { minFragmentTokens: 0 } };
  const floor = { fragments: lost, tokens: 14, sections: [roleOf(USER, { floorTokens: 4 })], pipeline };
  assert.equal((await decisionsOf(floor)).get("f0")!.reason, Reason.REQUIREMENT_MISSING);
});

test("behind a message that misses by a cap nothing enters before it does", async () => {
  const warm = 2;
  const fragments = [fragment("old", 0.5, 10, { tier: COLD }), fragment("big", 0.5, 25, { tier: warm })];
  const strategies = [{ name: "sliding_window" }];
  const sections = [tierOf(warm, { capShare: 0.1 })];
  const decisions = await decisionsOf({ fragments, tokens: 35, sections, strategies });
  assert.deepEqual([decisions.get("big")!.tokensMissing, decisions.get("old")!.tokensMissing], [215, 215]);
});
