/** Hosted components as the other services show and use them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { credentials, Metadata, status as Status } from "@grpc/grpc-js";
import { ComponentServiceClient, type ListComponentsResponse } from "../../gen/acms/v1/component_service.js";
import { ErrorReason } from "../../gen/acms/v1/error_reason.js";
import { ComponentRole } from "../../gen/acms/v1/hosted_component.js";
import { StrategyOutput } from "../../gen/acms/v1/hosted_stage.js";
import { ScoreRequest, type ScoreResponse, StageServiceClient } from "../../gen/acms/v1/stage_service.js";
import { Source } from "../../gen/acms/v1/strategy.js";
import { type GetStrategyResponse, StrategyServiceClient } from "../../gen/acms/v1/strategy_service.js";
import type { Answering } from "./host.fixture.js";
import {
  assembled,
  type HostOptions,
  hostAt,
  idsOf,
  lastBest,
  listed,
  request,
  scorer,
  scoring,
  serverWith,
} from "./hosting.fixture.js";
import { answered, ended, failing } from "./server.fixture.js";

test("a stage by itself is run by a hosted component, and fails with it", async (t) => {
  const server = await serverWith(t);
  let isWell = true;
  const answer: Answering = (question, host) => (isWell ? lastBest(question, host) : scoring([]));
  await hostAt(t, server, { components: [scorer], answer });
  const client = new StageServiceClient(server.address, credentials.createInsecure());
  t.after(() => client.close());
  const draft = ScoreRequest.fromPartial({ component: "mine", fragments: request?.fragments ?? [] });
  const score = () => ended<ScoreResponse>((callback) => client.score(draft, callback));
  const { scored } = await answered(score());
  assert.deepEqual(
    scored.map(({ compositeScore }) => compositeScore),
    [0.5, 1],
  );
  isWell = false;
  const failure = await failing(score());
  assert.deepEqual([failure.reason, failure.metadata.failure], ["COMPONENT_UNAVAILABLE", "invariant"]);
});

test("a hosted strategy is described as one, and is found before a registered and a built-in one", async (t) => {
  const server = await serverWith(t);
  const client = new StrategyServiceClient(server.address, credentials.createInsecure());
  t.after(() => client.close());
  const own = new Metadata();
  own.set("acms-namespace", "own");
  const config = { $case: "slidingWindow" as const, value: { windowSize: 1, windowMode: 0 } };
  const strategy = { name: "relevance", confidence: undefined, config };
  await answered(ended((callback) => client.registerStrategy({ strategy }, own, callback)));
  const sourceOf = async (name: string, metadata = own): Promise<Source | undefined> => {
    const got = ended<GetStrategyResponse>((callback) => client.getStrategy({ name }, metadata, callback));
    return (await answered(got)).strategy?.source;
  };
  assert.equal(await sourceOf("relevance"), Source.SOURCE_REGISTERED);
  const role = ComponentRole.COMPONENT_ROLE_STRATEGY;
  const host = await hostAt(t, server, {
    components: [{ role, name: "relevance", confidence: 0.9, explanation: "Ranks as it likes." }],
    namespace: "own",
    answer: () => ({ $case: "strategy", value: StrategyOutput.fromPartial({ nominated: [1, 0] }) }),
  });
  assert.equal(await sourceOf("relevance"), Source.SOURCE_HOSTED);
  assert.equal(await sourceOf("builtin:relevance"), Source.SOURCE_BUILT_IN);
  assert.equal(await sourceOf("relevance", new Metadata()), Source.SOURCE_BUILT_IN);
  const direct = { strategies: [{ name: "relevance" }], pipeline: {}, budget: { maxTokens: 500 } };
  assert.deepEqual(idsOf(await assembled(server, direct, "own")), ["b", "a"]);
  assert.equal((await host.leave()).code, Status.OK);
  assert.equal(await sourceOf("relevance"), Source.SOURCE_REGISTERED);
});

test("a name hosted without a namespace hides nothing, whether it is registered before or after", async (t) => {
  const server = await serverWith(t);
  const client = new StrategyServiceClient(server.address, credentials.createInsecure());
  t.after(() => client.close());
  const config = { $case: "slidingWindow" as const, value: { windowSize: 1, windowMode: 0 } };
  const strategy = { name: "mine", confidence: undefined, config };
  const register = () => answered(ended((callback) => client.registerStrategy({ strategy }, callback)));
  const unregister = () => answered(ended((callback) => client.deleteStrategy({ name: "mine" }, callback)));
  const role = ComponentRole.COMPONENT_ROLE_STRATEGY;
  const options: HostOptions = {
    components: [
      { role, name: "mine" },
      { role, name: "free" },
    ],
    answer: () => ({ $case: "strategy", value: StrategyOutput.fromPartial({ nominated: [0, 1] }) }),
  };
  const direct = { strategies: [{ name: "mine" }], pipeline: {}, budget: { maxTokens: 500 } };
  const sourcesOf = async (): Promise<Source[]> =>
    (await listed(server, role)).filter(({ name }) => name === "mine").map(({ source }) => source);

  const earlier = await hostAt(t, server, options);
  assert.deepEqual(idsOf(await assembled(server, direct)), ["a", "b"]);
  await register();
  assert.deepEqual(idsOf(await assembled(server, direct)), ["b"]);
  assert.deepEqual(await sourcesOf(), [Source.SOURCE_REGISTERED]);
  await unregister();
  assert.deepEqual(idsOf(await assembled(server, direct)), ["a", "b"]);
  assert.deepEqual(await sourcesOf(), [Source.SOURCE_HOSTED]);
  await earlier.leave();

  await register();
  const later = await hostAt(t, server, options);
  assert.deepEqual(
    later.welcome.refused.map(({ name, reason }) => [name, reason]),
    [["mine", ErrorReason.ERROR_REASON_NAMESPACE_REQUIRED]],
  );
  assert.match(later.welcome.refused[0]!.message, /strategy "mine" exists.*acms-namespace/);
  assert.deepEqual(idsOf(await assembled(server, direct)), ["b"]);
});

test("lists of components come in pages, by role and name", async (t) => {
  const server = await serverWith(t);
  await hostAt(t, server, {
    components: [
      { ...scorer, name: "aa" },
      { ...scorer, name: "zz" },
    ],
    answer: lastBest,
  });
  const client = new ComponentServiceClient(server.address, credentials.createInsecure());
  t.after(() => client.close());
  const names: string[] = [];
  let pageToken = "";
  do {
    const page = { pageSize: 7, pageToken, role: 0 };
    const listing = ended<ListComponentsResponse>((callback) => client.listComponents(page, callback));
    const { components, nextPageToken } = await answered(listing);
    names.push(...components.map(({ role, name }) => `${String(role).padStart(2, "0")} ${name}`));
    pageToken = nextPageToken;
  } while (pageToken !== "");
  assert.deepEqual(names, [...new Set(names)].sort());
  assert.ok(names.includes("06 aa") && names.includes("06 zz") && names.includes("12 chars4"));
});
