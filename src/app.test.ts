import assert from "node:assert/strict";
import { test } from "node:test";
import { createApp } from "./app.js";
import { budgetOf, fragmentDraft, idsOf, pipelineDraft, requestDraft, scored } from "./core/drafts.fixture.js";
import { builtInRegistry, ContextError, Registry } from "./core/index.js";

const { signal } = new AbortController();

const refused = (reason: string) => (error: unknown) => {
  assert.ok(error instanceof ContextError, String(error));
  assert.equal(error.reason, reason);
  return true;
};

test("a request is read, counted and assembled", async () => {
  const fragments = [fragmentDraft({ content: "x".repeat(401) }), scored("declared", 0.1, 7)];
  const { payload, idsOnly } = await createApp().assemble(requestDraft({ fragments }), "", { namespace: "", signal });
  assert.equal(payload.totalTokens, 101 + 7);
  assert.equal(payload.tokenizer, "chars4");
  assert.equal(payload.countsEstimated, true);
  assert.deepEqual(
    payload.warnings.map(({ code }) => code),
    ["estimated_counts_mixed"],
  );
  assert.equal(idsOnly, false);
});

test("whether a caller wants ids alone is told beside the payload", async () => {
  const { idsOnly } = await createApp().assemble(requestDraft({ contentMode: 2 }), "", { namespace: "", signal });
  assert.equal(idsOnly, true);
});

test("made ids are ULIDs, and none comes twice", async () => {
  const fragments = Array.from({ length: 100 }, () => fragmentDraft());
  const { payload } = await createApp().assemble(requestDraft({ fragments }), "", { namespace: "", signal });
  const ids = [payload.payloadId, payload.planId, ...idsOf(payload.fragments)];
  assert.ok(ids.every((id) => /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(id)));
  assert.equal(new Set(ids).size, 102);
});

test("ids of one millisecond are numbered on, and not drawn anew, which would cost a second for ten thousand fragments", () => {
  const app = createApp();
  const ids = Array.from({ length: 10_000 }, () => app.newId());
  const drawn = ids.filter((id, i) => i === 0 || randomOf(id) !== randomOf(ids[i - 1]!) + 1n);
  const milliseconds = new Set(ids.map((id) => id.slice(0, 10)));
  assert.ok(drawn.length <= milliseconds.size, `${drawn.length} were drawn in ${milliseconds.size} ms`);
});

/** The number that a ULID has after its time. */
function randomOf(id: string): bigint {
  const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  return [...id.slice(10)].reduce((number, digit) => number * 32n + BigInt(digits.indexOf(digit)), 0n);
}

test("an unknown tokenizer is refused", async () => {
  await assert.rejects(
    createApp().assemble(requestDraft(), "gpt9", { namespace: "", signal }),
    refused("UNKNOWN_TOKENIZER"),
  );
});

test("the owner sets limits, one at a time", async () => {
  const app = createApp({ limits: { maxFragments: 1 } });
  assert.deepEqual(app.limits, { maxFragments: 1, maxContentCharacters: 1_000_000 });
  const fragments = [fragmentDraft(), fragmentDraft()];
  await assert.rejects(
    app.assemble(requestDraft({ fragments }), "", { namespace: "", signal }),
    refused("TOO_MANY_FRAGMENTS"),
  );
});

test("the owner brings components and strategies", async () => {
  const registry = new Registry(builtInRegistry())
    .addComponent("orderer", "reversed", () => ({ order: (selected) => [...selected].reverse() }))
    .addStrategy({ ...builtInRegistry().strategy("recency"), name: "newest" });
  const draft = requestDraft({
    fragments: [scored("a", 0.9, 1), scored("b", 0.8, 1)],
    strategies: [{ name: "newest" }],
    pipeline: pipelineDraft({ orderer: "reversed" }),
  });
  const { payload } = await createApp({ registry }).assemble(draft, "", { namespace: "", signal });
  assert.deepEqual(idsOf(payload.fragments), ["b", "a"]);
  assert.deepEqual(payload.strategiesUsed, ["newest"]);
});

test("the owner's recorder sees each stage", async () => {
  const seen: string[] = [];
  const app = createApp({ recorder: { stageFinished: (stage) => void seen.push(stage) } });
  await app.assemble(requestDraft(), "", { namespace: "", signal });
  assert.equal(seen[0], "strategy_selector");
  assert.equal(seen.length, 9, "without parents there is no outline");
});

test("an aborted signal stops the work with its reason", async () => {
  const gone = new ContextError("CANCELLED", "gone");
  await assert.rejects(
    createApp().assemble(requestDraft(), "", { namespace: "", signal: AbortSignal.abort(gone) }),
    gone,
  );
});

test("a refused request leaves nothing behind for the next", async () => {
  const app = createApp();
  await assert.rejects(
    app.assemble(requestDraft({ budget: budgetOf(0) }), "", { namespace: "", signal }),
    refused("INVALID_REQUEST"),
  );
  const { payload } = await app.assemble(requestDraft({ fragments: [scored("a", 1, 1)] }), "", {
    namespace: "",
    signal,
  });
  assert.deepEqual(idsOf(payload.fragments), ["a"]);
});
