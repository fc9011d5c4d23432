import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { deduplicateAlone } from "../../alone/fuse-alone.js";
import { builtInRegistry } from "../../built-in.js";
import {
  assembled,
  budgetOf,
  fragmentDraft,
  idsOf,
  pipelineDraft,
  requestDraft,
  scored,
  testRun,
} from "../../drafts.fixture.js";
import type { FragmentDraft } from "../../model/fragment.js";
import { type Payload, Reason } from "../../model/payload.js";
import { DEFAULT_LIMITS, type RequestDraft } from "../../model/request.js";
import { jaccard } from "../similarity/jaccard.js";
import { shinglesOf } from "../similarity/shingles.js";

/** Twelve words, so ten shingles; with another last word, nine of eleven are shared (0.818). */
const TEXT = "the server keeps what it was given until somebody asks for more";
const NEAR = "the server keeps what it was given until somebody asks for less";
/** Another last and first word: eight of twelve (0.667). */
const FAR = "this server keeps what it was given until somebody asks for less";
const OTHER = "pack the fragments that are worth most into the tokens that are left";

const text = (id: string, content: string, relevance: number, fields: Partial<FragmentDraft> = {}): FragmentDraft =>
  scored(id, relevance, 10, { content, ...fields });

async function payloadOf(
  fragments: readonly FragmentDraft[],
  similarityThreshold?: number,
  fields: Partial<RequestDraft> = {},
): Promise<Payload> {
  const pipeline = pipelineDraft({ deduplicator: "near_duplicate", options: { similarityThreshold } });
  return assembled(requestDraft({ fragments, pipeline, ...fields }));
}

const dropsOf = ({ decisions }: Payload) =>
  decisions
    .toArray()
    .filter(({ reason }) => reason > Reason.REQUIRED)
    .map(({ fragmentId, reason, relatedFragmentId }) => [fragmentId, reason, relatedFragmentId]);

test("of two texts that share most of their shingles the more relevant survives, whatever their nodes", async () => {
  const payload = await payloadOf([text("a", TEXT, 0.5), text("b", NEAR, 0.9), text("c", OTHER, 0.1)]);
  assert.deepEqual(idsOf(payload.fragments), ["b", "c"]);
  const decision = payload.decisions.toArray().find(({ fragmentId }) => fragmentId === "a")!;
  assert.equal(decision.reason, Reason.TOO_SIMILAR);
  assert.equal(decision.relatedFragmentId, "b");
  assert.equal(decision.detail, "similarity 0.818");
  assert.equal(decision.stage, 4);
});

test("a pair at the threshold itself is similar, one below it is not", async () => {
  const pair = [text("a", TEXT, 0.9), text("b", NEAR, 0.5)];
  assert.deepEqual(idsOf((await payloadOf(pair, 9 / 11)).fragments), ["a"]);
  assert.deepEqual(idsOf((await payloadOf(pair, 9 / 11 + 1e-9)).fragments), ["a", "b"]);
  assert.deepEqual(idsOf((await payloadOf(pair, 1)).fragments), ["a", "b"]);
  assert.deepEqual(idsOf((await payloadOf([text("a", TEXT, 0.9), text("b", FAR, 0.5)])).fragments), ["a", "b"]);
});

test("what is similar only to something that went stays", async () => {
  // b goes for a (0.818) and c is near b (0.818), but not near a (0.667).
  const payload = await payloadOf([text("a", TEXT, 0.9), text("b", NEAR, 0.8), text("c", FAR, 0.7)]);
  assert.deepEqual(idsOf(payload.fragments), ["a", "c"]);
  assert.deepEqual(dropsOf(payload), [["b", Reason.TOO_SIMILAR, "a"]]);
});

test("the most similar of those that stay is named", async () => {
  // c is 0.667 like a and 0.818 like b, which are below 0.7 of each other.
  const between = "this server keeps what it was given until somebody asks for more";
  const payload = await payloadOf([text("a", NEAR, 0.9), text("b", between, 0.8), text("c", TEXT, 0.7)], 0.7);
  assert.deepEqual(dropsOf(payload), [["c", Reason.TOO_SIMILAR, "a"]]);
  const closer = [text("a", FAR, 0.9), text("b", TEXT, 0.8), text("c", `${TEXT} `, 0.7)];
  assert.deepEqual(dropsOf(await payloadOf(closer, 0.6)), [
    ["b", Reason.TOO_SIMILAR, "a"],
    ["c", Reason.TOO_SIMILAR, "a"],
  ]);
  assert.deepEqual(dropsOf(await payloadOf(closer, 0.7)), [["c", Reason.TOO_SIMILAR, "b"]]);
});

test("exact copies are similar, those of one node plain duplicates, and texts too short for a shingle too", async () => {
  const payload = await payloadOf([
    text("a", "yes", 0.9),
    text("b", "yes", 0.8),
    text("c", "yes", 0.7, { ukoNode: "project://a", provenance: place("line 2") }),
    text("d", "", 0.6),
    text("e", "", 0.5),
    text("f", "no", 0.4),
  ]);
  assert.deepEqual(idsOf(payload.fragments), ["a", "d", "f"]);
  assert.deepEqual(dropsOf(payload), [
    ["b", Reason.TOO_SIMILAR, "a"],
    ["c", Reason.DUPLICATE, "a"],
    ["e", Reason.TOO_SIMILAR, "d"],
  ]);
});

function place(location: string) {
  return { resourceUri: "", resourceType: "", location, mergedFrom: [] };
}

test("a pin survives whatever is more relevant, and pins do not drop each other", async () => {
  const pinned = true;
  const payload = await payloadOf([
    text("a", TEXT, 0.9),
    text("b", NEAR, 0.1, { pinned }),
    text("c", TEXT, 0, { pinned }),
  ]);
  assert.deepEqual(idsOf(payload.fragments).sort(), ["b", "c"]);
  assert.deepEqual(dropsOf(payload), [["a", Reason.TOO_SIMILAR, "c"]]);
});

test("what only a requirement brings gives way to what was nominated, which then stands for it", async () => {
  // In a window of two, lib is outside and comes in for asker alone.
  const fragments = [text("lib", TEXT, 1), text("twin", NEAR, 0.2), text("asker", OTHER, 0.9, { requires: ["lib"] })];
  const config = { $case: "slidingWindow" as const, value: { windowSize: 2, windowMode: 1 } };
  const strategies = [{ name: "sliding_window", confidence: undefined, config }];
  const payload = await payloadOf(fragments, undefined, { strategies });
  assert.deepEqual(idsOf(payload.fragments), ["twin", "asker"]);
  assert.deepEqual(dropsOf(payload), [["lib", Reason.TOO_SIMILAR, "twin"]]);
});

test("members of groups take no part, unless they are committed", async () => {
  const group = [text("call", TEXT, 0.9, { groupId: "g" }), text("answer", NEAR, 0.8, { groupId: "g" })];
  assert.equal((await payloadOf([...group, text("copy", TEXT, 0.1)])).fragments.length, 3);
  const pinned = [{ ...group[0]!, pinned: true }, group[1]!];
  const payload = await payloadOf([...pinned, text("copy", TEXT, 0.1)]);
  assert.deepEqual(dropsOf(payload), [["copy", Reason.TOO_SIMILAR, "call"]]);
});

test("alternatives of one key are not similar to each other, but to others they are", async () => {
  const node = { ukoNode: "project://main" };
  const fragments = [
    text("full", TEXT, 0.9, { ...node, detailDepth: 9 }),
    text("brief", NEAR, 0.8, { ...node, detailDepth: 2 }),
    text("elsewhere", NEAR, 0.5),
  ];
  const direct = await payloadOf(fragments);
  assert.deepEqual(dropsOf(direct), [["elsewhere", Reason.TOO_SIMILAR, "brief"]]);
  const pipeline = pipelineDraft({ profile: "fusion", deduplicator: "near_duplicate" });
  const fused = await assembled(requestDraft({ fragments, pipeline }));
  assert.deepEqual(idsOf(fused.fragments), ["full"]);
  assert.deepEqual(dropsOf(fused), [
    ["brief", Reason.OTHER_VARIANT, "full"],
    ["elsewhere", Reason.TOO_SIMILAR, "brief"],
  ]);
  const small = await assembled(
    requestDraft({
      fragments: fragments.map((one, i) => ({ ...one, tokenCount: i === 0 ? 500 : 20 })),
      pipeline,
      budget: budgetOf(100),
    }),
  );
  assert.deepEqual(idsOf(small.fragments), ["brief"]);
});

test("an equal text of one key but another node is not dropped for its alternative, but for the next that is none", async () => {
  const variantKey = "k";
  const fragments = [
    text("a", TEXT, 0.9, { variantKey }),
    text("b", TEXT, 0.8, { variantKey, detailDepth: 3 }),
    text("c", TEXT, 0.7),
    text("d", TEXT, 0.6, { variantKey, detailDepth: 4 }),
  ];
  assert.deepEqual(dropsOf(await payloadOf(fragments)), [["c", Reason.TOO_SIMILAR, "a"]]);
});

test("a survivor meets whoever requires what went", async () => {
  const fragments = [text("asker", OTHER, 0.9, { requires: ["lib"] }), text("lib", TEXT, 0.2), text("twin", NEAR, 0.3)];
  const payload = await payloadOf(fragments, undefined, { budget: budgetOf(20) });
  assert.deepEqual(idsOf(payload.fragments).sort(), ["asker", "twin"]);
});

test("the stage by itself works with the default threshold", async () => {
  const draft = { fragments: [text("a", TEXT, 0.5), text("b", NEAR, 0.9)], component: "near_duplicate" };
  const around = { registry: builtInRegistry(), limits: DEFAULT_LIMITS, run: testRun() };
  const { fragments, decisions } = await deduplicateAlone(draft, around);
  assert.deepEqual(idsOf(fragments), ["b"]);
  assert.deepEqual(
    decisions.map(({ fragmentId, reason, relatedFragmentId }) => [fragmentId, reason, relatedFragmentId]),
    [["a", Reason.TOO_SIMILAR, "b"]],
  );
});

test("it lets others have a turn between two texts, and goes on after it", async () => {
  let pauses = 0;
  const run = testRun({
    breathe: () => {
      pauses++;
      return new Promise((resolve) => setImmediate(resolve));
    },
  });
  const draft = requestDraft({
    fragments: [text("a", TEXT, 0.5), text("b", NEAR, 0.9), text("c", OTHER, 0.4)],
    pipeline: pipelineDraft({ deduplicator: "near_duplicate" }),
  });
  const payload = await assembled(draft, builtInRegistry(), run);
  assert.deepEqual(idsOf(payload.fragments), ["b", "c"]);
  assert.ok(pauses > 10, `${pauses} pauses`);
});

/** Few words, so that texts are alike by chance. */
const texts = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 0, maxLength: 7 }).map((words) => words.join(" "));
const pools = fc.array(
  fc.record({
    content: texts,
    relevanceScore: fc.constantFrom(0.2, 0.5, 0.5, 0.9),
    ukoNode: fc.constantFrom("n", "m"),
    detailDepth: fc.constantFrom(0, 1),
    pinned: fc.nat(9).map((roll) => roll === 0),
    groupId: fc.constantFrom("", "", "", "g"),
    role: fc.constantFrom(0, 1),
  }),
  { maxLength: 14 },
);

test("nothing that stays is similar to another that stays, nor was anything similar to its survivor by less than the threshold", async () => {
  await fc.assert(
    fc.asyncProperty(pools, fc.constantFrom(0.3, 0.5, 0.8, 1), async (pool, threshold) => {
      const drafts = pool.map((fields, i) => fragmentDraft({ ...fields, fragmentId: `f${i}`, tokenCount: 0 }));
      const payload = await payloadOf(drafts, threshold);
      const byId = new Map(drafts.map((draft) => [draft.fragmentId, draft]));
      const similarity = (a: string, b: string): number =>
        jaccard(shinglesOf(byId.get(a)!.content), shinglesOf(byId.get(b)!.content));
      const isAlternative = (a: string, b: string): boolean => {
        const [x, y] = [byId.get(a)!, byId.get(b)!];
        return x.ukoNode === y.ukoNode && x.role + y.role === 0 && x.groupId + y.groupId === "";
      };
      const stays = idsOf(payload.fragments);
      for (const [id, reason, survivor] of dropsOf(payload) as [string, number, string][]) {
        assert.ok(stays.includes(survivor), `${id} went for ${survivor}, which did not stay`);
        assert.ok(similarity(id, survivor) >= threshold);
        const isSame =
          byId.get(id)!.ukoNode === byId.get(survivor)!.ukoNode &&
          byId.get(id)!.content === byId.get(survivor)!.content;
        assert.equal(reason, isSame ? Reason.DUPLICATE : Reason.TOO_SIMILAR);
        assert.ok(isSame || !isAlternative(id, survivor));
        assert.ok(!byId.get(id)!.pinned && byId.get(id)!.groupId === "");
      }
      const hasPinnedGroup = drafts.some(({ groupId, pinned }) => groupId !== "" && pinned);
      const takesPart = (id: string): boolean => byId.get(id)!.groupId === "" || hasPinnedGroup;
      const isCommitted = (id: string): boolean =>
        byId.get(id)!.pinned || (byId.get(id)!.groupId !== "" && hasPinnedGroup);
      for (const a of stays) {
        for (const b of stays) {
          if (a >= b || !takesPart(a) || !takesPart(b) || (isCommitted(a) && isCommitted(b))) continue;
          // That other pairs are found is likely alone; that copies are is sure.
          assert.notEqual(byId.get(a)!.content, byId.get(b)!.content);
        }
      }
    }),
    { seed: 1, numRuns: 300 },
  );
});

test("any order of the input has the same outcome", async () => {
  const permuted = pools.chain((pool) => {
    const named = pool.map((fields, i) => ({ ...fields, fragmentId: `f${i}` }));
    return fc.tuple(fc.constant(named), fc.shuffledSubarray(named, { minLength: named.length }));
  });
  const outcomeOf = async (pool: readonly Partial<FragmentDraft>[]) => {
    const createdAt = (id: string) => ({ seconds: Number(id.slice(1)), nanos: 0 });
    const drafts = pool.map((fields) =>
      fragmentDraft({ ...fields, tokenCount: 1, createdAt: createdAt(fields.fragmentId!) }),
    );
    const payload = await payloadOf(drafts, 0.5);
    return { kept: idsOf(payload.fragments), drops: dropsOf(payload).sort(), hash: payload.contextHash };
  };
  await fc.assert(
    fc.asyncProperty(permuted, async ([pool, shuffled]) => {
      assert.deepEqual(await outcomeOf(shuffled), await outcomeOf(pool));
    }),
    { seed: 2, numRuns: 200 },
  );
});
