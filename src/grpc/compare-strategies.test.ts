/** `CompareStrategies` over the wire: what only the edge adds to the core's comparison. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type CallOptions, Metadata, status as Status } from "@grpc/grpc-js";
import { CompareStrategiesRequest, type CompareStrategiesResponse } from "../../gen/acms/v1/assembly_service.js";
import type { VariantResult, VariantSummary } from "../../gen/acms/v1/comparison.js";
import { ErrorReason } from "../../gen/acms/v1/error_reason.js";
import { createApp } from "../app.js";
import { builtInRegistry } from "../core/index.js";
import { answered, assembleOver, ended, failing, startTestServer, type TestServer } from "./server.fixture.js";

type Request = Parameters<typeof CompareStrategiesRequest.fromPartial>[0];

function compareOver(server: TestServer, request: Request, options: CallOptions = {}, metadata = new Metadata()) {
  const client = server.client();
  const whole = CompareStrategiesRequest.fromPartial(request);
  return ended<CompareStrategiesResponse>((done) => client.compareStrategies(whole, metadata, options, done));
}

function summaryOf(result: VariantResult | undefined): VariantSummary {
  assert.equal(result?.outcome?.$case, "summary");
  return result.outcome.value;
}

const fragments = [
  { fragmentId: "best", ukoNode: "n://best", content: "secret text", tokenCount: 60, relevanceScore: 0.9 },
  { fragmentId: "new", ukoNode: "n://new", tokenCount: 30, relevanceScore: 0.1, createdAt: { seconds: 4, nanos: 0 } },
  { fragmentId: "old", ukoNode: "n://old", tokenCount: 50, relevanceScore: 0.4, createdAt: { seconds: 2, nanos: 0 } },
];
const assemble = {
  requestId: "mine",
  asOf: { seconds: 1, nanos: 0 },
  fragments,
  budget: { maxTokens: 100, reservedTokens: 10 },
};
const byName = (...names: string[]) => names.map((name) => ({ strategies: [{ name }] }));

test("summaries have the figures of the payloads, and no text comes back", async (t) => {
  const server = await startTestServer(t);
  const variants = [...byName("relevance", "recency"), { label: "best set", pipeline: { packer: "optimal" } }];
  const response = await answered(compareOver(server, { assemble, variants }));
  assert.equal(response.requestId, "mine");
  assert.equal(response.availableTokens, 90);
  assert.deepEqual([response.tokenizer, response.countsEstimated, response.keptByNone], ["chars4", false, 0]);
  assert.deepEqual(
    response.results.map(({ label }) => label),
    ["relevance", "recency", "best set"],
  );
  for (const [i, name] of ["relevance", "recency"].entries()) {
    const summary = summaryOf(response.results[i]);
    const { payload } = await answered(assembleOver(server.client(), { ...assemble, strategies: [{ name }] }));
    assert.deepEqual(
      summary.selected.map(({ fragmentId }) => fragmentId),
      payload?.fragments.map(({ fragmentId }) => fragmentId),
    );
    assert.equal(summary.contextHash, payload?.contextHash);
    assert.equal(summary.totalTokens, payload?.totalTokens);
    assert.equal(summary.remainingTokens, payload?.remainingTokens);
    assert.deepEqual(summary.strategiesUsed, [name]);
    assert.equal(summary.selectedCount + summary.droppedCount, 3);
  }
  const [relevance, recency, optimal] = response.results.map(summaryOf);
  assert.deepEqual([relevance?.relevanceSum, recency?.relevanceSum, optimal?.relevanceSum], [1, 0.5, 1]);
  assert.equal(recency?.relevancePerToken, 0.5 / 80);
  assert.deepEqual([relevance?.packing?.packer, relevance?.packing?.value], ["in_order", 1]);
  assert.equal(relevance?.valuePerToken, 1 / 90);
  assert.deepEqual(
    [optimal?.packing?.value, optimal?.packing?.provenOptimal, optimal?.valuePerToken],
    [1, true, 1 / 90],
  );
  assert.deepEqual(response.differences, [
    { fragment: { fragmentId: "best", inputIndex: 0, tokenCount: 60 }, keptBy: [0, 2] },
    { fragment: { fragmentId: "old", inputIndex: 2, tokenCount: 50 }, keptBy: [1] },
  ]);
  assert.deepEqual(response.keptByAll, [{ fragmentId: "new", inputIndex: 1, tokenCount: 30 }]);
  assert.deepEqual(recency?.onlyHere, [{ fragmentId: "old", inputIndex: 2, tokenCount: 50 }]);
  assert.deepEqual([relevance?.onlyHere, optimal?.onlyHere], [[], []]);
  assert.ok(response.results.every(({ elapsed }) => elapsed !== undefined));
  assert.doesNotMatch(JSON.stringify(response), /secret/);
});

test("a variant that fails says how, as a call of its own would", async (t) => {
  const server = await startTestServer(t);
  const pinned = { ...assemble, fragments: [{ ukoNode: "n", tokenCount: 91, pinned: true }] };
  const response = await answered(compareOver(server, { assemble: pinned, variants: byName("nearest", "recency") }));
  const outcomes = response.results.map(({ outcome }) => {
    assert.equal(outcome?.$case, "failure");
    const { status, reason, message, metadata } = outcome.value;
    return { status, reason, message, metadata: Object.fromEntries(metadata) };
  });
  for (const [i, name] of ["nearest", "recency"].entries()) {
    const alone = await failing(assembleOver(server.client(), { ...pinned, strategies: [{ name }] }));
    assert.deepEqual(outcomes[i], {
      status: Status[alone.code],
      reason: ErrorReason[`ERROR_REASON_${alone.reason}` as keyof typeof ErrorReason],
      message: alone.message,
      metadata: alone.metadata,
    });
  }
});

test("a component that fails under one variant leaves its cause in the log and not in the answer", async (t) => {
  const score = () => {
    throw new Error("the inside story");
  };
  const registry = builtInRegistry().addComponent("scorer", "mine", () => ({ score }));
  const server = await startTestServer(t, { app: createApp({ registry }) });
  const variants = [{ pipeline: { scorer: "mine" } }, ...byName("recency")];
  const response = await answered(compareOver(server, { assemble, variants }));
  assert.deepEqual(
    response.results.map(({ outcome }) => outcome?.$case),
    ["failure", "summary"],
  );
  assert.doesNotMatch(JSON.stringify(response.results), /inside story/);
  const line = await server.line(({ requestId }) => requestId === "mine");
  assert.equal(line.status, "OK");
  assert.match(JSON.stringify(line.err), /the inside story/);
});

test("faults of the input and of every variant are one refusal", async (t) => {
  const server = await startTestServer(t);
  const failure = await failing(
    compareOver(server, {
      assemble: { ...assemble, budget: { maxTokens: 0 } },
      variants: [{ strategies: [{ name: "" }] }, { label: "x", pipeline: { options: { minRelevance: -1 } } }],
    }),
  );
  assert.equal(failure.code, Status.INVALID_ARGUMENT);
  assert.deepEqual(
    failure.violations.map(({ field }) => field),
    ["assemble.budget.max_tokens", "variants[0].strategies[0].name", "variants[1].pipeline.options.min_relevance"],
  );
  const empty = await failing(compareOver(server, {}));
  assert.deepEqual(
    empty.violations.map(({ field }) => field),
    ["assemble", "variants"],
  );
});

test("what no variant is to blame for fails the call", async (t) => {
  const server = await startTestServer(t, { app: createApp({ limits: { maxFragments: 2 } }) });
  const tooMany = await failing(compareOver(server, { assemble, variants: byName("recency") }));
  assert.equal(tooMany.reason, "TOO_MANY_FRAGMENTS");
  const untold = { assemble: { ...assemble, tokenizer: "gpt9" }, variants: byName("recency") };
  assert.equal((await failing(compareOver(server, untold))).reason, "UNKNOWN_TOKENIZER");
});

test("a deadline stops a comparison that a component holds up", { timeout: 10_000 }, async (t) => {
  const registry = builtInRegistry().addComponent("scorer", "slow", () => ({ score: () => new Promise(() => {}) }));
  const server = await startTestServer(t, { app: createApp({ registry }) });
  const variants = [...byName("recency"), { pipeline: { scorer: "slow" } }];
  const failure = await failing(compareOver(server, { assemble, variants }, { deadline: Date.now() + 200 }));
  assert.equal(failure.code, Status.DEADLINE_EXCEEDED);
});

test("names of a namespace hold in its comparisons", async (t) => {
  const app = createApp();
  const config = { $case: "slidingWindow" as const, value: { windowSize: 1, windowMode: 0 } };
  await app.register("team", { name: "last_one", config }, new AbortController().signal);
  const server = await startTestServer(t, { app });
  const metadata = new Metadata();
  metadata.set("acms-namespace", "team");
  const request = { assemble, variants: byName("last_one") };
  const theirs = await answered(compareOver(server, request, {}, metadata));
  assert.equal(summaryOf(theirs.results[0]).selectedCount, 1);
  const others = await answered(compareOver(server, request));
  assert.equal(others.results[0]?.outcome?.$case, "failure");
});
