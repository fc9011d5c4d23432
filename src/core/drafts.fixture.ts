/** Requests and runs for tests: small, honest, and the same every time. */
import { assemble } from "./assemble.js";
import { builtInRegistry } from "./built-in.js";
import type { Expressions } from "./expressions.js";
import { createFaults } from "./model/faults.js";
import type { Fragment, FragmentDraft } from "./model/fragment.js";
import type { Instant } from "./model/instant.js";
import type { Payload } from "./model/payload.js";
import type { PipelineSpecDraft } from "./model/pipeline-spec.js";
import {
  DEFAULT_LIMITS,
  type Request,
  type RequestDraft,
  type RequestSurroundings,
  readFragments,
  readRequest,
} from "./model/request.js";
import type { Registry } from "./registry.js";
import type { Run } from "./run.js";
import type { TokenCounter } from "./token-counter.js";

/** The time at which every test happens. */
export const NOON: Instant = { seconds: 1_750_000_000, nanos: 0 };

/** A token for each character. */
export const characterCounter: TokenCounter = {
  name: "characters",
  estimated: false,
  count: (texts) => texts.map((text) => text.length),
};

/** For requests without expressions. */
export const noExpressions: Expressions = {
  check: () => Promise.reject(new Error("an expression was checked")),
  evaluate: () => Promise.reject(new Error("an expression was evaluated")),
};

/** A run with ids that count up, a clock that stands still and a token for each character. */
export function testRun(fields: Partial<Run> = {}): Run {
  let ids = 0;
  let elapsedMs = 0;
  return {
    newId: () => `01TEST${String(ids++).padStart(20, "0")}`,
    now: () => NOON,
    elapsedMs: () => elapsedMs++,
    signal: new AbortController().signal,
    counter: characterCounter,
    expressions: noExpressions,
    breathe: () => undefined,
    recorder: {},
    ...fields,
  };
}

/** A fragment as a caller gives it, with nothing but a node and what a test cares for. */
export function fragmentDraft(fields: Partial<FragmentDraft> = {}): FragmentDraft {
  return {
    fragmentId: "",
    ukoNode: "project://app/main.py",
    content: "",
    tier: 0,
    role: 0,
    metadata: new Map(),
    pinned: false,
    groupId: "",
    requires: [],
    variantKey: "",
    vector: [],
    ...fields,
  };
}

/** The draft of `id(score/tokens)`, as the examples of the documentation write it. */
export function scored(
  fragmentId: string,
  relevanceScore: number,
  tokenCount: number,
  fields: Partial<FragmentDraft> = {},
): FragmentDraft {
  const ukoNode = `project://${fragmentId}`;
  return fragmentDraft({ fragmentId, ukoNode, content: fragmentId, relevanceScore, tokenCount, ...fields });
}

/** A request for nothing, with what a test cares for. */
export function requestDraft(fields: Partial<RequestDraft> = {}): RequestDraft {
  return {
    requestId: "",
    fragments: [],
    budget: budgetOf(1_000),
    strategies: [],
    query: "",
    parentFragments: [],
    trace: 3,
    contentMode: 0,
    asOf: NOON,
    ...fields,
  };
}

export function budgetOf(maxTokens: number, reservedTokens = 0): NonNullable<RequestDraft["budget"]> {
  return { maxTokens, reservedTokens, sections: [] };
}

/** A pipeline that names nothing but what a test cares for. */
export function pipelineDraft(fields: Partial<PipelineSpecDraft> = {}): PipelineSpecDraft {
  return {
    profile: "",
    strategySelector: "",
    budgetAllocator: "",
    strategyExecutor: "",
    deduplicator: "",
    depthResolver: "",
    scorer: "",
    packer: "",
    orderer: "",
    preambleGenerator: "",
    skeletonCompressor: "",
    failurePolicies: [],
    ...fields,
  };
}

/** Valid fragments from drafts; throws where they are not valid. */
export function fragmentsOf(...drafts: FragmentDraft[]): Fragment[] {
  const faults = createFaults();
  const { newId } = testRun();
  const fragments = readFragments(drafts, { name: "fragments" }, { limits: DEFAULT_LIMITS, now: NOON, newId, faults });
  faults.throwIfAny();
  return fragments;
}

export async function requestOf(draft: RequestDraft, run: Run = testRun()): Promise<Request> {
  return readRequest(draft, surroundingsOf(run));
}

/** What a request needs from a run to become valid. */
export function surroundingsOf({ newId, counter, expressions, signal, breathe }: Run): RequestSurroundings {
  return { limits: DEFAULT_LIMITS, now: NOON, newId, counter, expressions, signal, breathe };
}

/** A draft, all the way to its payload. */
export async function assembled(
  draft: RequestDraft,
  registry: Registry = builtInRegistry(),
  run: Run = testRun(),
): Promise<Payload> {
  return assemble(await requestOf(draft, run), registry, run);
}

/** The ids of fragments, in order. */
export function idsOf(fragments: readonly { readonly fragmentId: string }[]): string[] {
  return fragments.map(({ fragmentId }) => fragmentId);
}
