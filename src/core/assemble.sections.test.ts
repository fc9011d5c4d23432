/** Floors and caps of parts of the budget, computed by hand, under every packer; and on random requests what must always hold. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { assembled, budgetOf, fragmentDraft, idsOf, pipelineDraft, requestDraft } from "./drafts.fixture.js";
import { ContextError } from "./errors.js";
import type { FragmentDraft } from "./model/fragment.js";
import { type Payload, Reason } from "./model/payload.js";
import type { PipelineSpecDraft } from "./model/pipeline-spec.js";
import type { SectionDraft } from "./model/sections.js";
import type { StrategySpecDraft } from "./model/strategy-spec.js";

const [HOT, COLD] = [1, 3];
const [SYSTEM, USER, TOOL] = [1, 2, 4];
const PACKERS = ["in_order", "greedy_knapsack", "relaxation", "optimal", "diverse"];

const tierOf = (value: number, fields: Partial<SectionDraft>): SectionDraft =>
  sectionOf({ $case: "tier", value }, fields);
const roleOf = (value: number, fields: Partial<SectionDraft>): SectionDraft =>
  sectionOf({ $case: "role", value }, fields);

function sectionOf(selector: SectionDraft["selector"], fields: Partial<SectionDraft>): SectionDraft {
  return { selector, floorTokens: 0, capTokens: 0, ...fields };
}

function fragment(id: string, relevance: number, tokens: number, fields: Partial<FragmentDraft> = {}): FragmentDraft {
  return fragmentDraft({
    fragmentId: id,
    ukoNode: id,
    content: id,
    relevanceScore: relevance,
    tokenCount: tokens,
    ...fields,
  });
}

interface Case {
  readonly fragments: readonly FragmentDraft[];
  readonly tokens: number;
  readonly sections: readonly SectionDraft[];
  readonly packer?: string;
  readonly pipeline?: Partial<PipelineSpecDraft>;
  readonly strategies?: readonly StrategySpecDraft[];
}

function payloadOf({
  fragments,
  tokens,
  sections,
  packer = "",
  pipeline = {},
  strategies = [],
}: Case): Promise<Payload> {
  return assembled(
    requestDraft({
      fragments,
      budget: { ...budgetOf(tokens), sections },
      trace: 3,
      pipeline: pipelineDraft({ packer, ...pipeline }),
      strategies,
    }),
  );
}

async function selected(given: Case): Promise<string[]> {
  return idsOf((await payloadOf(given)).fragments).sort();
}

async function decisionsOf(given: Case): Promise<Map<string, { reason: Reason; tokensMissing: number | undefined }>> {
  const { decisions } = await payloadOf(given);
  return new Map(
    decisions.toArray().map(({ fragmentId, reason, tokensMissing }) => [fragmentId, { reason, tokensMissing }]),
  );
}

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

test("every fault of the sections is named at once, with its numbers", async () => {
  const faults = await refusalOf({
    fragments: [],
    tokens: 100,
    sections: [
      { floorTokens: 0, capTokens: 0 },
      tierOf(0, {}),
      roleOf(9, { floorTokens: -1 }),
      sectionOf({ $case: "groupId", value: "" }, { capTokens: 1.5 }),
      tierOf(HOT, { floorShare: 1.5, capShare: 0.5, capTokens: 7 }),
      tierOf(HOT, {}),
    ],
  });
  assert.deepEqual(faults, [
    "budget.sections[0] selects nothing; one of tier, role, group_id and metadata is required",
    "budget.sections[1].tier is unspecified; a section names the one it is for",
    "budget.sections[2].role is 9; allowed are system (1), user (2), assistant (3) and tool (4)",
    "budget.sections[2].floor_tokens is -1; allowed are whole numbers from 0",
    "budget.sections[3].group_id is empty; a section names the one it is for",
    "budget.sections[3].cap_tokens is 1.5; allowed are whole numbers from 0",
    "budget.sections[4].floor_share is 1.5; allowed is 0.0 to 1.0",
    "budget.sections[4].cap_share is given beside 7 tokens; allowed is one of the two",
    "budget.sections[5] selects tier hot, as budget.sections[4] does",
  ]);
});

test("floors that cannot hold together are refused with both numbers", async () => {
  const none = { fragments: [], tokens: 100 };
  assert.deepEqual(
    await refusalOf({ ...none, sections: [tierOf(HOT, { floorTokens: 60 }), tierOf(COLD, { floorTokens: 41 })] }),
    ["budget.sections have floors of tiers of 101 tokens in all; 100 are available"],
  );
  assert.deepEqual(
    await refusalOf({ ...none, sections: [tierOf(HOT, { floorShare: 0.6 }), tierOf(COLD, { floorShare: 0.5 })] }),
    ["budget.sections have floor shares of tiers that add up to 1.1; at most 1 is allowed"],
  );
  assert.deepEqual(await refusalOf({ ...none, sections: [tierOf(HOT, { floorTokens: 60, capTokens: 50 })] }), [
    "budget.sections[0] has a floor of 60 tokens, which is over its cap of 50",
  ]);
  // Sections of different kinds may hold the same fragments.
  await payloadOf({ ...none, sections: [tierOf(HOT, { floorTokens: 60 }), roleOf(SYSTEM, { floorTokens: 60 })] });
});

test("whatever packs: no cap is broken, and every floor holds at least what in_order fills it with", async () => {
  const arbitraryFragment = fc.record({
    relevanceScore: fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10),
    tokenCount: fc.integer({ min: 0, max: 40 }),
    tier: fc.constantFrom(1, 2, 3),
    role: fc.constantFrom(0, USER, TOOL),
    groupId: fc.constantFrom("", "", "", "g", "h"),
    ukoNode: fc.constantFrom("x", "y", "z", "w"),
    detailDepth: fc.integer({ min: 0, max: 9 }),
  });
  const arbitrarySection = fc.record({
    floorTokens: fc.integer({ min: 0, max: 30 }),
    room: fc.integer({ min: 0, max: 60 }),
    isCapped: fc.boolean(),
  });
  const arbitrary = fc.record({
    fragments: fc.array(arbitraryFragment, { maxLength: 14 }),
    hot: arbitrarySection,
    tool: arbitrarySection,
    tokens: fc.integer({ min: 30, max: 200 }),
    packer: fc.constantFrom(...PACKERS),
    requires: fc.array(fc.tuple(fc.nat(13), fc.nat(13)), { maxLength: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(arbitrary, async ({ fragments, hot, tool, tokens, packer, requires }) => {
      const drafts = fragments.map((fields, i) =>
        fragmentDraft({
          ...fields,
          fragmentId: `f${i}`,
          content: `c${i}`,
          requires: requires.flatMap(([from, to]) =>
            from === i && to < fragments.length && to !== i ? [`f${to}`] : [],
          ),
        }),
      );
      const amounts = ({ floorTokens, room, isCapped }: typeof hot): Partial<SectionDraft> => ({
        floorTokens,
        capTokens: isCapped ? Math.max(1, floorTokens + room) : 0,
      });
      const sections = [tierOf(HOT, amounts(hot)), roleOf(TOOL, amounts(tool))];
      const payload = await payloadOf({ fragments: drafts, tokens, sections, packer });
      const usedIn = (holds: (one: { tier: number; role: number }) => boolean): number =>
        payload.fragments.filter(holds).reduce((sum, { tokenCount }) => sum + tokenCount, 0);
      assert.ok(payload.totalTokens <= tokens);
      for (const [{ capTokens }, used] of [
        [sections[0]!, usedIn(({ tier }) => tier === HOT)],
        [sections[1]!, usedIn(({ role }) => role === TOOL)],
      ] as const) {
        assert.ok(capTokens === 0 || used <= capTokens, `${used} of ${capTokens}`);
      }
      assert.equal(payload.decisions.toArray().length, drafts.length);
      const reversed = await payloadOf({
        fragments: [...drafts].reverse().map((draft, i) => ({ ...draft, createdAt: { seconds: 10 - i, nanos: 0 } })),
        tokens,
        sections,
        packer,
      });
      const again = await payloadOf({
        fragments: drafts.map((draft, i) => ({ ...draft, createdAt: { seconds: 11 - drafts.length + i, nanos: 0 } })),
        tokens,
        sections,
        packer,
      });
      assert.deepEqual(idsOf(reversed.fragments), idsOf(again.fragments));
    }),
    { numRuns: 300, seed: 4 },
  );
});
