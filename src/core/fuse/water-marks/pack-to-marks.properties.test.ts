import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { contentHash } from "../../context-hash.js";
import { assembled, budgetOf, idsOf, pipelineDraft } from "../../drafts.fixture.js";
import { ContextError } from "../../errors.js";
import { checkConsistent } from "../../faulty-components.fixture.js";
import { markTokens } from "../../model/budget.js";
import { Outcome, type Payload } from "../../model/payload.js";
import type { RequestDraft } from "../../model/request.js";
import type { SectionDraft } from "../../model/sections.js";
import { EVERYTHING, randomRequests, withPermutation } from "../../random-requests.fixture.js";
import { codes, previousOf } from "./turn.fixture.js";

/** A random request after a random payload of some of its fragments. */
const turns = (requests: fc.Arbitrary<RequestDraft>) =>
  fc.tuple(requests, fc.array(fc.nat(11), { minLength: 1, maxLength: 8 }), fc.constantFrom(0.3, 0.6, 1));

function after(draft: RequestDraft, positions: readonly number[]): NonNullable<RequestDraft["previous"]> {
  const known = [...new Set(positions)].flatMap((i) => draft.fragments[i] ?? []);
  const fragments = known.map(({ fragmentId, content }, k) => ({
    fragmentId: k % 3 === 1 ? "" : fragmentId,
    contentHash: fragmentId === "" || k % 3 !== 0 ? contentHash(content) : "",
  }));
  return { fragments: [...fragments, { fragmentId: "gone", contentHash: "" }] };
}

const packers = fc.constantFrom("in_order", "greedy_knapsack", "relaxation", "optimal");

const sections = fc.constantFrom<SectionDraft[]>(
  [],
  [],
  [{ selector: { $case: "tier", value: 3 }, floorTokens: 10, capTokens: 30 }],
  [
    { selector: { $case: "role", value: 4 }, floorTokens: 0, capTokens: 0, capShare: 0.3 },
    { selector: { $case: "tier", value: 2 }, floorTokens: 5, capTokens: 0 },
  ],
);

test("whatever the packer: within the budget and its sections, and one decision each", () =>
  fc.assert(
    fc.asyncProperty(
      turns(randomRequests(EVERYTHING)),
      packers,
      sections,
      async ([draft, before, low], packer, list) => {
        const pipeline = pipelineDraft({ orderer: "stable", packer, options: { lowWaterMark: low } });
        const budget = { ...budgetOf(draft.budget!.maxTokens + 20), sections: list };
        const request = { ...draft, budget, pipeline, previous: after(draft, before) };
        const payload = await assembled(request).catch((error: unknown) => {
          if (error instanceof ContextError && error.reason.startsWith("PINNED_OVER_")) return undefined;
          throw error;
        });
        if (payload === undefined) return;
        checkConsistent(payload, draft.fragments.length);
        assert.ok(payload.totalTokens <= payload.budget.availableTokens);
        for (const { holds, capTokens } of payload.budget.sections) {
          const held = payload.fragments.filter(holds).reduce((sum, { tokenCount }) => sum + tokenCount, 0);
          assert.ok(held <= capTokens);
        }
        for (const { outcome, tokensMissing } of payload.decisions) {
          assert.ok(outcome === Outcome.DROPPED || tokensMissing === undefined);
        }
      },
    ),
    { seed: 7, numRuns: 400 },
  ));

test("any order of the input gives the same payload", () =>
  fc.assert(
    fc.asyncProperty(
      withPermutation(randomRequests({ ...EVERYTHING, pins: false, strategies: 2 })),
      fc.array(fc.nat(11), { minLength: 1, maxLength: 8 }),
      packers,
      async ([draft, permuted], before, packer) => {
        const fields = { pipeline: pipelineDraft({ orderer: "stable", packer }), previous: after(draft, before) };
        const [one, other] = [await assembled({ ...draft, ...fields }), await assembled({ ...permuted, ...fields })];
        const reasonsOf = ({ decisions }: Payload) =>
          [...decisions]
            .map(({ fragmentId, reason, tokensMissing }) => `${fragmentId} ${reason} ${tokensMissing}`)
            .sort();
        assert.deepEqual(idsOf(other.fragments), idsOf(one.fragments));
        assert.deepEqual(reasonsOf(other), reasonsOf(one));
        assert.deepEqual([other.stablePrefixTokens, codes(other)], [one.stablePrefixTokens, codes(one)]);
      },
    ),
    { seed: 7, numRuns: 200 },
  ));

test("the selection is all; or what was there with what is deserved, where both fit; or what is deserved alone", () =>
  fc.assert(
    fc.asyncProperty(
      turns(randomRequests({ ids: "all", groups: true, pins: false, strategies: 1 })),
      async ([draft, before, low]) => {
        const fragments = draft.fragments.map((fragment) => ({ ...fragment, requires: [] }));
        const { maxTokens } = draft.budget!;
        const all = { ...draft, fragments, budget: budgetOf(maxTokens), strategies: [] };
        const there = [...new Set(before)].filter((i) => i < fragments.length);
        const previous = previousOf(...there.map((i) => `f${i}`), "gone");
        const pipeline = pipelineDraft({ orderer: "stable", options: { lowWaterMark: low } });
        const given = await assembled({ ...all, pipeline, previous });
        const plain = positionsOf(await assembled(all));
        if (plain.length === fragments.length) return assert.deepEqual(positionsOf(given), plain);

        const prices = await pricesOf(all);
        const priceOf = (positions: readonly number[]): number => positions.reduce((sum, i) => sum + prices[i]!, 0);
        const withGroup = (i: number): number[] => {
          const { groupId } = fragments[i]!;
          return groupId === "" ? [i] : fragments.flatMap((one, k) => (one.groupId === groupId ? [k] : []));
        };
        const dearest = Math.max(0, ...plain.map((i) => priceOf(withGroup(i))));
        const lowTokens = Math.max(markTokens(maxTokens, low), dearest);
        // A budget of no tokens cannot be asked for.
        if (lowTokens === 0) return;
        const deserved = positionsOf(await assembled({ ...all, budget: budgetOf(lowTokens) }));
        const both = [...new Set([...there, ...deserved].flatMap(withGroup))].sort((a, b) => a - b);
        const fits = priceOf(both) <= maxTokens;
        assert.deepEqual(positionsOf(given), fits ? both : deserved);
        assert.equal(codes(given).includes("cut_to_low_water_mark"), !fits);
      },
    ),
    { seed: 7, numRuns: 400 },
  ));

const positionsOf = ({ fragments }: Payload): number[] =>
  fragments.map(({ inputIndex }) => inputIndex).sort((a, b) => a - b);

/** The price of each fragment, as a payload without a limit has it. */
async function pricesOf(draft: RequestDraft): Promise<number[]> {
  const { fragments } = await assembled({ ...draft, budget: budgetOf(1_000_000) });
  const prices: number[] = [];
  for (const { inputIndex, tokenCount } of fragments) prices[inputIndex] = tokenCount;
  return prices;
}
