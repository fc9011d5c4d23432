import { ContextError, quote } from "../errors.js";
import type { Expressions } from "../expressions.js";
import type { MaybePromise, Pauses } from "../run.js";
import { runAtOnce, runInSlices, type Slices } from "../run-in-slices.js";
import { Slice } from "../slice.js";
import type { TokenCounter } from "../token-counter.js";
import { type Budget, type BudgetDraft, readBudget } from "./budget.js";
import { checkExpressions, expressionsOf } from "./check-expressions.js";
import { type Columns, readColumns } from "./columns.js";
import { countFragments } from "./count-fragments.js";
import { createFaults, type Faults } from "./faults.js";
import { FRAGMENT_LIMITS, type Fragment, type FragmentDraft, readFragment } from "./fragment.js";
import { type Instant, instantFault } from "./instant.js";
import { TraceLevel } from "./payload.js";
import { type PipelineSpec, type PipelineSpecDraft, readPipelineSpec } from "./pipeline-spec.js";
import { type FragmentList, pathIn } from "./place.js";
import { planIdFault } from "./plan-id.js";
import { type PreviousFragment, type PreviousPayloadDraft, readPrevious } from "./previous.js";
import { readStrategySpecs, type StrategySpec, type StrategySpecDraft } from "./strategy-spec.js";
import { isLongerThan } from "./text.js";
import type { VectorLength } from "./vector.js";

/** Sizes that the server may set. */
export interface RequestLimits {
  /** Fragments and parent fragments together. */
  readonly maxFragments: number;
  /** Code points of one content. */
  readonly maxContentCharacters: number;
}

export const DEFAULT_LIMITS: RequestLimits = { maxFragments: 10_000, maxContentCharacters: 1_000_000 };

/** A request as a caller gives it: the shape of the wire message. */
export interface RequestDraft {
  requestId: string;
  planId?: string | undefined;
  fragments: readonly FragmentDraft[];
  budget?: BudgetDraft | undefined;
  strategies: readonly StrategySpecDraft[];
  pipeline?: PipelineSpecDraft | undefined;
  query: string;
  parentFragments: readonly FragmentDraft[];
  skeletonRatio?: number | undefined;
  trace: number;
  contentMode: number;
  asOf?: Instant | undefined;
  previous?: PreviousPayloadDraft | undefined;
}

/** A valid request with nothing absent. */
export interface Request {
  readonly requestId: string;
  readonly planId: string;
  /** In input order; each one's `inputIndex` is its position here. */
  readonly fragments: readonly Fragment[];
  readonly columns: Columns;
  readonly budget: Budget;
  /** Empty: the default strategy. */
  readonly strategies: readonly StrategySpec[];
  readonly pipeline: PipelineSpec;
  readonly query: string;
  readonly parentFragments: readonly Fragment[];
  readonly skeletonRatio: number;
  readonly trace: TraceLevel;
  /** True: the caller has the texts at hand and wants ids alone. */
  readonly idsOnly: boolean;
  /** True: some of its fragments have vectors. Absent: none has. */
  readonly hasVectors?: boolean;
  /** What counts as now. */
  readonly asOf: Instant;
  /** The caller's last payload; empty: none. */
  readonly previous: readonly PreviousFragment[];
}

/** What a request needs from outside to become valid. */
export interface RequestSurroundings extends Pauses {
  readonly limits: RequestLimits;
  readonly now: Instant;
  readonly newId: () => string;
  readonly counter: TokenCounter;
  readonly expressions: Expressions;
}

/** The characters of a query. */
export const MAX_QUERY_CHARACTERS = 100_000;

/**
 * Checks a request, fills in what is absent and counts what is not counted. Throws one `ContextError` that names every fault, or one of
 * reason `TOO_MANY_FRAGMENTS` before looking at any fragment.
 */
export async function readRequest(draft: RequestDraft, around: RequestSurroundings): Promise<Request> {
  const faults = createFaults();
  const checked = await checkRequest(draft, around, faults);
  faults.throwIfAny();
  return countRequest(checked, around);
}

/** A request that is checked and not counted. */
export type CheckedRequest = Omit<Request, "columns">;

/**
 * Checks a request and fills in what is absent, but for the counts. Faults go to `faults`; the result then means nothing. Throws
 * `TOO_MANY_FRAGMENTS` before looking at any fragment.
 */
export async function checkRequest(
  draft: RequestDraft,
  around: RequestSurroundings,
  faults: Faults,
): Promise<CheckedRequest> {
  checkFragmentCount(draft.fragments.length + draft.parentFragments.length, around.limits);
  const planId = draft.planId === undefined ? undefined : readPlanId(draft.planId, faults);
  checkInstant(draft.asOf, "as_of", faults);
  const now = draft.asOf ?? around.now;
  const vectorLength: VectorLength = {};
  const surroundings = { ...around, now, faults, vectorLength };
  const read = (drafts: readonly FragmentDraft[], name: string): MaybePromise<Fragment[]> =>
    runInSlices(readFragmentsInSlices(drafts, { name }, surroundings), around);
  const fragments = await read(draft.fragments, "fragments");
  const parentFragments = await read(draft.parentFragments, "parent_fragments");
  checkLength(draft.requestId, "request_id", FRAGMENT_LIMITS.idCharacters, faults);
  checkLength(draft.query, "query", MAX_QUERY_CHARACTERS, faults);
  const request = {
    requestId: draft.requestId,
    planId: planId ?? around.newId(),
    budget: readBudget(draft.budget, faults),
    strategies: readStrategySpecs(draft.strategies, faults),
    pipeline: readPipelineSpec(draft.pipeline, faults),
    query: draft.query,
    skeletonRatio: readRatio(draft.skeletonRatio, faults),
    trace: readTrace(draft.trace, faults),
    idsOnly: readContentMode(draft.contentMode, faults),
    hasVectors: vectorLength.numbers !== undefined,
    asOf: now,
    previous: readPrevious(draft.previous, around.limits.maxFragments, faults),
  };
  const expressions = request.strategies.flatMap((spec, i) => expressionsOf(spec, `strategies[${i}]`));
  if (expressions.length > 0) await checkExpressions(expressions, around.expressions, around.signal, faults);
  return { ...request, fragments, parentFragments };
}

/** Counts what a checked request without faults has uncounted. */
export async function countRequest(checked: CheckedRequest, around: RequestSurroundings): Promise<Request> {
  const { counter, signal } = around;
  const [own, parents] = await countFragments([checked.fragments, checked.parentFragments], counter, signal);
  await around.breathe();
  return { ...checked, fragments: own!, columns: readColumns(own!), parentFragments: parents! };
}

/** Throws `TOO_MANY_FRAGMENTS` where a request holds more than the server takes. */
export function checkFragmentCount(count: number, { maxFragments }: RequestLimits): void {
  if (count <= maxFragments) return;
  throw new ContextError(
    "TOO_MANY_FRAGMENTS",
    `the request holds ${count} fragments; at most ${maxFragments} are allowed`,
    {
      metadata: { fragments: String(count), limit: String(maxFragments) },
    },
  );
}

/** What a list of fragments needs from outside to become valid. */
export interface FragmentSurroundings extends Pick<RequestSurroundings, "newId" | "limits" | "now"> {
  readonly faults: Faults;
  /** Absent: no other list has to agree with this one. */
  readonly vectorLength?: VectorLength;
}

/** Checks a list of fragments, its ids and requirements among them. Counts that are absent stay `UNCOUNTED`. */
export function readFragments(
  drafts: readonly FragmentDraft[],
  list: FragmentList,
  around: FragmentSurroundings,
): Fragment[] {
  return runAtOnce(readFragmentsInSlices(drafts, list, around));
}

/** A fragment has many fields, each of which is checked. */
const STEPS_PER_FRAGMENT = 4;

/** The same, in slices. */
export function* readFragmentsInSlices(
  drafts: readonly FragmentDraft[],
  list: FragmentList,
  around: FragmentSurroundings,
): Slices<Fragment[]> {
  const { faults, now, newId, vectorLength = {} } = around;
  const surroundings = { faults, now, newId, vectorLength, maxContentCharacters: around.limits.maxContentCharacters };
  const fragments: Fragment[] = [];
  const slice = new Slice();
  for (const draft of drafts) {
    fragments.push(readFragment(draft, list, fragments.length, surroundings));
    if (slice.isOver(STEPS_PER_FRAGMENT)) yield;
  }
  yield;
  checkNames(fragments, list, faults);
  return fragments;
}

/** Ids are unique, and what a fragment requires is in its list. */
function checkNames(fragments: readonly Fragment[], list: FragmentList, faults: Faults): void {
  const positions = new Map<string, number>();
  for (const { fragmentId, inputIndex } of fragments) {
    const before = positions.get(fragmentId);
    if (before === undefined) positions.set(fragmentId, inputIndex);
    else
      faults.add(
        `${pathIn(list, inputIndex)}.fragment_id`,
        `is ${quote(fragmentId)}, as ${pathIn(list, before)} is; ids are unique`,
      );
  }
  for (const { requires, inputIndex } of fragments) {
    requires.forEach((id, i) => {
      if (id !== "" && !positions.has(id)) {
        faults.add(
          `${pathIn(list, inputIndex)}.requires[${i}]`,
          `is ${quote(id)}, which is no fragment's id in ${list.name}`,
        );
      }
    });
  }
}

function readPlanId(planId: string, faults: Faults): string {
  const fault = planIdFault(planId);
  if (fault !== undefined) faults.add("plan_id", fault);
  return planId;
}

function readRatio(ratio: number | undefined, faults: Faults): number {
  if (ratio === undefined) return 0.15;
  if (!(ratio >= 0 && ratio <= 1)) faults.add("skeleton_ratio", `is ${ratio}; allowed is 0.0 to 1.0`);
  return ratio;
}

function readTrace(trace: number, faults: Faults): TraceLevel {
  if (trace === 0) return TraceLevel.DROPPED;
  if (![1, 2, 3].includes(trace))
    faults.add("trace", `is ${trace}; allowed are none (1), dropped (2), full (3) or absent`);
  return trace as TraceLevel;
}

const IDS_ONLY = 2;

function readContentMode(mode: number, faults: Faults): boolean {
  if (![0, 1, IDS_ONLY].includes(mode))
    faults.add("content_mode", `is ${mode}; allowed are full (1), ids only (2) or absent`);
  return mode === IDS_ONLY;
}

function checkInstant(instant: Instant | undefined, path: string, faults: Faults): void {
  const fault = instant === undefined ? undefined : instantFault(instant);
  if (fault !== undefined) faults.add(path, fault);
}

/** Adds a fault where a text has more characters than allowed. */
export function checkLength(text: string, path: string, limit: number, faults: Faults): void {
  if (isLongerThan(text, limit)) faults.add(path, `has more than ${limit} characters, which are the most allowed`);
}
