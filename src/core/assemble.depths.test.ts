/** What a depth resolver prefers, under every packer. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { builtInRegistry } from "./built-in.js";
import { assembled, budgetOf, idsOf, pipelineDraft, requestDraft, scored } from "./drafts.fixture.js";
import type { FragmentDraft } from "./model/fragment.js";
import { type Payload, Reason } from "./model/payload.js";
import { randomRequests } from "./random-requests.fixture.js";
import { Registry } from "./registry.js";

/** By the id of the fragment that stands, the ids of what it stands for; whoever is not named stands for itself. */
type Marks = Readonly<Record<string, readonly string[]>>;

const BY_SCORE = ["greedy_knapsack", "relaxation", "optimal", "diverse"];
const PACKERS = [...BY_SCORE, "in_order"];

function marking(marks: Marks): Registry {
  const isAlternative = new Set(Object.values(marks).flat());
  return new Registry(builtInRegistry(), "hosted").addComponent("depth_resolver", "marks", () => ({
    resolve: (fragments) => {
      const byId = new Map(fragments.map((fragment) => [fragment.fragmentId, fragment]));
      return fragments
        .filter(({ fragmentId }) => !isAlternative.has(fragmentId))
        .map((fragment) => {
          const alternatives = (marks[fragment.fragmentId] ?? []).flatMap((id) => byId.get(id) ?? []);
          return { fragment, alternatives };
        });
    },
  }));
}

function packed(packer: string, marks: Marks, tokens: number, fragments: readonly FragmentDraft[]): Promise<Payload> {
  const pipeline = pipelineDraft({ profile: "fusion", depthResolver: "marks", scorer: "pass_through", packer });
  return assembled(requestDraft({ fragments, pipeline, budget: budgetOf(tokens) }), marking(marks));
}

const reasonsOf = ({ decisions }: Payload) =>
  Object.fromEntries([...decisions].map(({ fragmentId, reason }) => [fragmentId, reason] as const));

const keyed = (id: string, score: number, tokens: number, detailDepth: number, fields: Partial<FragmentDraft> = {}) =>
  scored(id, score, tokens, { variantKey: "k", detailDepth, ...fields });

const full = keyed("full", 0.9, 90, 9);
const short = keyed("short", 0.9, 40, 2);
const name = keyed("name", 0.9, 15, 0);
const other = scored("other", 0.5, 30);

for (const packer of PACKERS) {
  test(`${packer} takes the variant that stands, though a deeper one would fit`, async () => {
    const payload = await packed(packer, { short: ["full", "name"] }, 200, [full, short, name, other]);
    const wanted = packer === "optimal" || packer === "relaxation" ? ["name", "other"] : ["short", "other"];
    // To a packer for value alternatives of one value are alike, and it takes the cheapest.
    assert.deepEqual(idsOf(payload.fragments).sort(), wanted.sort());
    const { full: reason } = reasonsOf(payload);
    assert.equal(reason, Reason.OTHER_VARIANT);
  });

  test(`${packer} lets in one of what a resolver says are alternatives, whatever their keys`, async () => {
    const texts = [scored("long", 0.9, 60), scored("gist", 0.6, 20), other];
    const payload = await packed(packer, { long: ["gist"] }, 200, texts);
    assert.deepEqual(idsOf(payload.fragments), ["long", "other"]);
    assert.equal(reasonsOf(payload).gist, Reason.OTHER_VARIANT);
  });

  test(`${packer} keeps one of a key, though a resolver lets each stand for itself`, async () => {
    const payload = await packed(packer, {}, 200, [keyed("deep", 0.9, 60, 5), keyed("flat", 0.2, 50, 1)]);
    assert.deepEqual(idsOf(payload.fragments), ["deep"]);
  });
}

for (const packer of BY_SCORE) {
  test(`${packer} takes an alternative where what stands does not fit`, async () => {
    const texts = [scored("long", 0.9, 60), scored("gist", 0.6, 20), scored("name", 0.5, 15), other];
    const payload = await packed(packer, { long: ["gist", "name"] }, 55, texts);
    assert.deepEqual(idsOf(payload.fragments), ["gist", "other"]);
  });
}

test("alternatives are tried in the order of the answer", async () => {
  const texts = [scored("long", 0.9, 60), scored("gist", 0.6, 25), scored("name", 0.6, 15)];
  for (const [marks, expected] of [
    [["gist", "name"], "gist"],
    [["name", "gist"], "name"],
  ] as const) {
    const payload = await packed("greedy_knapsack", { long: marks }, 55, texts);
    assert.deepEqual(idsOf(payload.fragments), [expected]);
  }
});

test("of two of a key that stand the deeper is tried first", async () => {
  const payload = await packed("greedy_knapsack", { short: ["full"] }, 200, [full, short, keyed("mid", 0.4, 50, 5)]);
  assert.deepEqual(idsOf(payload.fragments), ["mid"]);
});

test("in a group the keys alone decide", async () => {
  const grouped = { groupId: "g" };
  const texts = [
    keyed("full", 0.9, 60, 9, grouped),
    keyed("short", 0.9, 20, 1, grouped),
    scored("answer", 0.8, 20, grouped),
  ];
  const payload = await packed("greedy_knapsack", { short: ["full"], answer: [] }, 200, texts);
  assert.deepEqual(idsOf(payload.fragments).sort(), ["answer", "full"]);
});

const SHAPE = { ids: "all", groups: true, pins: false, strategies: 2, maxFragments: 10 } as const;
const profiled = (packer: string, depthResolver: string) =>
  pipelineDraft({ profile: "fusion", packer, depthResolver, deduplicator: "pass_through" });

test("a resolver that answers as max_depth does changes nothing", async () => {
  const registry = new Registry(builtInRegistry(), "hosted").addComponent("depth_resolver", "same", (options) => ({
    resolve: (fragments, run) =>
      builtInRegistry().component("depth_resolver", "max_depth", options).resolve(fragments, run),
  }));
  await fc.assert(
    fc.asyncProperty(
      randomRequests({ ...SHAPE, ids: "some" }),
      fc.constantFrom(...PACKERS),
      async (request, packer) => {
        const [one, same] = await Promise.all(
          ["max_depth", "same"].map((name) => assembled({ ...request, pipeline: profiled(packer, name) }, registry)),
        );
        assert.deepEqual(
          one!.fragments.map(({ inputIndex }) => inputIndex),
          same!.fragments.map(({ inputIndex }) => inputIndex),
        );
      },
    ),
    { numRuns: 100 },
  );
});

test("one of each set enters, and the order of the input decides nothing", async () => {
  const registry = marking({ f0: ["f3", "f1"], f2: ["f5"], f4: ["f6", "f9", "f7"] });
  const sets = [
    ["f0", "f3", "f1"],
    ["f2", "f5"],
    ["f4", "f6", "f9", "f7"],
  ];
  let met = 0;
  await fc.assert(
    fc.asyncProperty(randomRequests(SHAPE), fc.constantFrom(...PACKERS), async (request, packer) => {
      const pipeline = profiled(packer, "marks");
      const there = await assembled({ ...request, pipeline }, registry);
      const back = await assembled({ ...request, pipeline, fragments: [...request.fragments].reverse() }, registry);
      assert.deepEqual(idsOf(there.fragments), idsOf(back.fragments));
      const inGroups = new Set(request.fragments.flatMap((one) => (one.groupId === "" ? [] : [one.fragmentId])));
      for (const set of sets) {
        const entered = idsOf(there.fragments).filter((id) => set.includes(id) && !inGroups.has(id));
        // Under in_order a fragment that another one requires stays beside what stands for it.
        if (packer !== "in_order") assert.ok(entered.length <= 1, entered.join());
        met += entered.length;
      }
    }),
    { numRuns: 200 },
  );
  assert.ok(met > 50);
});
