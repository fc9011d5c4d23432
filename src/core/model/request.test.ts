import assert from "node:assert/strict";
import { test } from "node:test";
import {
  budgetOf,
  fragmentDraft,
  idsOf,
  NOON,
  pipelineDraft,
  requestDraft,
  requestOf,
  scored,
  surroundingsOf,
  testRun,
} from "../drafts.fixture.js";
import { ContextError } from "../errors.js";
import { TraceLevel } from "./payload.js";
import { DEFAULT_LIMITS, type RequestDraft, readRequest } from "./request.js";

async function refusalOf(fields: Partial<RequestDraft>): Promise<ContextError> {
  const error = await requestOf(requestDraft(fields)).then(
    () => assert.fail("not refused"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ContextError, String(error));
  return error;
}

const fieldsOf = ({ violations }: ContextError): string[] => violations.map(({ field }) => field);

test("what is absent has its default", async () => {
  const request = await requestOf(requestDraft({ trace: 0, asOf: undefined }));
  assert.equal(request.trace, TraceLevel.DROPPED);
  assert.equal(request.skeletonRatio, 0.15);
  assert.equal(request.idsOnly, false);
  assert.deepEqual(request.asOf, NOON);
  assert.deepEqual(request.strategies, []);
  assert.deepEqual(request.pipeline, { profile: "", components: {}, options: {} });
  assert.match(request.planId, /^01TEST/);
});

test("a fragment without a time has the request's as_of", async () => {
  const asOf = { seconds: 5, nanos: 6 };
  const request = await requestOf(requestDraft({ asOf, fragments: [fragmentDraft()] }));
  assert.deepEqual(request.fragments[0]!.createdAt, asOf);
});

test("a given plan id is kept", async () => {
  const planId = "01JQTESTPN00000000000000AA";
  assert.equal((await requestOf(requestDraft({ planId }))).planId, planId);
});

test("a plan id that is present and empty is refused", async () => {
  const error = await refusalOf({ planId: "" });
  assert.deepEqual(fieldsOf(error), ["plan_id"]);
  assert.match(error.message, /ULID/);
});

test("fragments know their place in their own list", async () => {
  const request = await requestOf(
    requestDraft({ fragments: [fragmentDraft(), fragmentDraft()], parentFragments: [fragmentDraft()] }),
  );
  assert.deepEqual(
    request.fragments.map(({ inputIndex }) => inputIndex),
    [0, 1],
  );
  assert.equal(request.parentFragments[0]!.inputIndex, 0);
});

test("every fault of a request is reported at once, each with its path", async () => {
  const error = await refusalOf({
    requestId: "r".repeat(129),
    planId: "no",
    query: "q".repeat(100_001),
    fragments: [fragmentDraft({ relevanceScore: 2 }), fragmentDraft(), fragmentDraft({ ukoNode: "", tokenCount: -1 })],
    parentFragments: [fragmentDraft({ detailDepth: 10 })],
    budget: budgetOf(0, -1),
    strategies: [{ name: "" }, { name: "relevance", confidence: -1 }],
    pipeline: pipelineDraft({ packer: "p".repeat(129) }),
    skeletonRatio: 1.5,
    trace: 4,
    contentMode: 3,
    asOf: { seconds: 0, nanos: -1 },
  });
  assert.equal(error.reason, "INVALID_REQUEST");
  assert.deepEqual(fieldsOf(error).sort(), [
    "as_of",
    "budget.max_tokens",
    "budget.reserved_tokens",
    "content_mode",
    "fragments[0].relevance_score",
    "fragments[2].token_count",
    "fragments[2].uko_node",
    "parent_fragments[0].detail_depth",
    "pipeline.packer",
    "plan_id",
    "query",
    "request_id",
    "skeleton_ratio",
    "strategies[0].name",
    "strategies[1].confidence",
    "trace",
  ]);
});

test("an id that comes twice is a fault at its second place that names the first", async () => {
  const error = await refusalOf({ fragments: [scored("a", 1, 1), scored("b", 1, 1), scored("a", 1, 1)] });
  assert.deepEqual(error.violations, [
    { field: "fragments[2].fragment_id", description: 'is "a", as fragments[0] is; ids are unique' },
  ]);
});

test("the parents may have ids that the fragments have", async () => {
  const request = await requestOf(
    requestDraft({ fragments: [scored("a", 1, 1)], parentFragments: [scored("a", 1, 1)] }),
  );
  assert.deepEqual(idsOf(request.parentFragments), ["a"]);
});

test("a requirement that does not exist is a fault with its path", async () => {
  const error = await refusalOf({ fragments: [scored("a", 1, 1), scored("b", 1, 1, { requires: ["a", "c", "d"] })] });
  assert.deepEqual(fieldsOf(error), ["fragments[1].requires[1]", "fragments[1].requires[2]"]);
  assert.match(error.message, /"c"/);
});

test("a fragment may require itself, and others in a circle", async () => {
  const fragments = [scored("a", 1, 1, { requires: ["a", "b"] }), scored("b", 1, 1, { requires: ["a"] })];
  assert.equal((await requestOf(requestDraft({ fragments }))).fragments.length, 2);
});

test("a skeleton ratio that is not a number is refused", async () => {
  for (const skeletonRatio of [Number.NaN, -0.1, Number.POSITIVE_INFINITY]) {
    assert.deepEqual(fieldsOf(await refusalOf({ skeletonRatio })), ["skeleton_ratio"]);
  }
});

test("too many fragments, parents counted, are refused before any is looked at", async () => {
  const draft = requestDraft({
    fragments: [fragmentDraft({ ukoNode: "" }), fragmentDraft()],
    parentFragments: [fragmentDraft()],
  });
  const limits = { ...DEFAULT_LIMITS, maxFragments: 2 };
  await assert.rejects(
    async () => readRequest(draft, { ...surroundingsOf(testRun()), limits }),
    (error) => {
      assert.ok(error instanceof ContextError);
      assert.equal(error.reason, "TOO_MANY_FRAGMENTS");
      assert.deepEqual(error.metadata, { fragments: "3", limit: "2" });
      assert.match(error.message, /3 fragments.*2/);
      return true;
    },
  );
});

test("the longest content is a setting of the server", async () => {
  const limits = { ...DEFAULT_LIMITS, maxContentCharacters: 3 };
  const draft = requestDraft({ fragments: [fragmentDraft({ content: "abcd" })] });
  await assert.rejects(
    async () => readRequest(draft, { ...surroundingsOf(testRun()), limits }),
    /fragments\[0\]\.content: has 4 characters; at most 3/,
  );
});

test("a request with faults is not counted", async () => {
  const counter = { name: "c", estimated: false, count: () => assert.fail("counted") };
  const draft = requestDraft({ fragments: [fragmentDraft({ content: "a", ukoNode: "" })] });
  await assert.rejects(requestOf(draft, testRun({ counter })), /uko_node/);
});

test("an error of the counter is the request's", async () => {
  const failure = new ContextError("CANCELLED", "gone");
  const counter = { name: "c", estimated: false, count: async () => Promise.reject(failure) };
  await assert.rejects(requestOf(requestDraft({ fragments: [fragmentDraft()] }), testRun({ counter })), failure);
});
