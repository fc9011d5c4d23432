import assert from "node:assert/strict";
import { test } from "node:test";
import { builtInRegistry } from "./built-in.js";
import { ContextError } from "./errors.js";
import { strategyOrder } from "./present/orderer/strategy.js";
import { direct } from "./profiles/direct.js";
import { Registry } from "./registry.js";
import type { Packer } from "./stages.js";
import { STAGES } from "./stages.js";
import { recency } from "./strategies/recency.js";
import { relevance } from "./strategies/relevance.js";

const refusal = (reason: string, metadata: Record<string, string>) => (error: unknown) => {
  assert.ok(error instanceof ContextError);
  assert.equal(error.reason, reason);
  assert.deepEqual(error.metadata, metadata);
  return true;
};

const packer: Packer = { pack: () => assert.fail("not called") };

/** A few names, for tests of what is listed. */
function fewNames(): Registry {
  return new Registry()
    .addStrategy(relevance)
    .addStrategy(recency)
    .addProfile(direct)
    .addComponent("packer", "theirs", () => packer)
    .addComponent("orderer", "strategy", () => strategyOrder);
}

test("what is added later under a name that exists takes its place", () => {
  const registry = new Registry().addStrategy(relevance, "mine").addStrategy(recency, "mine");
  assert.equal(registry.strategy("mine"), recency);
});

test("a strategy may have any name", () => {
  const registry = new Registry().addStrategy(relevance, "__proto__").addStrategy(recency, "constructor");
  assert.equal(registry.strategy("__proto__"), relevance);
  assert.deepEqual([...registry.strategies().keys()], ["__proto__", "constructor"]);
});

test("a layer overrides what lies below and leaves it as it is", () => {
  const below = builtInRegistry();
  const above = new Registry(below).addStrategy(recency, "relevance").addComponent("packer", "in_order", () => packer);
  assert.equal(above.strategy("relevance"), recency);
  assert.equal(above.component("packer", "in_order", {}), packer);
  assert.equal(below.strategy("relevance"), relevance);
  assert.notEqual(below.component("packer", "in_order", {}), packer);
});

test("a layer finds what only lies below", () => {
  const above = new Registry(new Registry(builtInRegistry()));
  assert.equal(above.strategy("relevance"), relevance);
  assert.equal(above.profile("direct"), direct);
  assert.equal(typeof above.component("orderer", "strategy", {}).order, "function");
});

test("builtin: always means the lowest layer's strategy", () => {
  const above = new Registry(builtInRegistry()).addStrategy(recency, "relevance");
  assert.equal(above.strategy("builtin:relevance"), relevance);
});

test("builtin: finds nothing that was registered above", () => {
  const above = new Registry(builtInRegistry()).addStrategy(recency, "mine");
  assert.throws(() => above.strategy("builtin:mine"), /builtin:mine/);
});

test("the strategies of all layers are listed, each name once", () => {
  const above = new Registry(fewNames()).addStrategy(recency, "relevance").addStrategy(recency, "mine");
  assert.deepEqual([...above.strategies().keys()].sort(), ["mine", "recency", "relevance"]);
  assert.equal(above.strategies().get("relevance"), recency);
});

test("an unknown strategy is refused with the names of all layers", () => {
  const above = new Registry(fewNames()).addStrategy(recency, "mine");
  assert.throws(
    () => above.strategy("none"),
    refusal("UNKNOWN_STRATEGY", { strategy: "none", known: "mine, recency, relevance" }),
  );
});

test("an unknown component is refused with the names of its role", () => {
  const above = new Registry(fewNames()).addComponent("packer", "mine", () => packer);
  assert.throws(
    () => above.component("packer", "pass_through", {}),
    refusal("UNKNOWN_COMPONENT", { role: "packer", component: "pass_through", known: "mine, theirs" }),
  );
});

test("an unknown profile is refused with those that exist", () => {
  assert.throws(() => fewNames().profile("fast"), refusal("UNKNOWN_PROFILE", { profile: "fast", known: "direct" }));
});

test("without a profile the parts are those of direct, and each has its name", () => {
  const { profile, stages } = builtInRegistry().parts({ profile: "", components: {}, options: {} });
  assert.equal(profile.name, "direct");
  assert.deepEqual(
    STAGES.map((role) => stages[role].name),
    STAGES.map((role) => direct.components[role]),
  );
});

test("a component that a request names replaces the profile's, made with the request's options", () => {
  const registry = new Registry(builtInRegistry()).addComponent("packer", "mine", ({ minRelevance }) => {
    assert.equal(minRelevance, 0.5);
    return packer;
  });
  const spec = { profile: "direct", components: { packer: "mine" }, options: { minRelevance: 0.5 } };
  const { stages } = registry.parts(spec);
  assert.deepEqual(stages.packer, { name: "mine", component: packer, source: "built_in" });
  assert.equal(stages.orderer.name, "strategy");
});

test("a layer says where what is in it comes from, and builtin:NAME passes over all of them", () => {
  const hosted = new Registry(new Registry(builtInRegistry(), "registered"), "hosted").addComponent(
    "packer",
    "in_order",
    () => packer,
  );
  assert.equal(hosted.part("packer", "in_order", {}).source, "hosted");
  assert.equal(hosted.part("packer", "builtin:in_order", {}).source, "built_in");
  assert.notEqual(hosted.component("packer", "builtin:in_order", {}), packer);
  assert.equal(hosted.part("scorer", "pass_through", {}).source, "built_in");
  assert.equal(hosted.components("packer").get("in_order"), "hosted");
  assert.equal(hosted.components("packer").get("greedy_knapsack"), "built_in");
});

test("a name that nobody knows is a component that fails where the request says what to do then", () => {
  const registry = builtInRegistry();
  assert.throws(() => registry.part("scorer", "mine", {}), { reason: "UNKNOWN_COMPONENT" });
  assert.throws(() => registry.part("scorer", "mine", {}, { policy: "fail" }), { reason: "UNKNOWN_COMPONENT" });
  const { component } = registry.part("scorer", "mine", {}, { policy: "skip" });
  assert.throws(() => (component.score as () => unknown)(), { kind: "unknown" });
});

test("a component is made anew for each assembly", () => {
  let made = 0;
  const registry = new Registry(builtInRegistry()).addComponent("packer", "in_order", () => {
    made++;
    return packer;
  });
  for (let i = 0; i < 2; i++) registry.parts({ profile: "", components: {}, options: {} });
  assert.equal(made, 2);
});
