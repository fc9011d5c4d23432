/** What holds for every request, tried on random ones. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { assemble } from "./assemble.js";
import { builtInRegistry } from "./built-in.js";
import { independentHash } from "./context-hash.fixture.js";
import { assembled, budgetOf, idsOf, requestOf, testRun } from "./drafts.fixture.js";
import { ContextError } from "./errors.js";
import type { Fragment } from "./model/fragment.js";
import { type Decision, Outcome, type Payload, Reason } from "./model/payload.js";
import type { Request, RequestDraft } from "./model/request.js";
import { EVERYTHING, randomRequests, SHAPES, withPermutation } from "./random-requests.fixture.js";

const registry = builtInRegistry();

interface Outcomes {
  readonly request: Request;
  /** Absent where the pins did not fit. */
  readonly payload: Payload | undefined;
}

async function outcomeOf(draft: RequestDraft): Promise<Outcomes> {
  const run = testRun();
  const request = await requestOf(draft, run);
  try {
    return { request, payload: await assemble(request, registry, run) };
  } catch (error) {
    if (error instanceof ContextError && error.reason === "PINNED_OVER_BUDGET") return { request, payload: undefined };
    throw error;
  }
}

const priceOf = (fragments: readonly Fragment[]): number =>
  fragments.reduce((sum, { tokenCount }) => sum + tokenCount, 0);

/** Fragments with all that they bring: their groups and what they require, and so on. */
function closureOf(start: readonly Fragment[], all: readonly Fragment[]): Set<Fragment> {
  const closure = new Set(start);
  for (const { groupId, requires } of closure) {
    for (const other of all) {
      if ((groupId !== "" && other.groupId === groupId) || requires.includes(other.fragmentId)) closure.add(other);
    }
  }
  return closure;
}

/** What the pins of a request bring, they themselves included. */
function pinnedClosure({ fragments }: Request): Set<Fragment> {
  return closureOf(
    fragments.filter(({ pinned }) => pinned),
    fragments,
  );
}

/** Tries a rule on requests of every shape. */
function eachShape(rule: string, numRuns: number, check: (request: Request, payload: Payload) => void): void {
  for (const [name, shape] of Object.entries(SHAPES)) {
    test(`${rule}: ${name}`, () =>
      fc.assert(
        fc.asyncProperty(randomRequests(shape), async (draft) => {
          const { request, payload } = await outcomeOf(draft);
          if (payload !== undefined) check(request, payload);
        }),
        { seed: 7, numRuns },
      ));
  }
}

eachShape("a payload is never over its budget, and its totals add up", 250, ({ budget }, payload) => {
  assert.equal(payload.totalTokens, priceOf(payload.fragments));
  assert.ok(payload.totalTokens <= budget.availableTokens);
  assert.equal(payload.remainingTokens, budget.availableTokens - payload.totalTokens);
  assert.equal(payload.budgetUsed, payload.totalTokens / budget.availableTokens);
});

eachShape("a payload holds fragments of the request, none twice", 100, (request, { fragments }) => {
  assert.equal(new Set(fragments).size, fragments.length);
  assert.ok(fragments.every((fragment) => request.fragments[fragment.inputIndex] === fragment));
});

eachShape("the hash is what a few independent lines make of the payload", 100, (_, payload) => {
  assert.equal(payload.contextHash, independentHash(payload.fragments));
});

eachShape("groups are whole", 150, (request, { fragments }) => {
  const kept = new Set(fragments);
  for (const { groupId } of fragments) {
    if (groupId === "") continue;
    assert.ok(request.fragments.every((other) => other.groupId !== groupId || kept.has(other)));
  }
});

eachShape("what a fragment requires is there", 150, (_, { fragments }) => {
  const kept = new Set(idsOf(fragments));
  for (const { requires } of fragments) for (const id of requires) assert.ok(kept.has(id));
});

eachShape("pins are in, with all that they bring", 150, (request, { fragments }) => {
  const kept = new Set(fragments);
  for (const fragment of pinnedClosure(request)) assert.ok(kept.has(fragment));
});

eachShape("every fragment has exactly one decision, which is what became of it", 200, (request, payload) => {
  const decisions = [...payload.decisions];
  const kept = new Set(payload.fragments);
  assert.deepEqual(
    decisions.map(({ inputIndex }) => inputIndex),
    request.fragments.map((_, i) => i),
  );
  for (const { inputIndex, fragmentId, outcome, reason, stage, tokensMissing } of decisions) {
    const fragment = request.fragments[inputIndex]!;
    assert.equal(fragmentId, fragment.fragmentId);
    assert.equal(outcome, kept.has(fragment) ? Outcome.SELECTED : Outcome.DROPPED);
    assert.ok(stage >= 1 && stage <= 10);
    if (outcome === Outcome.SELECTED) {
      assert.ok(([Reason.CHOSEN, Reason.PINNED, Reason.REQUIRED] as number[]).includes(reason));
      assert.equal(tokensMissing, undefined);
      assert.equal(reason === Reason.PINNED, fragment.pinned);
    } else {
      assert.equal(reason, Reason.OVER_BUDGET);
      assert.ok(tokensMissing! > 0);
    }
  }
  const dropped = decisions.filter(({ outcome }) => outcome === Outcome.DROPPED).length;
  assert.equal(payload.fragments.length + dropped, request.fragments.length);
});

eachShape("a fragment that is required names one that is in and needs it", 150, (request, payload) => {
  const kept = new Map(payload.fragments.map((fragment) => [fragment.fragmentId, fragment]));
  for (const { reason, inputIndex, relatedFragmentId } of payload.decisions) {
    if (reason !== Reason.REQUIRED) continue;
    const by = kept.get(relatedFragmentId);
    assert.ok(by !== undefined, relatedFragmentId);
    assert.ok(closureOf([by], request.fragments).has(request.fragments[inputIndex]!), relatedFragmentId);
  }
});

eachShape("the strategies used are those that ran and nominated what was selected", 100, (request, payload) => {
  const named = request.strategies.map(({ name }) => name);
  const ran = named.length > 0 ? named : ["relevance"];
  const [first] = payload.strategiesUsed;
  assert.ok(first !== undefined);
  assert.ok(payload.strategiesUsed.every((name) => ran.includes(name)));
});

for (const [name, shape] of Object.entries(SHAPES)) {
  test(`where nothing is short nothing is dropped: ${name}`, () =>
    fc.assert(
      fc.asyncProperty(randomRequests(shape), fc.nat(3), async (draft, spare) => {
        const { fragments } = await requestOf(draft);
        const enough = budgetOf(Math.max(1, priceOf(fragments) + spare));
        const payload = await assembled({ ...draft, budget: enough });
        assert.equal(payload.fragments.length, fragments.length);
      }),
      { seed: 7, numRuns: 150 },
    ));
}

test("pins that do not fit fail the request with both numbers, and others never do", () =>
  fc.assert(
    fc.asyncProperty(randomRequests(EVERYTHING), async (draft) => {
      const request = await requestOf(draft);
      const needed = priceOf([...pinnedClosure(request)]);
      const { availableTokens } = request.budget;
      const run = assemble(request, registry, testRun());
      if (needed <= availableTokens) return void (await run);
      await assert.rejects(run, (error) => {
        assert.ok(error instanceof ContextError);
        assert.equal(error.reason, "PINNED_OVER_BUDGET");
        assert.deepEqual(error.metadata, {
          needed_tokens: String(needed),
          available_tokens: String(availableTokens),
        });
        return true;
      });
    }),
    { seed: 7, numRuns: 250 },
  ));

/** A fragment as its caller knows it: without what the server made up, and without its place in the input. */
function identityOf({ idGiven, fragmentId, inputIndex: _place, metadata, ...fields }: Fragment): string {
  return JSON.stringify({ ...fields, id: idGiven ? fragmentId : "", metadata: [...metadata].sort() });
}

/** Everything of a payload that the order of the input has no say in. */
function essenceOf({ request, payload }: Outcomes): unknown {
  if (payload === undefined) return "the pins do not fit";
  const related = ({ relatedFragmentId }: Decision): string => {
    const other = request.fragments.find(({ fragmentId }) => fragmentId === relatedFragmentId);
    return other === undefined ? "" : identityOf(other);
  };
  const decisionOf = (decision: Decision): string => {
    const { fragmentId: _id, inputIndex, relatedFragmentId: _related, ...fields } = decision;
    return JSON.stringify([identityOf(request.fragments[inputIndex]!), fields, related(decision)]);
  };
  const { planId: _plan, payloadId: _id, timings: _timings, fragments, decisions, ...rest } = payload;
  return { ...rest, fragments: fragments.map(identityOf), decisions: [...decisions].map(decisionOf).sort() };
}

for (const [name, shape] of Object.entries(SHAPES)) {
  test(`any order of the input gives the same payload: ${name}`, () =>
    fc.assert(
      fc.asyncProperty(withPermutation(randomRequests(shape)), async ([draft, permuted]) => {
        assert.deepEqual(essenceOf(await outcomeOf(permuted)), essenceOf(await outcomeOf(draft)));
      }),
      { seed: 7, numRuns: 300 },
    ));
}

test("any order of many fragments gives the same payload", () =>
  fc.assert(
    fc.asyncProperty(
      withPermutation(
        randomRequests({
          ids: "none",
          groups: false,
          pins: false,
          strategies: 2,
          minFragments: 300,
          maxFragments: 400,
        }),
      ),
      async ([draft, permuted]) => {
        assert.deepEqual(essenceOf(await outcomeOf(permuted)), essenceOf(await outcomeOf(draft)));
      },
    ),
    { seed: 7, numRuns: 20 },
  ));

test("the same request gives the same payload but for its ids", () =>
  fc.assert(
    fc.asyncProperty(randomRequests(EVERYTHING), async (draft) => {
      assert.deepEqual(essenceOf(await outcomeOf(draft)), essenceOf(await outcomeOf(draft)));
    }),
    { seed: 7, numRuns: 50 },
  ));

/** Selected at a budget with so many further tokens, by input position. */
async function selectedAt(draft: RequestDraft, further: number): Promise<boolean[]> {
  const budget = { ...draft.budget!, maxTokens: draft.budget!.maxTokens + further };
  const { payload, request } = await outcomeOf({ ...draft, budget });
  const kept = new Set(payload?.fragments);
  return request.fragments.map((fragment) => kept.has(fragment));
}

/** Checks every exact number of missing tokens by trying every budget up to it. */
async function checkMissing(draft: RequestDraft, payload: Payload): Promise<void> {
  const exact = [...payload.decisions].filter(({ tokensMissingExact }) => tokensMissingExact);
  const most = Math.max(0, ...exact.map(({ tokensMissing }) => tokensMissing!));
  const tried: boolean[][] = [];
  for (let further = 0; further <= most; further++) tried.push(await selectedAt(draft, further));
  for (const { inputIndex, tokensMissing } of exact) {
    assert.equal(
      tokensMissing,
      tried.findIndex((selected) => selected[inputIndex]),
    );
  }
}

const oneStrategy = { pins: true, strategies: 1, maxFragments: 7 } as const;

test("the missing tokens of a single strategy are exact: so many let a fragment in and no fewer", () =>
  fc.assert(
    fc.asyncProperty(randomRequests({ ...oneStrategy, ids: "none", groups: true }), async (draft) => {
      const { payload } = await outcomeOf(draft);
      if (payload === undefined) return;
      const dropped = [...payload.decisions].filter(({ outcome }) => outcome === Outcome.DROPPED);
      assert.ok(dropped.every(({ tokensMissingExact }) => tokensMissingExact));
      await checkMissing(draft, payload);
    }),
    { seed: 7, numRuns: 120 },
  ));

test("missing tokens that are said to be exact are, beside requirements too", () =>
  fc.assert(
    fc.asyncProperty(randomRequests({ ...oneStrategy, ids: "all", groups: true }), async (draft) => {
      const { payload } = await outcomeOf(draft);
      if (payload !== undefined) await checkMissing(draft, payload);
    }),
    { seed: 7, numRuns: 120 },
  ));

test("missing tokens that are said to be exact are, with several strategies too", () =>
  fc.assert(
    fc.asyncProperty(randomRequests({ ...EVERYTHING, strategies: 3, maxFragments: 6 }), async (draft) => {
      const { payload } = await outcomeOf(draft);
      if (payload !== undefined) await checkMissing(draft, payload);
    }),
    { seed: 7, numRuns: 80 },
  ));

test("nothing done to a draft's provenance later shows in the payload", async () => {
  const provenance = { resourceUri: "file:///before", resourceType: "file", location: "1-2", mergedFrom: [] };
  const draft = randomRequests(EVERYTHING);
  const [sample] = fc.sample(draft, { seed: 7, numRuns: 1 });
  const fragments = [{ ...sample!.fragments[0]!, requires: [], groupId: "", provenance }];
  const payload = await assembled({ ...sample!, fragments, budget: budgetOf(1_000) });
  Object.assign(provenance, { resourceUri: "file:///after", resourceType: "", location: "" });
  assert.deepEqual(payload.fragments[0]!.provenance, {
    resourceUri: "file:///before",
    resourceType: "file",
    location: "1-2",
    mergedFrom: [],
  });
});
