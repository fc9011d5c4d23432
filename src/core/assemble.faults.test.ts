/** Components and strategies that do what their contracts forbid, and runs that end before their time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assemble } from "./assemble.js";
import { builtInRegistry } from "./built-in.js";
import { independentHash } from "./context-hash.fixture.js";
import {
  assembled,
  budgetOf,
  fragmentsOf,
  idsOf,
  pipelineDraft,
  requestDraft,
  requestOf,
  scored,
  testRun,
} from "./drafts.fixture.js";
import { ContextError } from "./errors.js";
import { NOT_NOMINATED, type Packing, type PackingInput } from "./fuse/packing.js";
import type { Fragment } from "./model/fragment.js";
import { Outcome, type Payload, Reason } from "./model/payload.js";
import type { RequestDraft } from "./model/request.js";
import { Registry } from "./registry.js";
import type { MaybePromise } from "./run.js";
import { type Nomination, STAGES, type StageContracts, type StageRole } from "./stages.js";
import type { Ranking, Strategy } from "./strategies/strategy.js";

const VERB = {
  strategy_selector: "select",
  budget_allocator: "allocate",
  strategy_executor: "execute",
  deduplicator: "deduplicate",
  depth_resolver: "resolve",
  scorer: "score",
  packer: "pack",
  orderer: "order",
  preamble_generator: "generate",
  skeleton_compressor: "compress",
} as const satisfies Record<StageRole, string>;

const camelCase = (role: StageRole) => role.replace(/_(.)/, (_, letter: string) => letter.toUpperCase());

/** A request on which every stage has something to do; `d` does not fit. */
const draft = requestDraft({
  budget: budgetOf(100),
  strategies: [{ name: "relevance" }, { name: "recency" }],
  fragments: [scored("a", 0.9, 40), scored("b", 0.8, 30), scored("c", 0.7, 20), scored("d", 0.6, 50)],
  parentFragments: [scored("parent", 0.5, 10)],
});

const [stranger] = fragmentsOf(scored("stranger", 1, 1)) as [Fragment];

/** The built-in registry with a component `bad` that answers as it is told. */
function registryWith<R extends StageRole>(role: R, component: StageContracts[R]): Registry {
  return new Registry(builtInRegistry()).addComponent(role, "bad", () => component);
}

/** A component that hands its arguments to a function; for answers that no type allows, too. */
function answering<R extends StageRole>(role: R, answer: (...args: never[]) => unknown): StageContracts[R] {
  return { [VERB[role]]: answer } as unknown as StageContracts[R];
}

const using = (role: StageRole): Partial<RequestDraft> => ({ pipeline: pipelineDraft({ [camelCase(role)]: "bad" }) });

function without({ payloadId: _payload, planId: _plan, timings: _timings, decisions, ...rest }: Payload): unknown {
  return { ...rest, decisions: [...decisions] };
}

/** The component must be named as the culprit, and everything else go on as before. */
async function checkCulprit(
  registry: Registry,
  request: RequestDraft,
  culprit: { role: string; component: string },
): Promise<ContextError> {
  const before = without(await assembled(draft, registry));
  const error = await assembled(request, registry).then(
    ({ fragments }) => assert.fail(`answered with ${idsOf(fragments)}`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ContextError)) throw error;
  assert.equal(error.reason, "COMPONENT_FAILED");
  assert.deepEqual(error.metadata, culprit);
  assert.ok(error.message.includes(culprit.component), error.message);
  assert.deepEqual(without(await assembled(draft, registry)), before, "other requests go on");
  return error;
}

const cause = new Error("inside");

for (const role of STAGES) {
  const culprit = { role, component: "bad" };
  const fails: Record<string, () => unknown> = {
    throws: () => {
      throw cause;
    },
    rejects: () => Promise.reject(cause),
  };
  for (const [how, answer] of Object.entries(fails)) {
    test(`a ${role} that ${how} is named, with its error as the cause`, async () => {
      const registry = registryWith(role, answering(role, answer));
      const error = await checkCulprit(registry, { ...draft, ...using(role) }, culprit);
      assert.equal(error.cause, cause);
    });
  }

  test(`a ${role} that throws something that is no error is named`, async () => {
    const answer = () => {
      throw undefined;
    };
    await checkCulprit(registryWith(role, answering(role, answer)), { ...draft, ...using(role) }, culprit);
  });

  test(`a ${role} that answers with nothing is named`, async () => {
    const registry = registryWith(
      role,
      answering(role, () => null),
    );
    await checkCulprit(registry, { ...draft, ...using(role) }, culprit);
  });

  test(`a ${role} that cannot be made is named`, async () => {
    const registry = new Registry(builtInRegistry()).addComponent(role, "bad", () => {
      throw cause;
    });
    await checkCulprit(registry, { ...draft, ...using(role) }, culprit);
  });

  test(`a ${role} that answers at the abort ends with the signal's reason`, { timeout: 5_000 }, async () => {
    await checkAbort(role, (signal) => new Promise((resolve) => signal.addEventListener("abort", resolve)));
  });

  test(`a ${role} that rejects at the abort ends with the signal's reason`, { timeout: 5_000 }, async () => {
    await checkAbort(
      role,
      (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(cause))),
    );
  });

  test(`a ${role} that never answers does not outlive the abort`, { timeout: 5_000 }, async () => {
    await checkAbort(role, () => new Promise(() => {}));
  });
}

async function checkAbort(role: StageRole, answer: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  const controller = new AbortController();
  let tellAsked = (): void => {};
  const asked = new Promise<void>((resolve) => {
    tellAsked = resolve;
  });
  const component = answering(role, () => {
    tellAsked();
    return answer(controller.signal);
  });
  const run = testRun({ signal: controller.signal });
  const pending = assembled({ ...draft, ...using(role) }, registryWith(role, component), run);
  await asked;
  const gone = new ContextError("CANCELLED", "gone");
  controller.abort(gone);
  const outcome = await Promise.race([
    pending.then(
      () => "answered",
      (error: unknown) => error,
    ),
    new Promise((resolve) => setTimeout(resolve, 200, "still waiting")),
  ]);
  assert.equal(outcome, gone);
}

/** What each stage may not answer, by what is wrong with it. */
const breaches: { readonly [R in StageRole]: Record<string, (...args: Parameters<never>) => unknown> } = {
  strategy_selector: {
    "chooses what does not exist": () => [{ strategy: "none", confidence: 1 }],
    "chooses a strategy twice": () => [
      { strategy: "tiered", confidence: 1 },
      { strategy: "tiered", confidence: 1 },
    ],
    "gives a confidence that is not a number": () => [{ strategy: "tiered", confidence: Number.NaN }],
    "gives a confidence below 0": () => [{ strategy: "tiered", confidence: -1 }],
    "gives an infinite confidence": () => [{ strategy: "tiered", confidence: Number.POSITIVE_INFINITY }],
  },
  budget_allocator: {
    "answers with too few shares": () => [{ strategy: "relevance", confidence: 1, tokens: 1 }],
    "answers in another order": shares(50, 50, "reversed"),
    "gives away more than there is": shares(60, 41),
    "gives a negative share": shares(101, -1),
    "gives a share that is not whole": shares(0.5, 0.5),
    "gives a share that is not a number": shares(Number.NaN, 1),
  },
  strategy_executor: {
    "answers with too few nominations": nominations((list) => list.slice(1)),
    "answers in another order": nominations((list) => list.reverse()),
    "nominates a stranger": nominations(([first, ...rest]) => [{ ...first!, fragments: [stranger] }, ...rest]),
    "nominates a copy": nominations(([first, ...rest]) => [
      { ...first!, fragments: [{ ...first!.fragments[0]! }] },
      ...rest,
    ]),
    "nominates a fragment twice": nominations(([first, ...rest]) => {
      return [{ ...first!, fragments: [first!.fragments[0]!, first!.fragments[0]!] }, ...rest];
    }),
    "raises a share": nominations(([first, ...rest]) => [{ ...first!, tokens: first!.tokens + 1 }, ...rest]),
    "makes a share not a number": nominations(([first, ...rest]) => [{ ...first!, tokens: Number.NaN }, ...rest]),
    "makes a share negative": nominations(([first, ...rest]) => [{ ...first!, tokens: -1 }, ...rest]),
    "makes a confidence not a number": nominations(([first, ...rest]) => [
      { ...first!, confidence: Number.NaN },
      ...rest,
    ]),
    "answers with too few scores": nominations(([first, ...rest]) => [{ ...first!, scores: [1] }, ...rest]),
    "answers with scores that are not numbers": nominations(([first, ...rest]) => {
      return [{ ...first!, scores: first!.fragments.map(() => Number.NaN) }, ...rest];
    }),
  },
  deduplicator: {
    "keeps a stranger": (given: Fragment[]) => ({ kept: [...given, stranger], duplicates: [] }),
    "keeps a fragment twice": (given: Fragment[]) => ({ kept: [...given, given[0]], duplicates: [] }),
    "keeps a duplicate": (given: Fragment[]) => ({
      kept: [...given],
      duplicates: [{ fragment: given[0], survivor: given[1] }],
    }),
    "names a stranger a duplicate": (given: Fragment[]) => ({
      kept: [...given],
      duplicates: [{ fragment: stranger, survivor: given[0] }],
    }),
    "names a stranger a survivor": (given: Fragment[]) => ({
      kept: given.slice(1),
      duplicates: [{ fragment: given[0], survivor: stranger }],
    }),
    "names a survivor that it does not keep": (given: Fragment[]) => ({
      kept: given.slice(2),
      duplicates: [{ fragment: given[0], survivor: given[1] }],
    }),
  },
  depth_resolver: {
    "answers with a stranger": (given: Fragment[]) => [...given.map(alone), alone(stranger)],
    "answers with a fragment twice": (given: Fragment[]) => [...given.map(alone), alone(given[0]!)],
    "loses a fragment": (given: Fragment[]) => given.slice(1).map(alone),
    "names a fragment its own alternative": (given: Fragment[]) =>
      given.map((fragment) => ({ fragment, alternatives: [fragment] })),
  },
  scorer: {
    "answers with too few scores": (given: Fragment[]) => ({ scores: new Float64Array(given.length - 1) }),
    "answers with too many scores": (given: Fragment[]) => ({ scores: new Float64Array(given.length + 1) }),
    "answers with a score that is not a number": (given: Fragment[]) => scoring(given, Number.NaN),
    "answers with a score above 1": (given: Fragment[]) => scoring(given, 1.001),
    "answers with a score below 0": (given: Fragment[]) => scoring(given, -0.001),
    "spoils the scores that it was given": (_: Fragment[], nominated: Float64Array) => ({
      scores: nominated.fill(Number.NaN),
    }),
    "answers with a baseline that is not a number": (given: Fragment[]) => ({
      ...scoring(given, 0.5),
      baseline: Number.NaN,
    }),
    "answers with parts for too few fragments": (given: Fragment[]) => ({
      ...scoring(given, 0.5),
      parts: partsOf(given.length - 1, 0.5),
    }),
    "answers with parts that are not numbers": (given: Fragment[]) => ({
      ...scoring(given, 0.5),
      parts: partsOf(given.length, Number.NaN),
    }),
  },
  packer: {
    "spends more than there is": packing(({ scores }) => ({ chosenBy: new Uint8Array(scores.length).fill(1) })),
    "answers for too few fragments": packing(() => ({ chosenBy: new Uint8Array(1) })),
    "answers for too many fragments": packing(({ scores }) => ({ chosenBy: new Uint8Array(scores.length + 1) })),
    "names a strategy that did not run": packing(() => ({ chosenBy: Uint8Array.of(77, 0, 0, 0) })),
    "names a fragment uninvited that was": packing(() => ({ chosenBy: Uint8Array.of(NOT_NOMINATED, 0, 0, 0) })),
    "drops a fragment for a reason of selected ones": packing(({ nominations: list, fragments }) => ({
      chosenBy: new Uint8Array(4),
      unreachable: new Map([[fragments[list[0]!.positions[0]!]!, Reason.CHOSEN]]),
    })),
    "drops what it selects": packing(({ nominations: list, fragments }) => ({
      chosenBy: Uint8Array.of(1, 0, 0, 0),
      unreachable: new Map([[fragments[list[0]!.positions[0]!]!, Reason.OVER_BUDGET]]),
    })),
    "says that a stranger was out of reach": packing(() => ({
      chosenBy: new Uint8Array(4),
      unreachable: new Map([[stranger, Reason.OTHER_VARIANT]]),
    })),
  },
  orderer: {
    "adds a stranger": (given: Fragment[]) => [...given, stranger],
    "answers with a fragment twice": (given: Fragment[]) => [...given, given[0]],
    "drops a fragment": (given: Fragment[]) => given.slice(1),
    "answers with copies": (given: Fragment[]) => given.map((fragment) => ({ ...fragment })),
  },
  preamble_generator: {
    "answers with a number": () => 7,
  },
  skeleton_compressor: {
    "answers with a price below 0": (given: Fragment[]) => [{ ...given[0]!, tokenCount: -1 }],
    "answers with a price that is not whole": (given: Fragment[]) => [{ ...given[0]!, tokenCount: 0.5 }],
    "answers with a price that is not a number": (given: Fragment[]) => [{ ...given[0]!, tokenCount: Number.NaN }],
  },
};

function shares(first: number, second: number, order?: "reversed") {
  return (_tokens: number, candidates: { strategy: string; confidence: number }[]) => {
    const answer = candidates.map((candidate, i) => ({ ...candidate, tokens: [first, second][i]! }));
    return order === undefined ? answer : answer.reverse();
  };
}

function scoring(given: readonly Fragment[], score: number) {
  return { scores: new Float64Array(given.length).fill(score) };
}

function partsOf(count: number, part: number) {
  const column = () => new Float64Array(count).fill(part);
  return { relevance: column(), hierarchy: column(), quality: column(), recency: column(), original: column() };
}

type ExecutorInput = Parameters<StageContracts["strategy_executor"]["execute"]>[0];

/** What honest strategies nominate, changed. */
function nominations(change: (honest: Nomination[]) => unknown) {
  return async ({ allocations, ...input }: ExecutorInput) => {
    const honest: Nomination[] = [];
    for (const { implementation, ...allocation } of allocations) {
      const { positions: _, ...ranking } = await implementation.rank(input, testRun());
      honest.push({ ...allocation, ...ranking });
    }
    return change(honest);
  };
}

function packing(answer: (input: PackingInput) => Partial<Packing>) {
  return (input: PackingInput) => ({ required: new Map(), unreachable: new Map(), ...answer(input) });
}

function alone(fragment: Fragment) {
  return { fragment, alternatives: [] };
}

for (const role of STAGES) {
  for (const [what, answer] of Object.entries(breaches[role])) {
    test(`a ${role} that ${what} is named`, async () => {
      const registry = registryWith(role, answering(role, answer as () => unknown));
      await checkCulprit(registry, { ...draft, ...using(role) }, { role, component: "bad" });
    });
  }
}

/** What is said of each fragment must be what became of it. */
function checkConsistent(payload: Payload, given: number): void {
  const kept = new Set(payload.fragments.map(({ inputIndex }) => inputIndex));
  const decisions = [...payload.decisions];
  assert.equal(decisions.length, given);
  for (const { inputIndex, outcome, reason } of decisions) {
    assert.ok(reason > 0);
    assert.equal(outcome === Outcome.SELECTED, kept.has(inputIndex), `fragment ${inputIndex}, reason ${reason}`);
  }
  assert.equal(payload.contextHash, independentHash(payload.fragments));
}

/** Either the component is refused, or what its payload says is true. */
async function checkHonest(role: StageRole, request: RequestDraft, answer: (...args: never[]) => unknown) {
  const registry = registryWith(role, answering(role, answer));
  try {
    checkConsistent(await assembled({ ...request, ...using(role) }, registry), request.fragments.length);
  } catch (error) {
    if (!(error instanceof ContextError)) throw error;
    assert.equal(error.reason, "COMPONENT_FAILED");
  }
}

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

function ranking(name: string, rank: (input: Parameters<Strategy["rank"]>[0]) => MaybePromise<Ranking>): Strategy {
  const honest = builtInRegistry().strategy("relevance");
  return { ...honest, name, rank };
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
  "gives positions that are not those of its fragments": ({ fragments }) => ({
    fragments,
    miss: "skip",
    positions: new Uint32Array(fragments.length),
  }),
  "gives too few positions": ({ fragments }) => ({ fragments, miss: "skip", positions: new Uint32Array(1) }),
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

test("a preamble is cut to what is set aside for it, and the payload says so", async () => {
  const registry = registryWith("preamble_generator", { generate: () => "😀".repeat(500) });
  const payload = await assembled({ ...draft, budget: budgetOf(130), ...using("preamble_generator") }, registry);
  assert.equal(payload.preamble, "😀".repeat(6));
  assert.equal(payload.preambleTokens, 12);
  assert.deepEqual(
    payload.warnings.map(({ code, component }) => [code, component]),
    [["preamble_cut", "bad"]],
  );
});

test("a preamble with half a pair leaves as valid text", async () => {
  const registry = registryWith("preamble_generator", { generate: () => "a\ud83d" });
  const { preamble } = await assembled({ ...draft, ...using("preamble_generator") }, registry);
  assert.equal(preamble, "a\ufffd");
});

test("an outline over its share is kept, and warned of", async () => {
  const payload = await assembled({ ...draft, parentFragments: [scored("p", 1, 16)] });
  assert.deepEqual(idsOf(payload.skeletonFragments), ["p"]);
  assert.equal(payload.skeletonTokens, 16);
  assert.deepEqual(
    payload.warnings.map(({ code }) => code),
    ["skeleton_over_share"],
  );
});

test("without parents, or at a ratio of 0, no outline is asked for", async () => {
  const registry = registryWith("skeleton_compressor", { compress: () => assert.fail("asked") });
  const request = { ...draft, ...using("skeleton_compressor") };
  await assembled({ ...request, parentFragments: [] }, registry);
  await assembled({ ...request, skeletonRatio: 0 }, registry);
});

test("the outline is asked for with its share of what is available", async () => {
  const given: number[] = [];
  const compress = (parents: readonly Fragment[], maxTokens: number) => {
    given.push(maxTokens);
    return parents;
  };
  const registry = registryWith("skeleton_compressor", { compress });
  const request = { ...draft, ...using("skeleton_compressor") };
  await assembled({ ...request, budget: budgetOf(1_200, 200) }, registry);
  await assembled({ ...request, budget: budgetOf(2_000), skeletonRatio: 0.25 }, registry);
  assert.deepEqual(given, [150, 500]);
});

test("a run that was aborted before does no work", async () => {
  const controller = new AbortController();
  const late = new ContextError("DEADLINE_EXCEEDED", "late");
  const request = await requestOf(draft);
  controller.abort(late);
  const registry = registryWith("strategy_selector", { select: () => assert.fail("asked") });
  const run = testRun({ signal: controller.signal });
  await assert.rejects(assemble(request, registry, run), late);
  const asked = await requestOf({ ...draft, ...using("strategy_selector") });
  await assert.rejects(assemble(asked, registry, run), late);
});

for (const [i, role] of STAGES.entries()) {
  test(`an abort while the ${role} works stops the run before the next stage`, async () => {
    const controller = new AbortController();
    const gone = new ContextError("CANCELLED", "gone");
    const finished: string[] = [];
    const registry = new Registry(builtInRegistry());
    const honest = builtInRegistry().component(role, Object.values(profileNames())[i]!, {});
    const verb = VERB[role] as keyof typeof honest;
    registry.addComponent(
      role,
      "bad",
      () =>
        answering(role, (...args: never[]) => {
          controller.abort(gone);
          return (honest[verb] as (...args: never[]) => unknown)(...args);
        }) as never,
    );
    const run = testRun({
      signal: controller.signal,
      recorder: { stageFinished: (stage) => void finished.push(stage) },
    });
    await assert.rejects(assembled({ ...draft, ...using(role) }, registry, run), gone);
    assert.deepEqual(finished, STAGES.slice(0, i + 1));
  });
}

function profileNames(): Record<StageRole, string> {
  return builtInRegistry().profile("direct").components as Record<StageRole, string>;
}

test("a run breathes before every stage", async () => {
  let breaths = 0;
  await assembled(draft, builtInRegistry(), testRun({ breathe: () => void breaths++ }));
  assert.equal(breaths, STAGES.length);
});

test("news of an abort that comes with a breath stops the run", async () => {
  const controller = new AbortController();
  const gone = new ContextError("CANCELLED", "gone");
  let breaths = 0;
  const breathe = async () => {
    if (++breaths === 7) controller.abort(gone);
  };
  await assert.rejects(assembled(draft, builtInRegistry(), testRun({ signal: controller.signal, breathe })), gone);
  assert.equal(breaths, 7);
});
