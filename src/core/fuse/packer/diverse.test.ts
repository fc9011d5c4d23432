import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { packAlone } from "../../alone/fuse-alone.js";
import { builtInRegistry } from "../../built-in.js";
import { assembled, budgetOf, idsOf, pipelineDraft, requestDraft, scored, testRun } from "../../drafts.fixture.js";
import type { FragmentDraft } from "../../model/fragment.js";
import { Reason } from "../../model/payload.js";
import type { PipelineOptionsDraft } from "../../model/pipeline-spec.js";
import { DEFAULT_LIMITS } from "../../model/request.js";

/** Ten tokens each, so that a budget of 10 n holds n. */
const vector = (id: string, score: number, numbers: number[], fields: Partial<FragmentDraft> = {}): FragmentDraft =>
  scored(id, score, 10, { vector: numbers, ...fields });

const text = (id: string, score: number, content: string, fields: Partial<FragmentDraft> = {}): FragmentDraft =>
  scored(id, score, 10, { content, ...fields });

const diverse = (diversityLambda?: number, options: PipelineOptionsDraft = {}) =>
  pipelineDraft({ packer: "diverse", options: { diversityLambda, ...options } });

async function packed(
  fragments: readonly FragmentDraft[],
  maxTokens: number,
  diversityLambda?: number,
): Promise<string[]> {
  const payload = await assembled(
    requestDraft({ fragments, budget: budgetOf(maxTokens), pipeline: diverse(diversityLambda) }),
  );
  return idsOf(payload.fragments).sort();
}

describe("of three vectors, two of them alike, two fit", () => {
  const three = [vector("a", 0.9, [2, 0]), vector("b", 0.8, [1, 0]), vector("c", 0.5, [0, 3])];

  test("lambda 1 goes by the score alone", async () => {
    // a 1 x 0.9, b 1 x 0.8, c 1 x 0.5, and whatever is in takes nothing off.
    assert.deepEqual(await packed(three, 20, 1), ["a", "b"]);
  });

  test("lambda 0 goes by the unlikeness alone", async () => {
    // At first all are 0, so the total order takes a. Then b: -1 x cos(b, a) = -1, and c: -1 x 0 = 0.
    assert.deepEqual(await packed(three, 20, 0), ["a", "c"]);
  });

  test("lambda 0.5 weighs both", async () => {
    // a: 0.5 x 0.9 = 0.45 comes first. Then b: 0.5 x 0.8 - 0.5 x 1 = -0.1, and c: 0.5 x 0.5 - 0.5 x 0 = 0.25.
    assert.deepEqual(await packed(three, 20, 0.5), ["a", "c"]);
  });

  test("absent it is 0.7", async () => {
    // After a, b: 0.7 x 0.8 - 0.3 x 1 = 0.26, and c: 0.7 x 0.5 = 0.35. With b of 0.95: 0.365 before 0.35.
    assert.deepEqual(await packed(three, 20), ["a", "c"]);
    assert.deepEqual(await packed([vector("a", 0.99, [2, 0]), vector("b", 0.95, [1, 0]), three[2]!], 20), ["a", "b"]);
  });
});

test("vectors at an angle are alike by its cosine", async () => {
  // cos((3, 4), (1, 0)) = 3 / 5. After a at lambda 0.5, b: 0.4 - 0.5 x 0.6 = 0.1, c: 0.25. At 0.8, b: 0.64 - 0.12 = 0.52, c: 0.4.
  const three = [vector("a", 0.9, [1, 0]), vector("b", 0.8, [3, 4]), vector("c", 0.5, [0, 1])];
  assert.deepEqual(await packed(three, 20, 0.8), ["a", "b"]);
  // c is at 0 from a.
  assert.deepEqual(await packed(three, 20, 0.5), ["a", "c"]);
});

test("vectors that point away from each other are as unlike as those at right angles", async () => {
  // After a at lambda 0.5, away: 0.5 x 0.3 - 0.5 x 0 = 0.15, which is less than across: 0.5 x 0.4 = 0.2.
  const three = [vector("a", 0.9, [1, 0]), vector("away", 0.3, [-1, 0]), vector("across", 0.4, [0, 1])];
  assert.deepEqual(await packed(three, 20, 0.5), ["a", "across"]);
});

test("numbers whose squares no double holds are compared all the same", async () => {
  const large = [vector("a", 0.9, [1e300, 0]), vector("b", 0.8, [1e-300, 0]), vector("c", 0.5, [0, 1e-320])];
  assert.deepEqual(await packed(large, 20, 0.5), ["a", "c"]);
});

const TEXT = "the server keeps what it was given until somebody asks for more";
const NEAR = "the server keeps what it was given until somebody asks for less";
const OTHER = "pack the fragments that are worth most into the tokens there are";

describe("without vectors texts are alike by their shingles", () => {
  // TEXT and NEAR share nine of eleven shingles; OTHER has none of theirs.
  const three = [text("a", 0.9, TEXT), text("b", 0.8, NEAR), text("c", 0.5, OTHER)];

  test("at lambda 1, 0 and 0.5", async () => {
    assert.deepEqual(await packed(three, 20, 1), ["a", "b"]);
    // b: -9 / 11; c: 0.
    assert.deepEqual(await packed(three, 20, 0), ["a", "c"]);
    // b: 0.4 - 0.5 x 9 / 11 = -0.009; c: 0.25.
    assert.deepEqual(await packed(three, 20, 0.5), ["a", "c"]);
  });

  test("the lambda at which it turns is where the arithmetic says", async () => {
    // b before c where l x 0.8 - (1 - l) x 9 / 11 > l x 0.5, so where l x (0.3 + 9 / 11) > 9 / 11: above 0.73171.
    assert.deepEqual(await packed(three, 20, 0.7317), ["a", "c"]);
    assert.deepEqual(await packed(three, 20, 0.7318), ["a", "b"]);
  });

  test("and where only one of two has a vector", async () => {
    const mixed = [text("a", 0.9, TEXT, { vector: [1, 0] }), text("b", 0.8, NEAR), vector("c", 0.7, [1, 0.1])];
    // b is like a by its text (9 / 11), c by its vector (0.995): b: 0.4 - 0.409 = -0.009, c: 0.35 - 0.4975 = -0.1475.
    assert.deepEqual(await packed(mixed, 20, 0.5), ["a", "b"]);
    // At 0.9, b: 0.72 - 0.082 = 0.638, c: 0.63 - 0.0995 = 0.5305.
    assert.deepEqual(await packed(mixed, 20, 0.9), ["a", "b"]);
    // With a text of its own for b: 0.35 against c's -0.1475, and c's text does not matter beside a vector.
    const same = [mixed[0]!, text("b", 0.1, OTHER), vector("c", 0.3, [0, 1], { content: TEXT })];
    // b: 0.05 - 0 = 0.05; c: 0.15 - 0 = 0.15.
    assert.deepEqual(await packed(same, 20, 0.5), ["a", "c"]);
  });
});

test("pins are in from the start, so what is like them comes late", async () => {
  // At lambda 0.5, b: 0.4 - 0.5 x 1 = -0.1, c: 0.25.
  const fragments = [vector("pin", 0, [5, 0], { pinned: true }), vector("b", 0.8, [1, 0]), vector("c", 0.5, [0, 1])];
  assert.deepEqual(await packed(fragments, 20, 0.5), ["c", "pin"]);
});

test("what fills a floor is in from the start as well", async () => {
  // The floor of the cold tier takes f. Then at lambda 0.5, b: 0.4 - 0.5 x 1 = -0.1, c: 0.25.
  const cold = 3;
  const fragments = [vector("f", 0.1, [7, 0], { tier: cold }), vector("b", 0.8, [1, 0]), vector("c", 0.5, [0, 1])];
  const section = { selector: { $case: "tier" as const, value: cold }, floorTokens: 10, capTokens: 0 };
  const budget = { ...budgetOf(20), sections: [section] };
  const payload = await assembled(requestDraft({ fragments, budget, pipeline: diverse(0.5) }));
  assert.deepEqual(idsOf(payload.fragments).sort(), ["c", "f"]);
});

test("equal values go by the total order", async () => {
  const equal = [vector("c", 0.5, [0, 0, 1]), vector("a", 0.5, [1, 0, 0]), vector("b", 0.5000000000000001, [0, 1, 0])];
  assert.deepEqual(await packed(equal, 20, 0.5), ["a", "b"]);
  assert.deepEqual(await packed(equal, 20, 0), ["a", "b"]);
});

test("what does not fit is skipped", async () => {
  const fragments = [
    vector("a", 0.9, [1, 0]),
    { ...vector("big", 0.8, [0, 1]), tokenCount: 50 },
    vector("b", 0.1, [1, 0]),
  ];
  assert.deepEqual(await packed(fragments, 30, 0.5), ["a", "b"]);
});

test("a group enters whole, and is as like what is in as its most similar member", async () => {
  // After a, the group: 0.5 x 0.9 - 0.5 x 1 = -0.05 for g1's sake, and c: 0.5 x 0.1 = 0.05, beside which it does not fit in 30.
  const group = [vector("g1", 0.9, [1, 0, 0], { groupId: "g" }), vector("g2", 0.2, [0, 1, 0], { groupId: "g" })];
  const fragments = [vector("a", 1, [1, 0, 0]), ...group, vector("c", 0.1, [0, 0, 1])];
  assert.deepEqual(await packed(fragments, 30, 0.5), ["a", "c"]);
  assert.deepEqual(await packed(fragments, 40, 0.5), ["a", "c", "g1", "g2"]);
  // At lambda 0.9 the group: 0.81 - 0.1 = 0.71 comes before c: 0.09.
  assert.deepEqual(await packed(fragments, 30, 0.9), ["a", "g1", "g2"]);
});

test("what a unit requires does not count as likeness, but what it brought does", async () => {
  // asker brings lib. like-lib: 0.5 x 0.8 - 0.5 x 1 = -0.1; second: 0.5 x 0.2 = 0.1, though it requires lib, which is in.
  const fragments = [
    vector("asker", 0.9, [1, 0, 0], { requires: ["lib"] }),
    vector("lib", 0.1, [0, 1, 0]),
    vector("like-lib", 0.8, [0, 1, 0]),
    vector("second", 0.2, [0, 0, 1], { requires: ["lib"] }),
  ];
  assert.deepEqual(await packed(fragments, 30, 0.5), ["asker", "lib", "second"]);
});

test("one variant of a key enters, the deepest that fits", async () => {
  const node = { ukoNode: "project://x" };
  const fragments = [
    { ...vector("full", 0.9, [1, 0], { ...node, detailDepth: 9 }), tokenCount: 50 },
    vector("brief", 0.2, [1, 0], { ...node, detailDepth: 2 }),
    vector("y", 0.5, [0, 1]),
  ];
  assert.deepEqual(await packed(fragments, 20, 0.5), ["brief", "y"]);
  assert.deepEqual(await packed(fragments, 60, 0.5), ["full", "y"]);
});

test("a minimum relevance holds, and there is no minimum of tokens", async () => {
  const fragments = [{ ...vector("tiny", 0.9, [1]), tokenCount: 1 }, vector("low", 0.2, [1])];
  const payload = await assembled(requestDraft({ fragments, pipeline: diverse(0.5, { minRelevance: 0.3 }) }));
  assert.deepEqual(idsOf(payload.fragments), ["tiny"]);
  assert.equal(payload.decisions.toArray()[1]!.reason, Reason.BELOW_MINIMUM_VALUE);
});

test("what is over budget has an estimate of what it lacks, or at lambda 1 the exact number", async () => {
  const fragments = [scored("A", 0.9, 50), scored("B", 0.8, 25), scored("C", 0.7, 30)];
  const missing = async (lambda: number) => {
    const payload = await assembled(requestDraft({ fragments, budget: budgetOf(60), pipeline: diverse(lambda) }));
    const decisions = payload.decisions.toArray().filter(({ reason }) => reason === Reason.OVER_BUDGET);
    return decisions.map(({ fragmentId, tokensMissing, tokensMissingExact }) => [
      fragmentId,
      tokensMissing,
      tokensMissingExact,
    ]);
  };
  // B would take the first 15 new tokens, so C lacks 45.
  assert.deepEqual(await missing(0.5), [
    ["B", 15, false],
    ["C", 45, false],
  ]);
  assert.deepEqual(await missing(1), [
    ["B", 15, true],
    ["C", 45, true],
  ]);
});

test("a limit of steps ends the comparing, fills what is left and says so", async () => {
  const words = Array.from({ length: 30 }, (_, i) => text(`f${i}`, (i + 1) / 31, `${TEXT} ${i % 3}`));
  const pipeline = diverse(0.5, { packerStepLimit: 5 });
  const draft = requestDraft({ fragments: words, budget: budgetOf(200), pipeline });
  const payload = await assembled(draft);
  assert.equal(payload.totalTokens, 200);
  assert.deepEqual(
    payload.warnings.map(({ code, stage, component }) => [code, stage, component]),
    [["search_cut", "packer", "diverse"]],
  );
  assert.match(payload.warnings[0]!.message, /not all were compared/);
  const again = await assembled({ ...draft, fragments: [...words].reverse() });
  assert.equal(again.contextHash, payload.contextHash);
  assert.deepEqual((await assembled({ ...draft, pipeline: diverse(0.5) })).warnings, []);
});

test("the stage by itself works, with vectors inside scored fragments", async () => {
  const three = [vector("a", 0.1, [2, 0]), vector("b", 0.1, [1, 0]), vector("c", 0.1, [0, 3])];
  const around = { registry: builtInRegistry(), limits: DEFAULT_LIMITS, run: testRun() };
  const scores = [0.9, 0.8, 0.5];
  const result = await packAlone(
    {
      scored: three.map((fragment, i) => ({ fragment, compositeScore: scores[i]! })),
      fragments: [],
      budget: budgetOf(20),
      component: "diverse",
      options: { diversityLambda: 0.5 },
    },
    around,
  );
  assert.deepEqual(idsOf(result.packed.map(({ fragment }) => fragment)), ["a", "c"]);
  assert.deepEqual(result.packed[1]!.fragment.vector, [0, 3]);
});

test("no payload carries a vector, neither among its fragments nor in its outline", async () => {
  const payload = await assembled(
    requestDraft({
      fragments: [vector("a", 0.9, [1, 0]), scored("b", 0.5, 10)],
      parentFragments: [vector("parent", 0.5, [1, 1])],
      pipeline: pipelineDraft({ profile: "fusion", packer: "diverse" }),
    }),
  );
  assert.deepEqual(
    [...payload.fragments, ...payload.skeletonFragments].map(({ fragmentId, vector: numbers }) => [
      fragmentId,
      numbers,
    ]),
    [
      ["a", []],
      ["b", []],
      ["parent", []],
    ],
  );
});

test("it lets others have a turn, and goes on after it", async () => {
  let pauses = 0;
  const breathe = () => {
    pauses++;
    return new Promise<void>((resolve) => setImmediate(resolve));
  };
  const draft = requestDraft({
    fragments: [text("a", 0.9, TEXT), text("b", 0.8, NEAR), text("c", 0.5, OTHER)],
    budget: budgetOf(20),
    pipeline: diverse(0.5),
  });
  const payload = await assembled(draft, builtInRegistry(), testRun({ breathe }));
  assert.deepEqual(idsOf(payload.fragments), ["a", "c"]);
  assert.ok(pauses > 15, `${pauses} pauses`);
});
