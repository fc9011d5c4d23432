/** Components that do as a test tells them, and what must follow when they do what they may not. */
import assert from "node:assert/strict";
import { builtInRegistry } from "./built-in.js";
import { independentHash } from "./context-hash.fixture.js";
import { assembled, budgetOf, fragmentsOf, idsOf, pipelineDraft, requestDraft, scored } from "./drafts.fixture.js";
import { ContextError } from "./errors.js";
import type { Packing, PackingInput } from "./fuse/packing.js";
import type { Fragment } from "./model/fragment.js";
import { Outcome, type Payload } from "./model/payload.js";
import type { RequestDraft } from "./model/request.js";
import { Registry } from "./registry.js";
import type { MaybePromise } from "./run.js";
import { type StageContracts, type StageRole, VERBS } from "./stages.js";
import type { Ranking, Strategy } from "./strategies/strategy.js";

const camelCase = (role: StageRole) => role.replace(/_(.)/, (_, letter: string) => letter.toUpperCase());

/** A request on which every stage has something to do; `d` does not fit. */
export const draft = requestDraft({
  budget: budgetOf(100),
  strategies: [{ name: "relevance" }, { name: "recency" }],
  fragments: [scored("a", 0.9, 40), scored("b", 0.8, 30), scored("c", 0.7, 20), scored("d", 0.6, 50)],
  parentFragments: [scored("parent", 0.5, 10)],
});

export const [stranger] = fragmentsOf(scored("stranger", 1, 1)) as [Fragment];

/** The built-in registry with a component `bad` that answers as it is told. */
export function registryWith<R extends StageRole>(role: R, component: StageContracts[R]): Registry {
  return new Registry(builtInRegistry()).addComponent(role, "bad", () => component);
}

/** A component that hands its arguments to a function; for answers that no type allows, too. */
export function answering<R extends StageRole>(role: R, answer: (...args: never[]) => unknown): StageContracts[R] {
  return { [VERBS[role]]: answer } as unknown as StageContracts[R];
}

export const using = (role: StageRole): Partial<RequestDraft> => ({
  pipeline: pipelineDraft({ [camelCase(role)]: "bad" }),
});

function without({ payloadId: _payload, planId: _plan, timings: _timings, decisions, ...rest }: Payload): unknown {
  return { ...rest, decisions: [...decisions] };
}

/** The component must be named as the culprit, and everything else go on as before. */
export async function checkCulprit(
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

export const cause = new Error("inside");

export function packing(answer: (input: PackingInput) => Partial<Packing>) {
  return (input: PackingInput) => ({ required: new Map(), unreachable: new Map(), ...answer(input) });
}

/** What is said of each fragment must be what became of it. */
export function checkConsistent(payload: Payload, given: number): void {
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
export async function checkHonest(role: StageRole, request: RequestDraft, answer: (...args: never[]) => unknown) {
  const registry = registryWith(role, answering(role, answer));
  try {
    checkConsistent(await assembled({ ...request, ...using(role) }, registry), request.fragments.length);
  } catch (error) {
    if (!(error instanceof ContextError)) throw error;
    assert.equal(error.reason, "COMPONENT_FAILED");
  }
}

export function ranking(
  name: string,
  rank: (input: Parameters<Strategy["rank"]>[0]) => MaybePromise<Ranking>,
): Strategy {
  const honest = builtInRegistry().strategy("relevance");
  return { ...honest, name, rank };
}
