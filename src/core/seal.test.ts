import assert from "node:assert/strict";
import { test } from "node:test";
import { openAssembly } from "./assembly.js";
import { builtInRegistry } from "./built-in.js";
import { independentHash } from "./context-hash.fixture.js";
import { contentHash } from "./context-hash.js";
import { budgetOf, NOON, requestDraft, requestOf, scored, testRun } from "./drafts.fixture.js";
import { ContextError } from "./errors.js";
import type { PreviousFragment } from "./model/previous.js";
import type { RequestDraft } from "./model/request.js";
import type { Run } from "./run.js";
import { type Parcel, seal } from "./seal.js";

/** Seals the fragments of a request as if all of them had been chosen. */
async function sealed(draft: Partial<RequestDraft>, parcel: Partial<Parcel> = {}, run: Run = testRun()) {
  const request = await requestOf(requestDraft(draft), run);
  const assembly = openAssembly(request, builtInRegistry(), run);
  const ordered = {
    fragments: [...request.fragments],
    positions: Uint32Array.from(request.fragments.keys()),
    strategiesUsed: ["relevance"],
    report: () => ({ value: 0, upperBound: 0, gap: 0, provenOptimal: true, packer: "in_order", steps: 0 }),
    ordered: true,
  } as const;
  const preamble = { text: "", tokens: 0 };
  return seal(assembly, { ordered, preamble, skeleton: { fragments: [], tokens: 0 }, ...parcel });
}

const fragments = [scored("a", 1, 60), scored("b", 1, 40)];

test("totals add up", async () => {
  const payload = await sealed({ fragments, budget: budgetOf(250, 50) });
  assert.equal(payload.totalTokens, 100);
  assert.equal(payload.remainingTokens, 100);
  assert.equal(payload.budgetUsed, 0.5);
});

test("an empty payload has used nothing of its budget", async () => {
  const payload = await sealed({ budget: budgetOf(1) });
  assert.equal(payload.budgetUsed, 0);
  assert.equal(payload.remainingTokens, 1);
  assert.equal(payload.contextHash, independentHash([]));
});

test("a payload over its budget never leaves", async () => {
  await assert.rejects(sealed({ fragments, budget: budgetOf(99) }), (error) => {
    assert.ok(error instanceof ContextError);
    assert.equal(error.reason, "INTERNAL");
    assert.match(error.message, /100 tokens.*99/);
    return true;
  });
});

test("a preamble counts against the budget", async () => {
  const preamble = { text: "x", tokens: 1 };
  await assert.rejects(sealed({ fragments, budget: budgetOf(100) }, { preamble }), /101 tokens/);
  assert.equal((await sealed({ fragments, budget: budgetOf(101) }, { preamble })).preambleTokens, 1);
});

test("a payload is frozen", async () => {
  const payload = await sealed({ fragments });
  assert.ok(Object.isFrozen(payload));
  assert.ok(Object.isFrozen(payload.fragments));
});

test("ids, time and tokenizer come from the run", async () => {
  const run = testRun({ newId: () => "01TESTPAYLOAD0000000000000" });
  const payload = await sealed({}, {}, run);
  assert.equal(payload.payloadId, "01TESTPAYLOAD0000000000000");
  assert.deepEqual(payload.assembledAt, NOON);
  assert.equal(payload.tokenizer, "characters");
});

const estimating = testRun({ counter: { name: "chars4", estimated: true, count: (texts) => texts.map(() => 1) } });
const uncounted = { ...scored("c", 1, 0), tokenCount: undefined };

test("declared counts are no estimates", async () => {
  const payload = await sealed({ fragments }, {}, estimating);
  assert.equal(payload.countsEstimated, false);
  assert.deepEqual(payload.warnings, []);
});

test("estimates beside declared counts are warned of", async () => {
  const payload = await sealed({ fragments: [...fragments, uncounted] }, {}, estimating);
  assert.equal(payload.countsEstimated, true);
  assert.deepEqual(
    payload.warnings.map(({ code, component }) => [code, component]),
    [["estimated_counts_mixed", "chars4"]],
  );
});

test("estimates alone are labelled and not warned of", async () => {
  const payload = await sealed({ fragments: [uncounted] }, {}, estimating);
  assert.equal(payload.countsEstimated, true);
  assert.deepEqual(payload.warnings, []);
});

const previousOf = (...entries: [string, string][]) => ({
  fragments: entries.map(([fragmentId, content]) => ({ fragmentId, contentHash: contentHash(content) })),
});

test("the stable prefix is what leads both payloads, by id and content", async () => {
  const prefixOf = async (...entries: [string, string][]) =>
    (await sealed({ fragments, previous: previousOf(...entries) })).stablePrefixTokens;
  assert.equal(await prefixOf(["a", "a"], ["b", "b"], ["c", "c"]), 100);
  assert.equal(await prefixOf(["a", "a"], ["b", "changed"]), 60);
  assert.equal(await prefixOf(["b", "b"], ["a", "a"]), 0);
  assert.equal(await prefixOf(), 0);
});

test("an id alone, or a content alone, is enough to compare with", async () => {
  const byId = { fragmentId: "a", contentHash: "" };
  const byContent = { fragmentId: "", contentHash: contentHash("b") };
  const prefixOf = async (...previous: PreviousFragment[]) =>
    (await sealed({ fragments, previous: { fragments: previous } })).stablePrefixTokens;
  assert.equal(await prefixOf(byId, byContent), 100);
  assert.equal(await prefixOf(byId, byId), 60);
  assert.equal(await prefixOf(byContent), 0);
});
