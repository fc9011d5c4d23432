import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fragmentDraft, idsOf } from "./drafts.fixture.js";
import { Reason } from "./model/payload.js";
import type { SectionDraft } from "./model/sections.js";
import { HOT, PACKERS, payloadOf, roleOf, TOOL, tierOf, USER } from "./sections.fixture.js";

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
    windows: fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 1 }),
  });
  await fc.assert(
    fc.asyncProperty(arbitrary, async ({ fragments, hot, tool, tokens, packer, requires, windows }) => {
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
      const strategies = windows.map((windowSize) => ({
        name: "sliding_window",
        config: { $case: "slidingWindow" as const, value: { windowSize, windowMode: 0 } },
      }));
      const sections = [tierOf(HOT, amounts(hot)), roleOf(TOOL, amounts(tool))];
      const payload = await payloadOf({ fragments: drafts, tokens, sections, packer, strategies });
      const usedIn = (holds: (one: { tier: number; role: number }) => boolean): number =>
        payload.fragments.filter(holds).reduce((sum, { tokenCount }) => sum + tokenCount, 0);
      assert.ok(payload.totalTokens <= tokens);
      for (const [{ capTokens }, used] of [
        [sections[0]!, usedIn(({ tier }) => tier === HOT)],
        [sections[1]!, usedIn(({ role }) => role === TOOL)],
      ] as const) {
        assert.ok(capTokens === 0 || used <= capTokens, `${used} of ${capTokens}`);
      }
      const decisions = payload.decisions.toArray();
      assert.equal(decisions.length, drafts.length);
      for (const { reason, tokensMissing } of decisions) {
        assert.equal(reason === Reason.OVER_BUDGET, tokensMissing !== undefined);
      }
      // For a window the order of the input is the age.
      if (windows.length > 0) return;
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
    { numRuns: 600, seed: 4 },
  );
});
