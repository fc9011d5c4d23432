/** Strategies and components of a caller's own beside links and pins: what comes in, what stays out, and what is said of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { builtInRegistry } from "./built-in.js";
import { assembled, budgetOf, idsOf, scored } from "./drafts.fixture.js";
import { ContextError } from "./errors.js";
import {
  answering,
  cause,
  checkConsistent,
  checkCulprit,
  checkHonest,
  draft,
  packing,
  ranking,
  registryWith,
  stranger,
  using,
} from "./faulty-components.fixture.js";
import { NOT_NOMINATED } from "./fuse/packing.js";
import type { Fragment } from "./model/fragment.js";
import { Reason } from "./model/payload.js";
import { Registry } from "./registry.js";
import type { MaybePromise } from "./run.js";
import type { Ranking, Strategy } from "./strategies/strategy.js";

const dropping = (id: string) => (given: readonly Fragment[]) => ({
  kept: given.filter(({ fragmentId }) => fragmentId !== id),
  duplicates: [],
});

const duplicating = (id: string) => (given: readonly Fragment[]) => {
  const kept = given.filter(({ fragmentId }) => fragmentId !== id);
  const fragment = given.find(({ fragmentId }) => fragmentId === id)!;
  return { kept, duplicates: [{ fragment, survivor: kept[0]! }] };
};

for (const [how, take] of [
  ["rejects", dropping],
  ["calls a duplicate", duplicating],
] as const) {
  test(`a pin that a deduplicator ${how} is in, and said to be`, async () => {
    const fragments = [scored("a", 0.9, 10, { pinned: true }), scored("b", 0.8, 10)];
    await checkHonest("deduplicator", { ...draft, fragments }, take("a"));
  });

  test(`a member of a group that a deduplicator ${how} does not come back under another name`, async () => {
    const fragments = [
      scored("a", 0.9, 10, { groupId: "g" }),
      scored("b", 0.8, 10, { groupId: "g" }),
      scored("c", 0.7, 10),
    ];
    await checkHonest("deduplicator", { ...draft, fragments }, take("b"));
  });

  test(`a requirement that a deduplicator ${how} is in or out, and said to be`, async () => {
    const fragments = [scored("a", 0.9, 10, { requires: ["b"] }), scored("b", 0.8, 10), scored("c", 0.7, 10)];
    await checkHonest("deduplicator", { ...draft, fragments }, take("b"));
  });
}

test("an orderer that reorders what it is given, in place, leaves no hash of another order", async () => {
  await checkHonest("orderer", draft, (given: Fragment[]) => given.reverse());
});

test("a packer that lets in a fragment that nobody nominated is named", async () => {
  const registry = registryWith("packer", {
    pack: ({ scores }) => ({
      chosenBy: new Uint8Array(scores.length).fill(NOT_NOMINATED, 1, 2),
      required: new Map(),
      unreachable: new Map(),
    }),
  }).addStrategy(ranking("first only", ({ fragments }) => ({ fragments: fragments.slice(0, 1), miss: "skip" })));
  const request = { ...draft, ...using("packer"), strategies: [{ name: "first only" }] };
  await checkCulprit(registry, request, { role: "packer", component: "bad" });
});

const linked = [
  scored("pin", 0.1, 10, { pinned: true }),
  scored("a", 0.9, 10, { groupId: "g" }),
  scored("b", 0.8, 10, { groupId: "g" }),
  scored("c", 0.7, 10, { requires: ["d"] }),
  scored("d", 0.6, 10),
];

const tears: Record<string, number[]> = {
  "leaves out a pin": [0, 1, 1, 1, 1],
  "tears a group": [1, 1, 0, 1, 1],
  "leaves out a requirement": [1, 1, 1, 1, 0],
};

for (const [what, chosenBy] of Object.entries(tears)) {
  test(`a packer that ${what} is named`, async () => {
    const answer = packing(() => ({ chosenBy: Uint8Array.from(chosenBy) }));
    const request = { ...draft, fragments: linked, ...using("packer") };
    await checkCulprit(registryWith("packer", answering("packer", answer)), request, {
      role: "packer",
      component: "bad",
    });
  });
}

const wrongRankings: Record<string, (input: Parameters<Strategy["rank"]>[0]) => MaybePromise<Ranking>> = {
  throws: () => {
    throw cause;
  },
  rejects: () => Promise.reject(cause),
  "nominates a stranger": () => ({ fragments: [stranger], miss: "skip" }),
  "nominates a fragment twice": ({ fragments }) => ({ fragments: [fragments[0]!, fragments[0]!], miss: "skip" }),
  "gives scores that are not numbers": ({ fragments }) => ({
    fragments,
    miss: "skip",
    scores: fragments.map(() => Number.NaN),
  }),
};

for (const [what, rank] of Object.entries(wrongRankings)) {
  test(`a strategy that ${what} fails its request and no other`, async () => {
    const registry = new Registry(builtInRegistry()).addStrategy(ranking("bad", rank));
    const request = { ...draft, strategies: [{ name: "bad" }] };
    const itself = what === "throws" || what === "rejects";
    const culprit = itself
      ? { role: "strategy", component: "bad" }
      : { role: "strategy_executor", component: "sequential" };
    const error = await checkCulprit(registry, request, culprit);
    assert.match(error.message, /bad/);
  });
}

const wrongConfidences: Record<string, (query: string) => number> = {
  throws: () => {
    throw cause;
  },
  "is not a number": () => Number.NaN,
  "is below 0": () => -1,
};

for (const [what, confidence] of Object.entries(wrongConfidences)) {
  test(`a strategy whose confidence ${what} fails with an error of a component`, async () => {
    const registry = new Registry(builtInRegistry());
    registry.addStrategy({ ...builtInRegistry().strategy("relevance"), name: "bad", confidence });
    await assert.rejects(assembled({ ...draft, strategies: [{ name: "bad" }] }, registry), (error) => {
      assert.ok(error instanceof ContextError, String(error));
      assert.equal(error.reason, "COMPONENT_FAILED");
      assert.match(error.message, /bad/);
      return true;
    });
  });
}

test("a strategy may be an object with a life of its own", async () => {
  class Own implements Strategy {
    readonly name = "own";
    readonly explanation = "";
    readonly capabilities = builtInRegistry().strategy("relevance").capabilities;
    readonly #weight = 0.5;
    confidence(): number {
      return this.#weight;
    }
    rank({ fragments }: Parameters<Strategy["rank"]>[0]): Ranking {
      return { fragments: this.#weight > 0 ? fragments : [], miss: "skip" };
    }
  }
  const registry = new Registry(builtInRegistry()).addStrategy(new Own());
  const payload = await assembled({ ...draft, strategies: [{ name: "own" }] }, registry);
  assert.deepEqual(idsOf(payload.fragments), ["a", "b", "c"]);
});

test("what no strategy nominated stays out, but for pins and requirements, and each is told why", async () => {
  const registry = new Registry(builtInRegistry()).addStrategy(
    ranking("first only", ({ fragments }) => ({ fragments: fragments.slice(0, 1), miss: "skip" })),
  );
  const fragments = [
    scored("a", 0.9, 10, { requires: ["c"] }),
    scored("b", 0.8, 10),
    scored("c", 0.7, 10),
    scored("pin", 0.6, 10, { pinned: true }),
  ];
  const payload = await assembled({ ...draft, fragments, strategies: [{ name: "first only" }] }, registry);
  checkConsistent(payload, 4);
  assert.deepEqual(idsOf(payload.fragments), ["pin", "c", "a"]);
  assert.deepEqual(
    [...payload.decisions].map(({ reason }) => reason),
    [Reason.CHOSEN, Reason.NOT_NOMINATED, Reason.REQUIRED, Reason.PINNED],
  );
});

test("a group that is nominated in part is out, and each of it is told why", async () => {
  const registry = new Registry(builtInRegistry()).addStrategy(
    ranking("half", ({ fragments }) => ({ fragments: fragments.slice(0, 2), miss: "skip" })),
  );
  const fragments = [
    scored("a", 0.9, 10),
    scored("b", 0.8, 10, { groupId: "g" }),
    scored("c", 0.7, 10, { groupId: "g" }),
  ];
  const payload = await assembled({ ...draft, fragments, strategies: [{ name: "half" }] }, registry);
  checkConsistent(payload, 3);
  assert.deepEqual(
    [...payload.decisions].map(({ reason, relatedFragmentId }) => [reason, relatedFragmentId]),
    [
      [Reason.CHOSEN, ""],
      [Reason.PARTNER_MISSING, "c"],
      [Reason.NOT_NOMINATED, ""],
    ],
  );
});

test("a selector that lacks a named strategy is overruled: it runs at confidence 1", async () => {
  const registry = registryWith("strategy_selector", { select: () => [{ strategy: "tiered", confidence: 1 }] });
  const payload = await assembled({ ...draft, ...using("strategy_selector") }, registry);
  assert.deepEqual(payload.strategiesUsed[0], "relevance");
});

test("strategies of confidence 0 do not run, unless all are 0", async () => {
  const weights = (relevance: number, recency: number) => ({
    ...draft,
    budget: budgetOf(1_000),
    strategies: [
      { name: "relevance", confidence: relevance },
      { name: "recency", confidence: recency },
    ],
  });
  assert.deepEqual((await assembled(weights(0, 1))).strategiesUsed, ["recency"]);
  assert.deepEqual((await assembled(weights(0, 0))).strategiesUsed, ["relevance", "recency"]);
});
