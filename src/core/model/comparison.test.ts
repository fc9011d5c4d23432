import assert from "node:assert/strict";
import { test } from "node:test";
import { budgetOf, pipelineDraft, requestDraft, scored, surroundingsOf, testRun } from "../drafts.fixture.js";
import { ContextError } from "../errors.js";
import { type ComparisonDraft, MAX_VARIANTS, readComparison, type VariantDraft } from "./comparison.js";

const variant = (fields: Partial<VariantDraft> = {}): VariantDraft => ({ label: "", strategies: [], ...fields });
const named = (...names: string[]): VariantDraft => variant({ strategies: names.map((name) => ({ name })) });

async function faultsOf(draft: ComparisonDraft): Promise<string[]> {
  try {
    await readComparison(draft, surroundingsOf(testRun()));
  } catch (error) {
    assert.ok(error instanceof ContextError && error.reason === "INVALID_REQUEST", String(error));
    return error.violations.map(({ field, description }) => `${field}: ${description}`);
  }
  return assert.fail("was accepted");
}

async function labelsOf(...variants: VariantDraft[]): Promise<string[]> {
  const comparison = await readComparison({ assemble: requestDraft(), variants }, surroundingsOf(testRun()));
  return comparison.variants.map(({ label }) => label);
}

test("a variant has its own strategies and pipeline, or the request's as a whole", async () => {
  const assemble = requestDraft({
    strategies: [{ name: "recency" }],
    pipeline: pipelineDraft({ profile: "fusion", packer: "in_order" }),
  });
  const variants = [variant(), named("tiered"), variant({ pipeline: pipelineDraft({ scorer: "pass_through" }) })];
  const read = await readComparison({ assemble, variants }, surroundingsOf(testRun()));
  assert.deepEqual(
    read.variants.map(({ label, strategies, pipeline, strategiesAt }) => [
      label,
      strategies.map(({ name }) => name),
      pipeline.profile,
      pipeline.components,
      strategiesAt,
    ]),
    [
      ["as_given", ["recency"], "fusion", { packer: "in_order" }, "assemble"],
      ["tiered", ["tiered"], "fusion", { packer: "in_order" }, "variants[1]"],
      ["pass_through", ["recency"], "", { scorer: "pass_through" }, "assemble"],
    ],
  );
});

test("an absent label is made of what the variant names", async () => {
  const pipeline = pipelineDraft({ profile: "fusion", packer: "optimal", deduplicator: "cross_node" });
  const labels = await labelsOf(
    { ...named("relevance", "recency"), pipeline },
    variant({ pipeline: pipelineDraft({ profile: "direct" }) }),
    variant({ label: "mine", pipeline }),
  );
  assert.deepEqual(labels, ["relevance+recency/fusion/cross_node/optimal", "direct", "mine"]);
});

test("every fault of the input and of all variants is reported at once, with its path", async () => {
  const draft: ComparisonDraft = {
    assemble: requestDraft({
      budget: budgetOf(0),
      fragments: [scored("a", 2, 1)],
      strategies: [{ name: "" }],
    }),
    variants: [
      variant({ label: "x".repeat(129), strategies: [{ name: "relevance", confidence: -1 }] }),
      variant({
        strategies: [
          { name: "recency" },
          { name: "sliding_window", config: { $case: "slidingWindow", value: { windowSize: 0, windowMode: 7 } } },
        ],
        pipeline: { ...pipelineDraft({ packer: "p".repeat(129) }), options: { minRelevance: 3 } },
      }),
    ],
  };
  const paths = (await faultsOf(draft)).map((fault) => fault.split(": ")[0]);
  assert.deepEqual(paths, [
    "assemble.fragments[0].relevance_score",
    "assemble.budget.max_tokens",
    "assemble.strategies[0].name",
    "variants[0].label",
    "variants[0].strategies[0].confidence",
    "variants[1].strategies[1].sliding_window.window_size",
    "variants[1].strategies[1].sliding_window.window_mode",
    "variants[1].pipeline.packer",
    "variants[1].pipeline.options.min_relevance",
  ]);
});

test("the request and at least one variant are required, and there is a most", async () => {
  assert.deepEqual(await faultsOf({ variants: [] }), [
    "assemble: is absent; a request is required",
    "variants: has 0 entries; allowed are 1 to 16",
  ]);
  const variants = Array.from({ length: MAX_VARIANTS + 1 }, (_, i) => variant({ label: `v${i}` }));
  assert.deepEqual(await faultsOf({ assemble: requestDraft(), variants }), [
    "variants: has 17 entries; allowed are 1 to 16",
  ]);
  assert.equal((await labelsOf(...variants.slice(1))).length, MAX_VARIANTS);
});

test("labels are unique, given or made", async () => {
  const assemble = requestDraft();
  assert.deepEqual(await faultsOf({ assemble, variants: [named("recency"), named("recency"), variant(), variant()] }), [
    'variants[1].label: is absent, and made of its names is "recency", as that of variants[0] is; labels are unique',
    'variants[3].label: is absent, and made of its names is "as_given", as that of variants[2] is; labels are unique',
  ]);
  assert.deepEqual(await faultsOf({ assemble, variants: [named("recency"), variant({ label: "recency" })] }), [
    'variants[1].label: is "recency", as that of variants[0] is; labels are unique',
  ]);
});

test("expressions of all variants are checked before any fragment is looked at", async () => {
  const expression = (where: string) =>
    variant({
      label: where,
      strategies: [{ name: "own", config: { $case: "expression", value: { where, score: "" } } }],
    });
  const run = testRun({
    expressions: {
      check: async (source) => (source === "good" ? undefined : { description: `cannot be read: ${source}` }),
      evaluate: () => assert.fail("evaluated"),
    },
    counter: { name: "none", estimated: false, count: () => assert.fail("counted") },
  });
  const draft = {
    assemble: requestDraft({ fragments: [{ ...scored("a", 1, 1), tokenCount: undefined }] }),
    variants: [expression("good"), expression("bad"), expression("worse")],
  };
  await assert.rejects(readComparison(draft, surroundingsOf(run)), (error: unknown) => {
    assert.ok(error instanceof ContextError);
    assert.deepEqual(
      error.violations.map(({ field }) => field),
      ["variants[1].strategies[0].expression.where", "variants[2].strategies[0].expression.where"],
    );
    return true;
  });
});

test("what is not counted is counted once for all variants", async () => {
  let calls = 0;
  const counter = {
    name: "counting",
    estimated: true,
    count: (texts: readonly string[]) => {
      calls++;
      return texts.map(({ length }) => length);
    },
  };
  const draft = {
    assemble: requestDraft({ fragments: [{ ...scored("abc", 1, 1), tokenCount: undefined }] }),
    variants: [named("recency"), named("tiered"), named("relevance")],
  };
  const { request } = await readComparison(draft, surroundingsOf(testRun({ counter })));
  assert.deepEqual([calls, request.fragments[0]?.tokenCount], [1, 3]);
});
