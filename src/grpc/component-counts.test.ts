/** What a list of components tells of their calls, wherever they come from. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { credentials, Metadata } from "@grpc/grpc-js";
import { type Component, ComponentState } from "../../gen/acms/v1/component_service.js";
import { ComponentRole } from "../../gen/acms/v1/hosted_component.js";
import { Source, StrategySpec } from "../../gen/acms/v1/strategy.js";
import { StrategyServiceClient } from "../../gen/acms/v1/strategy_service.js";
import { assembled, calling, listed, type Request, serverWith } from "./hosting.fixture.js";
import { answered, ended, failing, type TestServer } from "./server.fixture.js";

const { COMPONENT_ROLE_STRATEGY: STRATEGY, COMPONENT_ROLE_PACKER: PACKER } = ComponentRole;

const windowOf = (windowSize: number): StrategySpec["config"] => ({
  $case: "slidingWindow",
  value: { windowSize, windowMode: 0 },
});

/** What is told of a name in a namespace, but for its durations. */
async function toldOf(server: TestServer, role: ComponentRole, name: string, namespace?: string) {
  const found = (await listed(server, role, namespace)).find((one) => one.name === name) as Component;
  const { source, state, calls, failures, latencyP50, latencyP95 } = found;
  assert.equal(latencyP50 !== undefined && latencyP95 !== undefined, calls > 0);
  assert.equal(state, ComponentState.COMPONENT_STATE_READY);
  return [source, calls, failures];
}

function registrarOf(t: TestContext, server: TestServer, namespace: string) {
  const client = new StrategyServiceClient(server.address, credentials.createInsecure());
  t.after(() => client.close());
  const metadata = new Metadata();
  metadata.set("acms-namespace", namespace);
  return {
    register: (name: string, config: StrategySpec["config"]) => {
      const strategy = StrategySpec.fromPartial({ name, ...(config && { config }) });
      return answered(ended((callback) => client.registerStrategy({ strategy }, metadata, callback)));
    },
    unregister: (name: string) => answered(ended((callback) => client.deleteStrategy({ name }, metadata, callback))),
  };
}

const ranked = (name: string): Request => ({ pipeline: {}, strategies: [{ name }] });

test("a registered strategy is counted in its namespace, and the built-in one of its name is not", async (t) => {
  const server = await serverWith(t);
  const { register } = registrarOf(t, server, "own");
  await register("relevance", windowOf(5));
  await registrarOf(t, server, "other").register("relevance", windowOf(5));
  for (let i = 0; i < 3; i++) await assembled(server, ranked("relevance"), "own");
  await assembled(server, ranked("relevance"));
  assert.deepEqual(await toldOf(server, STRATEGY, "relevance", "own"), [Source.SOURCE_REGISTERED, 3, 0]);
  assert.deepEqual(await toldOf(server, STRATEGY, "relevance", "other"), [Source.SOURCE_REGISTERED, 0, 0]);
  assert.deepEqual(await toldOf(server, STRATEGY, "relevance"), [Source.SOURCE_BUILT_IN, 1, 0]);
});

test("a registered strategy that fails is counted as one that failed", async (t) => {
  const server = await serverWith(t);
  const value = { where: "", score: "double(1 / (fragment.token_count - 60))" };
  await registrarOf(t, server, "own").register("fails", { $case: "expression", value });
  await failing(calling(server, ranked("fails"), "own"));
  assert.deepEqual(await toldOf(server, STRATEGY, "fails", "own"), [Source.SOURCE_REGISTERED, 1, 1]);
});

test("settings inline count for no component, and other settings of a name begin anew", async (t) => {
  const server = await serverWith(t);
  const { register, unregister } = registrarOf(t, server, "own");
  await register("mine", windowOf(5));
  await assembled(server, ranked("mine"), "own");
  const inline = { pipeline: {}, strategies: [{ name: "mine", config: windowOf(1) }] } as Request;
  await assembled(server, inline, "own");
  assert.deepEqual(await toldOf(server, STRATEGY, "mine", "own"), [Source.SOURCE_REGISTERED, 1, 0]);
  await register("mine", windowOf(6));
  assert.deepEqual(await toldOf(server, STRATEGY, "mine", "own"), [Source.SOURCE_REGISTERED, 0, 0]);
  await assembled(server, ranked("mine"), "own");
  await unregister("mine");
  await register("mine", windowOf(5));
  assert.deepEqual(await toldOf(server, STRATEGY, "mine", "own"), [Source.SOURCE_REGISTERED, 0, 0]);
});

test("a built-in component is counted by its name, however it was asked for", async (t) => {
  const server = await serverWith(t);
  const builtIn: Request = {
    strategies: [{ name: "builtin:recency" }],
    pipeline: { profile: "fusion", packer: "builtin:diverse" },
  };
  await assembled(server, builtIn);
  await assembled(server, { strategies: [{ name: "recency" }], pipeline: { profile: "fusion", packer: "diverse" } });
  assert.deepEqual(await toldOf(server, STRATEGY, "recency"), [Source.SOURCE_BUILT_IN, 2, 0]);
  assert.deepEqual(await toldOf(server, PACKER, "diverse"), [Source.SOURCE_BUILT_IN, 2, 0]);
});
