/**
 * What every component of a role has to hold to, built in or hosted: one suite a role. Each runs its component in assemblies of random
 * requests, looks at every answer by itself, and sees that nothing was changed that was only lent.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { assembled, budgetOf, idsOf, pipelineDraft, requestDraft, scored, testRun } from "./drafts.fixture.js";
import { ContextError } from "./errors.js";
import type { PackingInput } from "./fuse/packing.js";
import type { Fragment } from "./model/fragment.js";
import type { Payload } from "./model/payload.js";
import type { RequestDraft } from "./model/request.js";
import { EVERYTHING, randomRequests } from "./random-requests.fixture.js";
import { Registry } from "./registry.js";
import { STAGES, type StageContracts, type StageRole, VERBS } from "./stages.js";
import type { Ranking, RankingInput, Strategy } from "./strategies/strategy.js";
import type { TokenCounter } from "./token-counter.js";

type Verbs = typeof VERBS;
type VerbOf<R extends StageRole> = Extract<
  StageContracts[R][Verbs[R] & keyof StageContracts[R]],
  (...args: never[]) => unknown
>;
type Expectations = {
  readonly [R in StageRole]: (args: Parameters<VerbOf<R>>, answer: Awaited<ReturnType<VerbOf<R>>>) => void;
};

const isSubset = (some: readonly unknown[], all: readonly unknown[]): boolean => {
  const known = new Set(all);
  return new Set(some).size === some.length && some.every((one) => known.has(one));
};

const inRange = (scores: Iterable<number>): boolean => [...scores].every((score) => score >= 0 && score <= 1);

/** What an answer has to be, whoever gave it. */
const HOLDS: Expectations = {
  strategy_selector: ([{ strategies }], candidates) => {
    assert.ok(
      isSubset(
        candidates.map(({ strategy }) => strategy),
        strategies.map(({ strategy }) => strategy),
      ),
    );
    assert.ok(candidates.every(({ confidence }) => confidence >= 0 && Number.isFinite(confidence)));
  },
  budget_allocator: ([tokens, candidates], shares) => {
    assert.deepEqual(
      shares.map(({ strategy }) => strategy),
      candidates.map(({ strategy }) => strategy),
    );
    assert.ok(shares.every((share) => Number.isInteger(share.tokens) && share.tokens >= 0));
    assert.ok(shares.reduce((sum, share) => sum + share.tokens, 0) <= tokens);
  },
  strategy_executor: ([{ allocations, fragments }], nominations) => {
    assert.equal(nominations.length, allocations.length);
    for (const [k, nomination] of nominations.entries()) {
      assert.equal(nomination.strategy, allocations[k]!.strategy);
      assert.ok(isSubset(nomination.fragments, fragments));
    }
  },
  deduplicator: ([fragments, { committed }], { kept, duplicates }) => {
    assert.ok(isSubset(kept, fragments));
    assert.deepEqual(idsOf(kept), idsOf(fragments.filter((one) => kept.includes(one))), "the order is kept");
    for (const { fragment, survivor } of duplicates) {
      assert.ok(fragments.includes(fragment) && !kept.includes(fragment) && !committed.has(fragment));
      assert.ok(kept.includes(survivor) || committed.has(survivor));
    }
  },
  depth_resolver: ([fragments], resolutions) => {
    if (resolutions === undefined) return;
    const all = resolutions.flatMap(({ fragment, alternatives }) => [fragment, ...alternatives]);
    assert.ok(isSubset(all, fragments) && all.length === fragments.length);
  },
  scorer: ([fragments], { scores, parts, baseline = 0 }) => {
    for (const column of [scores, ...Object.values(parts ?? {})]) {
      assert.equal(column.length, fragments.length);
      assert.ok(inRange(column));
    }
    assert.ok(inRange([baseline]));
  },
  packer: ([input], { chosenBy }) => {
    const price = ({ inputIndex }: Fragment): number => input.tokenCounts[inputIndex]!;
    const isIn = ({ inputIndex }: Fragment): boolean => chosenBy[inputIndex] !== 0;
    const spent = input.fragments
      .filter((one) => isIn(one) && !input.committed.has(one))
      .reduce((sum, one) => sum + price(one), 0);
    assert.ok(spent <= input.tokens, `${spent} of ${input.tokens}`);
    for (const fragment of input.committed) assert.ok(isIn(fragment));
    for (const fragment of input.fragments.filter(isIn)) checkWhole(fragment, isIn, input);
  },
  orderer: ([selected], ordered) => assert.ok(isSubset(ordered, selected) && ordered.length === selected.length),
  preamble_generator: (_args, text) => assert.equal(text, text.toWellFormed()),
  skeleton_compressor: ([parents], outline) => {
    assert.ok(isSubset(idsOf(outline), idsOf(parents)));
    assert.ok(outline.every(({ content }) => content === content.toWellFormed()));
  },
};

function checkWhole(fragment: Fragment, isIn: (one: Fragment) => boolean, { links }: PackingInput): void {
  assert.ok(links.requiredBy(fragment).every(isIn), `${fragment.fragmentId} without what it requires`);
  assert.ok(
    links.partsOf(fragment).every((part) => part.some(isIn)),
    `${fragment.fragmentId} without its group`,
  );
}

/** The component, whose answers are looked at. */
function watched<R extends StageRole>(
  role: R,
  component: StageContracts[R],
  seen: { answers: number },
): StageContracts[R] {
  const verb = VERBS[role];
  const ask = async (...args: unknown[]): Promise<unknown> => {
    const method = Reflect.get(component, verb) as (...given: unknown[]) => unknown;
    const answer = await method.apply(component, args);
    seen.answers++;
    (HOLDS[role] as (given: unknown, answer: unknown) => void)(args, answer);
    return answer;
  };
  return new Proxy(component, { get: (target, key) => (key === verb ? ask : Reflect.get(target, key)) });
}

/** Random requests for a component, with parents, so that every stage has work. */
function requestsFor(role: StageRole, name: string): fc.Arbitrary<RequestDraft> {
  const profile = fc.constantFrom("direct", "fusion");
  return fc.tuple(randomRequests(EVERYTHING), profile).map(([request, chosen]) => ({
    ...request,
    parentFragments: [scored("parent", 0.5, 30, { content: "first\nsecond" }), scored("other", 0.4, 3)],
    skeletonRatio: 0.2,
    pipeline: pipelineDraft({ profile: chosen, [camelCase(role)]: name }),
  }));
}

const camelCase = (role: StageRole) => role.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

const told = ({ payloadId: _, planId: _plan, timings: _timings, decisions, ...rest }: Payload): unknown => ({
  ...rest,
  decisions: [...decisions],
});

/** Pins that do not fit are the request's own fault. */
async function payloadOf(draft: RequestDraft, registry: Registry): Promise<Payload | undefined> {
  try {
    return await assembled(draft, registry);
  } catch (error) {
    if (error instanceof ContextError && error.reason === "PINNED_OVER_BUDGET") return undefined;
    throw error;
  }
}

/** The suite of a stage. `runs` is how many random requests it tries. */
export function checkStageContract<R extends StageRole>(role: R, name: string, below: Registry, runs = 40): void {
  const seen = { answers: 0 };
  const registry = new Registry(below).addComponent(role, name, (options) =>
    watched(role, below.component(role, name, options), seen),
  );
  const where = `${role.replaceAll("_", " ")} ${name}`;

  test(`${where}: every answer holds to the contract, and the same question has the same answer`, async () => {
    await fc.assert(
      fc.asyncProperty(requestsFor(role, name), async (draft) => {
        const before = fc.stringify(draft);
        const payload = await payloadOf(draft, registry);
        assert.equal(fc.stringify(draft), before, "what was lent is as it was");
        if (payload === undefined) return;
        assert.deepEqual(
          payload.warnings.filter(({ code }) => code.startsWith("component_failed")),
          [],
        );
        assert.deepEqual(told((await payloadOf(draft, registry))!), told(payload));
      }),
      { numRuns: runs, seed: 7 },
    );
    assert.ok(seen.answers > 0, "it was asked");
  });

  test(`${where}: with nothing to work on it has an answer`, async () => {
    const pipeline = pipelineDraft({ profile: "fusion", [camelCase(role)]: name });
    const payload = await assembled(requestDraft({ pipeline, budget: budgetOf(10_000) }), registry);
    assert.deepEqual(payload.fragments, []);
    assert.deepEqual(payload.warnings, []);
  });
}

/** The suites of all stages, each for one component. */
export function checkStageContracts(
  names: Readonly<Record<StageRole, string>>,
  registry: Registry,
  runs?: number,
): void {
  for (const role of STAGES) checkStageContract(role, names[role], registry, runs);
}

function checkRanking({ fragments, scores, suffixFrom = 0, outside = [] }: Ranking, input: RankingInput): void {
  assert.ok(isSubset(fragments, input.fragments));
  assert.ok(isSubset(outside, input.fragments) && outside.every((one) => !fragments.includes(one)));
  assert.ok(suffixFrom >= 0 && suffixFrom <= fragments.length);
  if (scores !== undefined) assert.ok(scores.length === fragments.length && inRange(scores));
}

/** The suite of a strategy. */
export function checkStrategyContract(name: string, below: Registry, runs = 40): void {
  test(`strategy ${name}: every ranking holds to the contract, and the same question has the same answer`, async () => {
    const strategy = below.strategy(name);
    let asked = 0;
    const watchedStrategy: Strategy = {
      name,
      explanation: strategy.explanation,
      capabilities: strategy.capabilities,
      confidence: (query) => strategy.confidence(query),
      rank: async (input, run) => {
        const ranking = await strategy.rank(input, run);
        asked++;
        checkRanking(ranking, input);
        return ranking;
      },
    };
    const registry = new Registry(below).addStrategy(watchedStrategy);
    await fc.assert(
      fc.asyncProperty(randomRequests(EVERYTHING), async (request) => {
        const draft = { ...request, strategies: [{ name }] };
        const payload = await payloadOf(draft, registry);
        if (payload !== undefined) assert.deepEqual(told((await payloadOf(draft, registry))!), told(payload));
      }),
      { numRuns: runs, seed: 7 },
    );
    assert.ok(asked > 0 && strategy.explanation !== "" && strategy.confidence("") >= 0);
  });
}

/** The suite of a token counter. */
export function checkCounterContract(create: () => TokenCounter): void {
  const { name } = create();
  test(`token counter ${name}: whole numbers from 0 for each text, in order, 0 for the empty one, the same each time`, async () => {
    const { signal } = testRun();
    const texts = fc.array(fc.oneof(fc.constant(""), fc.string({ unit: "binary" }), fc.string()), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(texts, async (given) => {
        const counts = await create().count(given, signal);
        assert.equal(counts.length, given.length);
        assert.ok(
          counts.every((count, i) => Number.isInteger(count) && count >= 0 && (given[i] !== "" || count === 0)),
        );
        const alone = await Promise.all(given.map((text) => create().count([text], signal)));
        assert.deepEqual(alone.flat(), [...counts]);
      }),
      { numRuns: 40, seed: 7 },
    );
  });
}
