import assert from "node:assert/strict";
import { test } from "node:test";
import { builtInRegistry } from "../built-in.js";
import { fragmentDraft, idsOf, scored, testRun } from "../drafts.fixture.js";
import { ContextError } from "../errors.js";
import type { Candidate } from "../model/candidate.js";
import type { Fragment } from "../model/fragment.js";
import { DEFAULT_LIMITS } from "../model/request.js";
import { Registry } from "../registry.js";
import type { StageContracts } from "../stages.js";
import { allocateBudgetAlone, rankStrategiesAlone, selectStrategiesAlone } from "./choose-alone.js";
import { deduplicateAlone, resolveDepthAlone } from "./fuse-alone.js";
import { compressSkeletonAlone } from "./present-alone.js";
import type { StageSurroundings } from "./surroundings.js";

const around = (fields: Partial<StageSurroundings> = {}): StageSurroundings => ({
  registry: builtInRegistry(),
  limits: DEFAULT_LIMITS,
  run: testRun(),
  ...fields,
});

/** Surroundings in which a component has the name `mine`. */
function withMine<R extends keyof StageContracts>(role: R, component: StageContracts[R]): StageSurroundings {
  return around({ registry: new Registry(builtInRegistry()).addComponent(role, "mine", () => component) });
}

const refused =
  (reason: string, fields: string[] = []) =>
  (error: unknown) => {
    assert.ok(error instanceof ContextError, String(error));
    assert.equal(error.reason, reason);
    assert.deepEqual(
      error.violations.map(({ field }) => field),
      fields,
    );
    return true;
  };

const failed = (role: string) => (error: unknown) => {
  assert.ok(error instanceof ContextError, String(error));
  assert.equal(error.reason, "COMPONENT_FAILED");
  assert.deepEqual(error.metadata, { role, component: "mine" });
  return true;
};

const selection = { hint: [] as string[], query: "", fragments: [], component: "" };

test("without a hint every strategy is a candidate, highest confidence first", async () => {
  const candidates = await selectStrategiesAlone(selection, around());
  assert.equal(candidates.length, builtInRegistry().strategies().size);
  assert.deepEqual(candidates[0], { strategy: "relevance", confidence: 0.8 });
  const confidences = candidates.map(({ confidence }) => confidence);
  assert.deepEqual(
    confidences,
    [...confidences].sort((a, b) => b - a),
  );
});

test("equal confidences stand by name", async () => {
  const registry = new Registry(builtInRegistry());
  for (const name of ["b", "a", "\u{10000}", "\u{ffff}"]) registry.addStrategy(registry.strategy("relevance"), name);
  const candidates = await selectStrategiesAlone(selection, around({ registry }));
  assert.deepEqual(
    candidates.slice(0, 5).map(({ strategy }) => strategy),
    ["a", "b", "relevance", "\u{ffff}", "\u{10000}"],
  );
});

test("a hint is answered in its order", async () => {
  const candidates = await selectStrategiesAlone({ ...selection, hint: ["recency", "builtin:tiered"] }, around());
  assert.deepEqual(candidates, [
    { strategy: "recency", confidence: 0.6 },
    { strategy: "builtin:tiered", confidence: 0.7 },
  ]);
});

test("a hint that does not exist is refused", async () => {
  await assert.rejects(selectStrategiesAlone({ ...selection, hint: ["none"] }, around()), refused("UNKNOWN_STRATEGY"));
});

test("every fault of a selection is found at once", async () => {
  const draft = {
    ...selection,
    hint: ["", "x".repeat(129)],
    query: "q".repeat(100_001),
    fragments: [fragmentDraft({ ukoNode: "" })],
  };
  await assert.rejects(
    selectStrategiesAlone(draft, around()),
    refused("INVALID_REQUEST", ["hint[0]", "hint[1]", "query", "fragments[0].uko_node"]),
  );
});

test("an unknown component of a single stage is refused", async () => {
  await assert.rejects(selectStrategiesAlone({ ...selection, component: "x" }, around()), refused("UNKNOWN_COMPONENT"));
});

test("a strategy that is overwritten is ranked with its new confidence", async () => {
  const registry = new Registry(builtInRegistry());
  registry.addStrategy({ ...registry.strategy("recency"), confidence: (query) => query.length }, "recency");
  const candidates = await rankStrategiesAlone({ query: "abc", fragments: [] }, around({ registry }));
  assert.deepEqual(candidates[0], { strategy: "recency", confidence: 3 });
});

const candidates: Candidate[] = [
  { strategy: "a", confidence: 0.8 },
  { strategy: "b", confidence: 0.2 },
];
const allocation = { budgetTokens: 1_000, candidates, component: "" };

test("a budget is split between the candidates, in their order", async () => {
  const shares = await allocateBudgetAlone(allocation, around());
  assert.deepEqual(
    shares.map(({ strategy, tokens }) => [strategy, tokens]),
    [
      ["a", 800],
      ["b", 200],
    ],
  );
});

test("a budget of 0 is split into zeros, and between nobody into nothing", async () => {
  const shares = await allocateBudgetAlone({ ...allocation, budgetTokens: 0 }, around());
  assert.deepEqual(
    shares.map(({ tokens }) => tokens),
    [0, 0],
  );
  assert.deepEqual(await allocateBudgetAlone({ ...allocation, candidates: [] }, around()), []);
});

test("every fault of an allocation is found at once", async () => {
  const draft = {
    budgetTokens: -1,
    candidates: [
      { strategy: "", confidence: 1 },
      { strategy: "a", confidence: Number.NaN },
      { strategy: "b", confidence: -1 },
    ],
    component: "",
  };
  await assert.rejects(
    allocateBudgetAlone(draft, around()),
    refused("INVALID_REQUEST", [
      "budget_tokens",
      "candidates[0].strategy",
      "candidates[1].confidence",
      "candidates[2].confidence",
    ]),
  );
});

test("1000 candidates are allowed and 1001 are not", async () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => ({ strategy: `s${i}`, confidence: 1 }));
  const shares = await allocateBudgetAlone({ ...allocation, candidates: many(1_000) }, around());
  assert.ok(shares.every(({ tokens }) => tokens === 1));
  await assert.rejects(
    allocateBudgetAlone({ ...allocation, candidates: many(1_001) }, around()),
    refused("INVALID_REQUEST", ["candidates"]),
  );
});

const parents = [scored("a", 1, 60), scored("b", 1, 50)];

test("an unchanged outline is counted, and warned of where it is over its share", async () => {
  const draft = { fragments: parents, budgetTokens: 100, component: "" };
  const { fragments, totalTokens, warnings } = await compressSkeletonAlone(draft, around());
  assert.deepEqual(idsOf(fragments), ["a", "b"]);
  assert.equal(totalTokens, 110);
  assert.deepEqual(
    warnings.map(({ code, stage, component }) => [code, stage, component]),
    [["skeleton_over_share", "skeleton_compressor", "unchanged"]],
  );
  assert.match(warnings[0]!.message, /110.*100/);
});

test("an outline within its share has no warning", async () => {
  const draft = { fragments: parents, budgetTokens: 110, component: "unchanged" };
  assert.deepEqual((await compressSkeletonAlone(draft, around())).warnings, []);
});

test("too many fragments of a single stage are refused", async () => {
  const limits = { ...DEFAULT_LIMITS, maxFragments: 1 };
  const draft = { fragments: parents, budgetTokens: 1, component: "" };
  await assert.rejects(compressSkeletonAlone(draft, around({ limits })), refused("TOO_MANY_FRAGMENTS"));
  await assert.rejects(
    selectStrategiesAlone({ ...selection, fragments: parents }, around({ limits })),
    refused("TOO_MANY_FRAGMENTS"),
  );
});

const boom = () => {
  throw new Error("inside");
};

test("a component of a single stage that throws becomes an error that names it", async () => {
  await assert.rejects(
    selectStrategiesAlone({ ...selection, component: "mine" }, withMine("strategy_selector", { select: boom })),
    failed("strategy_selector"),
  );
  await assert.rejects(
    allocateBudgetAlone({ ...allocation, component: "mine" }, withMine("budget_allocator", { allocate: boom })),
    failed("budget_allocator"),
  );
  await assert.rejects(
    compressSkeletonAlone(
      { fragments: parents, budgetTokens: 9, component: "mine" },
      withMine("skeleton_compressor", { compress: boom }),
    ),
    failed("skeleton_compressor"),
  );
});

const wrongSelections: Record<string, Candidate[]> = {
  "a strategy that does not exist": [{ strategy: "none", confidence: 1 }],
  "a strategy twice": [
    { strategy: "recency", confidence: 1 },
    { strategy: "recency", confidence: 1 },
  ],
  "a confidence that is not a number": [{ strategy: "recency", confidence: Number.NaN }],
};

for (const [what, answer] of Object.entries(wrongSelections)) {
  test(`a selector by itself that answers with ${what} broke its contract`, async () => {
    const surroundings = withMine("strategy_selector", { select: () => answer });
    await assert.rejects(
      selectStrategiesAlone({ ...selection, component: "mine" }, surroundings),
      failed("strategy_selector"),
    );
  });
}

const wrongShares: Record<string, number[]> = {
  "too few shares": [1_000],
  "more than there is": [800, 201],
  "a negative share": [1_001, -1],
  "a share that is not whole": [0.5, 0.5],
  "a share that is not a number": [Number.NaN, 1],
};

for (const [what, shares] of Object.entries(wrongShares)) {
  test(`an allocator by itself that answers with ${what} broke its contract`, async () => {
    const allocate = () => shares.map((tokens, i) => ({ ...candidates[i]!, tokens }));
    await assert.rejects(
      allocateBudgetAlone({ ...allocation, component: "mine" }, withMine("budget_allocator", { allocate })),
      failed("budget_allocator"),
    );
  });
}

const wrongPrices = [-1, 0.5, Number.NaN];

for (const tokenCount of wrongPrices) {
  test(`a compressor by itself whose outline has the price ${tokenCount} broke its contract`, async () => {
    const compress = (given: readonly Fragment[]) => [{ ...given[0]!, tokenCount }];
    const draft = { fragments: parents, budgetTokens: 9, component: "mine" };
    await assert.rejects(
      compressSkeletonAlone(draft, withMine("skeleton_compressor", { compress })),
      failed("skeleton_compressor"),
    );
  });
}

test("a deduplicator by itself takes options, and refuses those that are none", async () => {
  const text = "the server keeps what it was given until somebody asks for more";
  const fragments = [
    fragmentDraft({ fragmentId: "a", ukoNode: "a", content: text, relevanceScore: 0.9 }),
    fragmentDraft({ fragmentId: "b", ukoNode: "b", content: text.replace("more", "less"), relevanceScore: 0.8 }),
  ];
  const keptAt = async (similarityThreshold: number): Promise<string[]> => {
    const draft = { fragments, component: "near_duplicate", options: { similarityThreshold } };
    return idsOf((await deduplicateAlone(draft, around())).fragments);
  };
  // They share nine of eleven shingles.
  assert.deepEqual(await keptAt(0.9), ["a", "b"]);
  assert.deepEqual(await keptAt(0.8), ["a"]);
  await assert.rejects(keptAt(2), /options.similarity_threshold: is 2/);
});

test("a depth resolver by itself says which variant stands for one that goes", async () => {
  const fragments = [
    fragmentDraft({ fragmentId: "flat", ukoNode: "a", detailDepth: 1 }),
    fragmentDraft({ fragmentId: "needed", ukoNode: "a", detailDepth: 2 }),
    fragmentDraft({ fragmentId: "deep", ukoNode: "a", detailDepth: 9, requires: ["needed"] }),
    fragmentDraft({ fragmentId: "other", ukoNode: "b" }),
  ];
  const { fragments: kept, decisions } = await resolveDepthAlone({ fragments, component: "" }, around());
  assert.deepEqual(idsOf(kept), ["needed", "deep", "other"]);
  assert.deepEqual(
    decisions.map(({ fragmentId, relatedFragmentId }) => [fragmentId, relatedFragmentId]),
    [["flat", "deep"]],
  );
});
