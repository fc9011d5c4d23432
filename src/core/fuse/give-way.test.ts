import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fragment, payloadOf } from "../corners.fixture.js";
import { fragmentsOf, idsOf, pipelineDraft, scored } from "../drafts.fixture.js";
import type { Fragment, FragmentDraft } from "../model/fragment.js";
import { closureOf, priceOf, wantedAtTurn } from "./closure.js";
import { type WalkSteps, walkSteps } from "./closure-walk.js";
import { linksOf } from "./packing.fixture.js";
import { type Sections, SectionTally } from "./sections.js";

/** A group of parts, each with alternatives of the given prices, the deepest first. */
function groupOf(prices: readonly (readonly number[])[]): Fragment[] {
  return fragmentsOf(
    ...prices.flatMap((part, number) =>
      part.map((price, rank) =>
        scored(`${number}-${rank}`, 1, price, { groupId: "g", variantKey: `k${number}`, detailDepth: 9 - rank }),
      ),
    ),
  );
}

function entering(
  fragments: readonly Fragment[],
  tokens: number,
  more: { tally?: SectionTally; steps?: WalkSteps } = {},
) {
  const links = linksOf(fragments, true);
  const around = { links, isPresent: () => false, isOut: () => false, ...more };
  return closureOf(wantedAtTurn(fragments[0]!, links), tokens, around);
}

/** Every choice of one price for each part: the deepest first, the last part giving way first. */
function* choices(prices: readonly (readonly number[])[]): Generator<readonly number[]> {
  if (prices.length === 0) {
    yield [];
    return;
  }
  for (let rank = 0; rank < prices[0]!.length; rank++) {
    for (const others of choices(prices.slice(1))) yield [rank, ...others];
  }
}

const parts = fc.array(fc.array(fc.nat(12), { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 5 });

test("of all choices the first that fits enters, the last part giving way first", () => {
  fc.assert(
    fc.property(parts, fc.nat(50), (prices, tokens) => {
      const priceOfChoice = (ranks: readonly number[]) => ranks.reduce((sum, rank, i) => sum + prices[i]![rank]!, 0);
      const expected = [...choices(prices)].find((ranks) => priceOfChoice(ranks) <= tokens);
      const entered = entering(groupOf(prices), tokens);
      assert.deepEqual(
        entered && idsOf(entered).sort(),
        expected?.map((rank, number) => `${number}-${rank}`),
      );
    }),
    { seed: 1, numRuns: 1_000 },
  );
});

test("what enters by and by is within the caps, and what it takes of them is counted right", () => {
  fc.assert(
    fc.property(parts, fc.nat(50), fc.tuple(fc.nat(30), fc.nat(30)), (prices, tokens, caps) => {
      const fragments = groupOf(prices);
      // Alternatives of one part lie in one section, in the other, or in both.
      const holding = fragments.map((_, i) => [[0], [1], [0, 1]][i % 3]!);
      const sections = { list: [{}, {}], holding, caps: Float64Array.from(caps) } as unknown as Sections;
      const takenOf = (unit: readonly Fragment[], section: number) =>
        priceOf(unit.filter(({ inputIndex }) => holding[inputIndex]!.includes(section)));
      const fits = (unit: readonly Fragment[]) =>
        priceOf(unit) <= tokens && caps.every((cap, section) => takenOf(unit, section) <= cap);
      const entered = entering(fragments, tokens, { tally: new SectionTally(sections, []) });
      if (entered === undefined) return;
      assert.ok(fits(entered));
      // No single member could be any deeper.
      for (const member of entered) {
        const deeper = fragments.find(
          ({ variantKey, detailDepth }) => variantKey === member.variantKey && detailDepth === member.detailDepth + 1,
        );
        const instead = entered.map((one) => (one === member ? (deeper ?? one) : one));
        if (deeper !== undefined && deeper.tokenCount >= member.tokenCount) {
          assert.ok(!fits(instead) || holding[deeper.inputIndex] !== holding[member.inputIndex]);
        }
      }
    }),
    { seed: 1, numRuns: 1_000 },
  );
});

test("a group of thousands of parts is walked a few times, whatever fits of it", () => {
  const count = 4_000;
  const fragments = groupOf(Array.from({ length: count }, () => [20, 10]));
  for (const [tokens, price] of [
    [9.5 * count, undefined],
    [10.2 * count, 10.2 * count],
    [15 * count, 15 * count],
    [19.9 * count, 19.9 * count],
    [20 * count, 20 * count],
  ] as const) {
    const steps = walkSteps(Number.POSITIVE_INFINITY);
    const entered = entering(fragments, tokens, { steps });
    assert.equal(entered && priceOf(entered), price);
    assert.ok(steps.walked < 4 * count, `${steps.walked} steps`);
    assert.equal(steps.isCut, false);
  }
});

/** Parts whose deep alternatives cost no more than the others, but require what does not fit. */
function demanding(count: number, fields: Partial<FragmentDraft> = {}): FragmentDraft[] {
  return Array.from({ length: count }, (_, i) => [
    fragment(`deep${i}`, 0.5, 10, { groupId: "g", variantKey: `k${i}`, detailDepth: 9, requires: [`extra${i}`] }),
    fragment(`short${i}`, 0.5, 10, { groupId: "g", variantKey: `k${i}`, detailDepth: 2, ...(i === 0 && fields) }),
    fragment(`extra${i}`, 0, 10),
  ]).flat();
}

for (const [kind, fields] of [
  ["a group", {}],
  ["a pinned group", { pinned: true }],
] as const) {
  test(`${kind} of which too many alternatives would have to be tried comes in with short ones, and a warning`, async () => {
    for (const [count, warnings] of [
      [50, []],
      [800, ["search_cut"]],
    ] as const) {
      const pipeline = pipelineDraft({ profile: "fusion", packer: "in_order" });
      const payload = await payloadOf({ fragments: demanding(count, fields), tokens: 10 * count + 9, pipeline });
      const short = payload.fragments.filter(({ fragmentId }) => fragmentId.startsWith("short"));
      assert.deepEqual([payload.fragments.length, short.length], [count, count]);
      assert.deepEqual(
        payload.warnings.map(({ code }) => code),
        warnings,
      );
    }
  });
}
