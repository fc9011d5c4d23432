/** The packer `diverse` on random requests: against `greedy_knapsack`, against its definition, and in any order of the input. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { assembled, budgetOf, fragmentsOf, idsOf, pipelineDraft, requestDraft, scored } from "../../drafts.fixture.js";
import type { Fragment, FragmentDraft } from "../../model/fragment.js";
import type { Payload } from "../../model/payload.js";
import type { RequestDraft } from "../../model/request.js";
import { compareTotal } from "../../order/total-order.js";
import { EVERYTHING, randomRequests, SHAPES, withPermutation } from "../../random-requests.fixture.js";
import { jaccard } from "../similarity/jaccard.js";
import { shinglesOf } from "../similarity/shingles.js";

async function packed(fragments: readonly FragmentDraft[], maxTokens: number, diversityLambda: number) {
  const pipeline = pipelineDraft({ packer: "diverse", options: { diversityLambda } });
  return idsOf((await assembled(requestDraft({ fragments, budget: budgetOf(maxTokens), pipeline }))).fragments).sort();
}

const essence = ({ fragments, decisions, totalTokens, contextHash, warnings, packing }: Payload) => ({
  value: packing.value,
  ids: idsOf(fragments),
  decisions: decisions.toArray(),
  totalTokens,
  contextHash,
  warnings,
});

for (const [name, shape] of Object.entries(SHAPES)) {
  test(`lambda 1 is greedy_knapsack without its minimum of tokens: ${name}`, async () => {
    await fc.assert(
      fc.asyncProperty(randomRequests(shape), fc.constantFrom("direct", "fusion"), async (draft, profile) => {
        const options = { minFragmentTokens: 0, diversityLambda: 1 };
        const outcome = (packer: string) =>
          assembled({ ...draft, pipeline: pipelineDraft({ profile, packer, options }) }).then(essence, String);
        assert.deepEqual(await outcome("diverse"), await outcome("greedy_knapsack"));
      }),
      { seed: 1, numRuns: 60 },
    );
  });
}

/** Vectors for some of a request's fragments, by what is in them, so that any order of the input has the same. */
function withVectors(draft: RequestDraft): RequestDraft {
  const vectorOf = ({ content, tokenCount }: FragmentDraft): number[] =>
    content.length % 2 === 0 ? [] : [1, (tokenCount ?? 0) % 3, content.length - 8];
  return { ...draft, fragments: draft.fragments.map((fragment) => ({ ...fragment, vector: vectorOf(fragment) })) };
}

test("any order of the input has the same payload, within the budget, with whole groups", async () => {
  const lambdas = fc.constantFrom(0, 0.3, 0.7);
  // In a group, equal times go by the input, so ids and times stay with their fragments.
  await fc.assert(
    fc.asyncProperty(withPermutation(randomRequests(EVERYTHING)), lambdas, async ([draft, permuted], lambda) => {
      const pipeline = pipelineDraft({ profile: "fusion", packer: "diverse", options: { diversityLambda: lambda } });
      const outcome = (one: RequestDraft) =>
        assembled({ ...withVectors(one), pipeline }).then(
          (payload) => {
            const decisions = payload.decisions
              .toArray()
              .map(({ inputIndex: _, ...decision }) => decision)
              .sort((a, b) => (a.fragmentId < b.fragmentId ? -1 : 1));
            return { ...essence(payload), decisions, budget: payload.budget };
          },
          (error: unknown) => String(error),
        );
      const first = await outcome(draft);
      assert.deepEqual(await outcome(permuted), first);
      if (typeof first === "string") return;
      assert.ok(first.totalTokens <= first.budget.availableTokens);
      const ids = new Set(first.ids);
      const torn = draft.fragments.filter(
        ({ fragmentId, groupId }) =>
          groupId !== "" &&
          !ids.has(fragmentId) &&
          draft.fragments.some((other) => other.groupId === groupId && ids.has(other.fragmentId)),
      );
      assert.deepEqual(torn, []);
    }),
    { seed: 3, numRuns: 150 },
  );
});

/** The definition, read literally: at each step all that fit are compared with all that are in. */
function packLiterally(fragments: readonly Fragment[], maxTokens: number, lambda: number): string[] {
  const sets = new Map(fragments.map((fragment) => [fragment, shinglesOf(fragment.content)]));
  const similarity = (a: Fragment, b: Fragment): number => {
    if (a.vector.length === 0 || b.vector.length === 0) return jaccard(sets.get(a)!, sets.get(b)!);
    const dot = a.vector.reduce((sum, number, i) => sum + number * b.vector[i]!, 0);
    return Math.max(0, dot / (Math.hypot(...a.vector) * Math.hypot(...b.vector)));
  };
  const chosen = fragments.filter(({ pinned }) => pinned);
  let left = chosen.reduce((sum, { tokenCount }) => sum - tokenCount, maxTokens);
  for (;;) {
    const value = (fragment: Fragment): number =>
      lambda * fragment.relevanceScore - (1 - lambda) * Math.max(0, ...chosen.map((one) => similarity(fragment, one)));
    const [best] = fragments
      .filter((fragment) => !chosen.includes(fragment) && fragment.tokenCount <= left)
      .map((fragment) => ({ fragment, value: Math.round(value(fragment) * 1e9) }))
      .sort((a, b) => b.value - a.value || compareTotal(a.fragment, b.fragment));
    if (best === undefined) return idsOf(chosen).sort();
    chosen.push(best.fragment);
    left -= best.fragment.tokenCount;
  }
}

test("the lazy search takes what a comparison of all with all takes", async () => {
  const words = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 8 }).map((list) => list.join(" "));
  const pieces = fc.record({
    relevanceScore: fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10),
    tokenCount: fc.integer({ min: 1, max: 9 }),
    content: words,
    vector: fc.oneof(fc.constant<number[]>([]), fc.constantFrom([1, 0], [3, 4], [4, 3], [-1, 0], [0, 2])),
    pinned: fc.nat(11).map((roll) => roll === 0),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(pieces, { minLength: 1, maxLength: 14 }),
      fc.constantFrom(0, 0.2, 0.5, 0.7, 0.95),
      async (list, lambda) => {
        const drafts = list.map((fields, i) => scored(`f${i}`, fields.relevanceScore, fields.tokenCount, fields));
        const pinned = list.reduce((sum, one) => sum + (one.pinned ? one.tokenCount : 0), 0);
        const maxTokens = pinned + 25;
        assert.deepEqual(
          await packed(drafts, maxTokens, lambda),
          packLiterally(fragmentsOf(...drafts), maxTokens, lambda),
        );
      },
    ),
    { seed: 4, numRuns: 250 },
  );
});
