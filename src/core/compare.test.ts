import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { builtInRegistry } from "./built-in.js";
import { type ComparedOutcome, type ComparisonResult, compareStrategies } from "./compare.js";
import {
  assembled,
  budgetOf,
  fragmentDraft,
  idsOf,
  pipelineDraft,
  requestDraft,
  scored,
  surroundingsOf,
  testRun,
} from "./drafts.fixture.js";
import { ContextError } from "./errors.js";
import { type ComparisonDraft, readComparison, type VariantDraft } from "./model/comparison.js";
import type { Payload } from "./model/payload.js";
import type { RequestDraft } from "./model/request.js";
import { EVERYTHING, randomRequests, withPermutation } from "./random-requests.fixture.js";
import type { Registry } from "./registry.js";

const named = (...names: string[]): VariantDraft => ({ label: "", strategies: names.map((name) => ({ name })) });
const piped = (fields: Parameters<typeof pipelineDraft>[0]): VariantDraft => {
  return { label: "", strategies: [], pipeline: pipelineDraft(fields) };
};

async function compared(
  draft: ComparisonDraft,
  registry: Registry = builtInRegistry(),
  run = testRun(),
): Promise<ComparisonResult> {
  return compareStrategies(await readComparison(draft, surroundingsOf(run)), registry, run);
}

function payloadOf(outcome: ComparedOutcome | undefined): Payload {
  assert.ok(outcome !== undefined && "payload" in outcome, outcome && "error" in outcome ? outcome.error.message : "");
  return outcome.payload;
}

function errorOf(outcome: ComparedOutcome | undefined): ContextError {
  assert.ok(outcome !== undefined && "error" in outcome, "has a payload");
  return outcome.error;
}

const at = (seconds: number) => ({ createdAt: { seconds, nanos: 0 } });

/** best(.9/60, old), new(.1/50, new), both(.8/30), none(0/500). */
const input = requestDraft({
  fragments: [
    scored("best", 0.9, 60, at(1)),
    scored("new", 0.1, 50, at(30)),
    scored("both", 0.8, 30, at(20)),
    scored("none", 0, 500, at(0)),
  ],
  budget: budgetOf(90),
});

test("each variant has the payload of an assembly of its own, and the differences say who kept what", async () => {
  const result = await compared({ assemble: input, variants: [named("relevance"), named("recency")] });
  const [relevance, recency] = result.outcomes;
  assert.deepEqual(
    [relevance, recency].map((outcome) => [outcome?.label, idsOf(payloadOf(outcome).fragments)]),
    [
      ["relevance", ["best", "both"]],
      ["recency", ["new", "both"]],
    ],
  );
  assert.deepEqual(
    result.differences.map(({ fragment, keptBy }) => [fragment.fragmentId, keptBy]),
    [
      ["best", [0]],
      ["new", [1]],
    ],
  );
  assert.deepEqual(idsOf(result.keptByAll), ["both"]);
  assert.equal(result.keptByNone, 1);
});

test("the relevance is summed as the caller gave it, whatever a scorer makes of it", async () => {
  const variants = [
    piped({ profile: "fusion" }),
    piped({ profile: "direct" }),
    { ...named("recency"), pipeline: pipelineDraft() },
  ];
  const { outcomes } = await compared({ assemble: { ...input, budget: budgetOf(1_000) }, variants });
  assert.deepEqual(
    outcomes.map((outcome) => "payload" in outcome && outcome.relevanceSum),
    [1.8, 1.8, 1.8],
  );
  assert.notEqual(payloadOf(outcomes[0]).fragments[0]?.relevanceScore, 0.9);
});

test("what fails under one variant fails it alone", async () => {
  const pinned = requestDraft({
    fragments: [scored("pin", 1, 90, { pinned: true }), scored("p", 1, 1)],
    budget: budgetOf(120),
  });
  const failing = builtInRegistry().addComponent("scorer", "broken", () => ({
    score: () => {
      throw new Error("inside");
    },
  }));
  const variants = [
    named("nearest"),
    piped({ packer: "best" }),
    piped({ profile: "fast" }),
    piped({ scorer: "broken" }),
    piped({ profile: "direct" }),
  ];
  const { outcomes, keptByAll, differences } = await compared({ assemble: pinned, variants }, failing);
  assert.deepEqual(
    outcomes.map((outcome) => ("error" in outcome ? outcome.error.reason : idsOf(outcome.payload.fragments))),
    ["UNKNOWN_STRATEGY", "UNKNOWN_COMPONENT", "UNKNOWN_PROFILE", "COMPONENT_FAILED", ["p", "pin"]],
  );
  assert.deepEqual([idsOf(keptByAll), differences], [["p", "pin"], []]);
  assert.equal((errorOf(outcomes[3]).cause as Error).message, "inside");
});

test("where every variant fails nothing is kept", async () => {
  const assemble = requestDraft({ fragments: [scored("pin", 1, 90, { pinned: true })], budget: budgetOf(20) });
  const result = await compared({ assemble, variants: [named("relevance"), named("recency")] });
  assert.deepEqual(
    result.outcomes.map((outcome) => errorOf(outcome).metadata),
    [
      { needed_tokens: "90", available_tokens: "20" },
      { needed_tokens: "90", available_tokens: "20" },
    ],
  );
  assert.deepEqual([result.differences, result.keptByAll, result.keptByNone], [[], [], 1]);
});

test("a fault that only shows when an expression runs has the path of its variant", async () => {
  const own = { name: "own", config: { $case: "expression" as const, value: { where: "w", score: "" } } };
  const run = testRun({
    expressions: {
      check: async () => undefined,
      evaluate: async () => ({ fault: { description: "no such key" }, part: "where", index: 1 }),
    },
  });
  const variants = [named("relevance"), { label: "", strategies: [own] }];
  const theirs = await compared({ assemble: input, variants }, undefined, run);
  const [fault] = errorOf(theirs.outcomes[1]).violations;
  assert.equal(fault?.field, "variants[1].strategies[0].expression.where");
  assert.match(errorOf(theirs.outcomes[1]).message, /^variants\[1\]\.strategies\[0\]\.expression\.where: failed for/);
  const shared = { ...input, strategies: [own] };
  const ours = await compared({ assemble: shared, variants: [piped({})] }, undefined, run);
  assert.equal(errorOf(ours.outcomes[0]).violations[0]?.field, "assemble.strategies[0].expression.where");
});

test("an abort stops everything, between variants and within one", async () => {
  const controller = new AbortController();
  const gone = new ContextError("CANCELLED", "gone");
  const asked: string[] = [];
  const registry = builtInRegistry().addComponent("orderer", "leaving", () => ({
    order: (selected) => {
      asked.push("ordered");
      controller.abort(gone);
      return selected;
    },
  }));
  const variants = [
    { ...piped({ orderer: "leaving" }), label: "a" },
    { ...piped({ orderer: "leaving" }), label: "b" },
  ];
  const run = testRun({ signal: controller.signal });
  await assert.rejects(compared({ assemble: input, variants }, registry, run), (error) => error === gone);
  assert.deepEqual(asked, ["ordered"]);
});

test("a fault of the core is the whole call's", async () => {
  const registry = builtInRegistry().addComponent("orderer", "odd", () => {
    throw new ContextError("INTERNAL", "ours");
  });
  const variants = [named("relevance"), piped({ orderer: "odd" })];
  await assert.rejects(compared({ assemble: input, variants }, registry), /ours/);
});

test("one variant by itself differs from nobody", async () => {
  const result = await compared({ assemble: input, variants: [named("relevance")] });
  assert.deepEqual([result.differences, idsOf(result.keptByAll), result.keptByNone], [[], ["best", "both"], 2]);
});

test("the time of each variant is its own", async () => {
  const { outcomes } = await compared({ assemble: input, variants: [named("relevance"), named("recency")] });
  for (const { elapsedMs } of outcomes) assert.ok(elapsedMs >= 10 && elapsedMs < 100, `${elapsedMs}`);
});

const VARIANTS: readonly VariantDraft[] = [
  named("relevance"),
  piped({ profile: "fusion" }),
  named("sliding_window"),
  piped({ packer: "optimal" }),
  piped({ profile: "fusion", deduplicator: "cross_node", packer: "optimal" }),
  { label: "several", strategies: [{ name: "recency" }, { name: "tiered" }], pipeline: pipelineDraft() },
];

/** What an outcome says, without made ids and times. */
function said(outcome: ComparedOutcome | undefined, draft: RequestDraft): unknown {
  if (outcome === undefined) return undefined;
  if ("error" in outcome) return [outcome.label, outcome.error.reason, outcome.error.message];
  const { payload, relevanceSum } = outcome;
  const given = payload.fragments.map(({ inputIndex }) => draft.fragments[inputIndex]);
  return [outcome.label, payload.contextHash, payload.totalTokens, relevanceSum, payload.packing, given];
}

test("nothing of a variant leaks into the next: each is what it is alone, in any order of the variants", async () => {
  await fc.assert(
    fc.asyncProperty(randomRequests(EVERYTHING), async (assemble) => {
      const reversed = [...VARIANTS].reverse();
      const forward = await compared({ assemble, variants: VARIANTS });
      const backward = await compared({ assemble, variants: reversed });
      for (const [i, variant] of VARIANTS.entries()) {
        const alone = await compared({ assemble, variants: [variant] });
        const expected = said(alone.outcomes[0], assemble);
        assert.deepEqual(said(forward.outcomes[i], assemble), expected);
        assert.deepEqual(said(backward.outcomes[VARIANTS.length - 1 - i], assemble), expected);
      }
    }),
    { numRuns: 60 },
  );
});

test("a variant is what an assembly with its strategies and pipeline is", async () => {
  await fc.assert(
    fc.asyncProperty(randomRequests(EVERYTHING), async (assemble) => {
      const { outcomes } = await compared({ assemble, variants: VARIANTS });
      for (const [i, { strategies, pipeline }] of VARIANTS.entries()) {
        const own = { ...assemble, ...(strategies.length > 0 && { strategies }), ...(pipeline && { pipeline }) };
        const outcome = outcomes[i]!;
        const hash = await assembled(own)
          .then(({ contextHash }) => contextHash)
          .catch((error: Error) => error.message);
        assert.equal("payload" in outcome ? outcome.payload.contextHash : outcome.error.message, hash);
      }
    }),
    { numRuns: 40 },
  );
});

/** A window takes input order for age where nothing else tells. */
const ORDERLESS = VARIANTS.filter(({ strategies }) => strategies[0]?.name !== "sliding_window");

test("the order of the input decides nothing", async () => {
  await fc.assert(
    fc.asyncProperty(withPermutation(randomRequests(EVERYTHING)), async ([one, other]) => {
      const [a, b] = [
        await compared({ assemble: one, variants: ORDERLESS }),
        await compared({ assemble: other, variants: ORDERLESS }),
      ];
      const shown = ({ outcomes, differences, keptByAll, keptByNone }: ComparisonResult, draft: RequestDraft) => [
        outcomes.map((outcome) => said(outcome, draft)),
        differences.map(({ fragment, keptBy }) => [fragment.fragmentId, keptBy]),
        idsOf(keptByAll),
        keptByNone,
      ];
      assert.deepEqual(shown(b, other), shown(a, one));
    }),
    { numRuns: 60 },
  );
});

test("every fragment is kept by all, by none, or a difference", async () => {
  await fc.assert(
    fc.asyncProperty(randomRequests({ ...EVERYTHING, ids: "none" }), async (assemble) => {
      const { outcomes, differences, keptByAll, keptByNone } = await compared({ assemble, variants: VARIANTS });
      assert.equal(differences.length + keptByAll.length + keptByNone, assemble.fragments.length);
      const holders = (inputIndex: number): number[] =>
        outcomes.flatMap((outcome, i) =>
          "payload" in outcome && outcome.payload.fragments.some((kept) => kept.inputIndex === inputIndex) ? [i] : [],
        );
      for (const { fragment, keptBy } of differences) assert.deepEqual(keptBy, holders(fragment.inputIndex));
    }),
    { numRuns: 40 },
  );
});

test("fragments without ids are told apart by their position", async () => {
  const fragments = [fragmentDraft({ tokenCount: 60 }), fragmentDraft({ tokenCount: 60, ...at(1) })];
  const assemble = requestDraft({ fragments, budget: budgetOf(60) });
  const { differences } = await compared({ assemble, variants: [named("recency"), named("relevance")] });
  assert.ok(differences.every(({ fragment }) => !fragment.idGiven));
});
