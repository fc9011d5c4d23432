/** The services over a real connection, for what their handlers add to the core. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { credentials, status as Status } from "@grpc/grpc-js";
import {
  AllocateBudgetRequest,
  type AllocateBudgetResponse,
  CompressSkeletonRequest,
  type CompressSkeletonResponse,
  SelectStrategiesRequest,
  type SelectStrategiesResponse,
  StageServiceClient,
} from "../../gen/acms/v1/stage_service.js";
import { Source } from "../../gen/acms/v1/strategy.js";
import {
  type GetStrategyResponse,
  type ListStrategiesResponse,
  RankStrategiesRequest,
  type RankStrategiesResponse,
  StrategyServiceClient,
} from "../../gen/acms/v1/strategy_service.js";
import { createApp } from "../app.js";
import { builtInRegistry, Registry } from "../core/index.js";
import { answered, ended, failing, startTestServer } from "./server.fixture.js";

/** Of the built-in strategies, as they are listed. */
const NAMES = [...builtInRegistry().strategies().keys()].sort();

async function clients(t: TestContext, app = createApp()) {
  const server = await startTestServer(t, { app });
  const stages = new StageServiceClient(server.address, credentials.createInsecure());
  const strategies = new StrategyServiceClient(server.address, credentials.createInsecure());
  t.after(() => {
    stages.close();
    strategies.close();
  });
  return { server, stages, strategies };
}

test("strategies are listed by name with all that is known of them", async (t) => {
  const { strategies } = await clients(t);
  const { strategies: listed, nextPageToken } = await answered(
    ended<ListStrategiesResponse>((callback) => strategies.listStrategies({ pageSize: 0, pageToken: "" }, callback)),
  );
  assert.deepEqual(
    listed.map(({ name }) => name),
    NAMES,
  );
  assert.equal(nextPageToken, "");
  const recency = listed.find(({ name }) => name === "recency")!;
  assert.deepEqual([recency.confidence, recency.source], [0.6, Source.SOURCE_BUILT_IN]);
  assert.equal(recency.capabilities?.supportsTemporalArchaeology, true);
  assert.match(recency.explanation, /creation time/);
});

test("strategies are listed in pages", async (t) => {
  const { strategies } = await clients(t);
  const list = (pageToken: string) =>
    answered(
      ended<ListStrategiesResponse>((callback) => strategies.listStrategies({ pageSize: 2, pageToken }, callback)),
    );
  const seen: string[] = [];
  let token = "";
  do {
    const page = await list(token);
    assert.ok(page.strategies.length <= 2, `${page.strategies.length} on a page`);
    seen.push(...page.strategies.map(({ name }) => name));
    token = page.nextPageToken;
  } while (token !== "");
  assert.deepEqual(seen, NAMES);
});

test("a wrong page is refused with every fault", async (t) => {
  const { strategies } = await clients(t);
  const failure = await failing(
    ended<ListStrategiesResponse>((callback) => strategies.listStrategies({ pageSize: -1, pageToken: "%" }, callback)),
  );
  assert.equal(failure.code, Status.INVALID_ARGUMENT);
  assert.deepEqual(
    failure.violations.map(({ field }) => field),
    ["page_size", "page_token"],
  );
});

test("a strategy is found by its name, and by its built-in name", async (t) => {
  const { strategies } = await clients(t);
  for (const name of ["tiered", "builtin:tiered"]) {
    const { strategy } = await answered(
      ended<GetStrategyResponse>((callback) => strategies.getStrategy({ name }, callback)),
    );
    assert.equal(strategy?.name, name);
    assert.match(strategy?.explanation ?? "", /tier priority/);
  }
});

test("a strategy that does not exist is NOT_FOUND with the names that do", async (t) => {
  const { strategies } = await clients(t);
  const failure = await failing(
    ended<GetStrategyResponse>((callback) => strategies.getStrategy({ name: "none" }, callback)),
  );
  assert.equal(failure.code, Status.NOT_FOUND);
  assert.deepEqual(failure.metadata, { strategy: "none", known: NAMES.join(", ") });
});

test("a name of half a page is shortened in the answer", async (t) => {
  const { strategies } = await clients(t);
  const name = "😀".repeat(10_000);
  const failure = await failing(ended<GetStrategyResponse>((callback) => strategies.getStrategy({ name }, callback)));
  assert.equal(failure.code, Status.NOT_FOUND);
  assert.ok(failure.detailBytes <= 4_096);
  assert.ok(!JSON.stringify(failure).includes("\ufffd"));
});

test("thousands of strategies do not make a NOT_FOUND too large to arrive", async (t) => {
  const registry = new Registry(builtInRegistry());
  for (let i = 0; i < 3_000; i++) registry.addStrategy(builtInRegistry().strategy("relevance"), `strategy-number-${i}`);
  const { strategies } = await clients(t, createApp({ registry }));
  const failure = await failing(
    ended<GetStrategyResponse>((callback) => strategies.getStrategy({ name: "none" }, callback)),
  );
  assert.equal(failure.code, Status.NOT_FOUND);
  assert.equal(failure.reason, "UNKNOWN_STRATEGY");
  assert.ok(failure.detailBytes <= 4_096);
});

test("strategies are ranked by confidence", async (t) => {
  const { strategies } = await clients(t);
  const request = RankStrategiesRequest.fromPartial({ query: "q" });
  const { candidates } = await answered(
    ended<RankStrategiesResponse>((callback) => strategies.rankStrategies(request, callback)),
  );
  assert.deepEqual(candidates.map(({ strategy }) => strategy).sort(), NAMES);
  assert.deepEqual(candidates[0], { strategy: "relevance", confidence: 0.8 });
});

test("a selection by itself answers its hint", async (t) => {
  const { stages } = await clients(t);
  const request = SelectStrategiesRequest.fromPartial({ hint: ["recency"] });
  const { candidates } = await answered(
    ended<SelectStrategiesResponse>((callback) => stages.selectStrategies(request, callback)),
  );
  assert.deepEqual(candidates, [{ strategy: "recency", confidence: 0.6 }]);
});

test("an allocation by itself loses no token", async (t) => {
  const { stages } = await clients(t);
  const candidates = [1, 1, 1].map((confidence, i) => ({ strategy: `s${i}`, confidence }));
  const request = AllocateBudgetRequest.fromPartial({ budgetTokens: 100, candidates });
  const { allocations } = await answered(
    ended<AllocateBudgetResponse>((callback) => stages.allocateBudget(request, callback)),
  );
  assert.deepEqual(
    allocations.map(({ tokens }) => tokens),
    [34, 33, 33],
  );
});

test("an outline by itself is counted and warned of", async (t) => {
  const { server, stages } = await clients(t);
  const fragments = [{ ukoNode: "n", content: "x".repeat(401) }];
  const request = CompressSkeletonRequest.fromPartial({ fragments, budgetTokens: 100 });
  const response = await answered(
    ended<CompressSkeletonResponse>((callback) => stages.compressSkeleton(request, callback)),
  );
  assert.equal(response.totalTokens, 101);
  assert.equal(response.fragments[0]?.tokenCount, 101);
  assert.deepEqual(
    response.warnings.map(({ code, stage, component }) => [code, stage, component]),
    [["skeleton_over_share", 10, "unchanged"]],
  );
  const line = await server.line(({ method }) => String(method).endsWith("CompressSkeleton"));
  assert.deepEqual([line.fragmentsIn, line.fragmentsOut, line.tokens], [1, 1, 101]);
});
