/** Single stages for callers who build their own pipeline, with the same checks as in an assembly. */
import { askPart } from "./assembly.js";
import { sharesFault } from "./choose/allocate-budget.js";
import { candidatesFault, candidatesOf } from "./choose/select-strategies.js";
import { componentFailure } from "./component-failure.js";
import { quote } from "./errors.js";
import type { Allocation, Candidate } from "./model/candidate.js";
import { countFragments } from "./model/count-fragments.js";
import { createFaults } from "./model/faults.js";
import { FRAGMENT_LIMITS, type Fragment, type FragmentDraft } from "./model/fragment.js";
import type { Warning } from "./model/payload.js";
import {
  checkFragmentCount,
  checkLength,
  MAX_QUERY_CHARACTERS,
  type RequestLimits,
  readFragments,
} from "./model/request.js";
import { readConfidence, readStrategyName } from "./model/strategy-spec.js";
import { checkOutline } from "./present/check-outline.js";
import { skeletonWarning } from "./present/compress-skeleton.js";
import type { Registry } from "./registry.js";
import type { Run } from "./run.js";
import type { StageContracts, StageRole } from "./stages.js";

/** What a single stage works with. */
export interface StageSurroundings {
  readonly registry: Registry;
  readonly limits: RequestLimits;
  readonly run: Run;
}

/** The most candidates of one allocation. */
const MAX_CANDIDATES = 1_000;

/** The selector by itself; throws `UNKNOWN_STRATEGY` for a hint that does not exist. */
export async function selectStrategiesAlone(
  draft: { hint: readonly string[]; query: string; fragments: readonly FragmentDraft[]; component: string },
  around: StageSurroundings,
): Promise<readonly Candidate[]> {
  const { registry, run } = around;
  const faults = createFaults();
  draft.hint.forEach((name, i) => {
    readStrategyName(name, `hint[${i}]`, faults);
    if (draft.hint.indexOf(name) < i) faults.add(`hint[${i}]`, `is ${quote(name)} once more; each name may stand once`);
  });
  if (draft.hint.length > MAX_CANDIDATES) {
    faults.add("hint", `has ${draft.hint.length} entries; at most ${MAX_CANDIDATES} are allowed`);
  }
  checkLength(draft.query, "query", MAX_QUERY_CHARACTERS, faults);
  const fragments = await readCounted(draft.fragments, around, faults);
  for (const name of draft.hint) registry.strategy(name);
  const strategies = candidatesOf(registry, draft.query, draft.hint);
  const input = { hint: draft.hint, query: draft.query, fragments, strategies };
  const part = partOf(registry, "strategy_selector", draft.component, "by_confidence");
  const answer = await askPart("strategy_selector", part, run.signal, (selector) => selector.select(input, run));
  return checked("strategy_selector", part.name, answer, candidatesFault(answer, strategies));
}

/** Every strategy with its confidence for a query, highest first. */
export function rankStrategiesAlone(
  draft: { query: string; fragments: readonly FragmentDraft[] },
  around: StageSurroundings,
): Promise<readonly Candidate[]> {
  return selectStrategiesAlone({ ...draft, hint: [], component: "by_confidence" }, around);
}

/** The allocator by itself. */
export async function allocateBudgetAlone(
  draft: { budgetTokens: number; candidates: readonly Candidate[]; component: string },
  { registry, run }: StageSurroundings,
): Promise<readonly Allocation[]> {
  const faults = createFaults();
  checkTokens(draft.budgetTokens, faults);
  if (draft.candidates.length > MAX_CANDIDATES) {
    faults.add("candidates", `has ${draft.candidates.length} entries; at most ${MAX_CANDIDATES} are allowed`);
  }
  draft.candidates.forEach(({ strategy, confidence }, i) => {
    readStrategyName(strategy, `candidates[${i}].strategy`, faults);
    readConfidence(confidence, `candidates[${i}].confidence`, faults);
  });
  faults.throwIfAny();
  const part = partOf(registry, "budget_allocator", draft.component, "proportional");
  const shares = await askPart("budget_allocator", part, run.signal, (allocator) =>
    allocator.allocate(draft.budgetTokens, draft.candidates, run),
  );
  return checked("budget_allocator", part.name, shares, sharesFault(shares, draft.candidates, draft.budgetTokens));
}

/** The skeleton compressor by itself. */
export async function compressSkeletonAlone(
  draft: { fragments: readonly FragmentDraft[]; budgetTokens: number; component: string },
  around: StageSurroundings,
): Promise<{ fragments: readonly Fragment[]; totalTokens: number; warnings: readonly Warning[] }> {
  const { registry, run } = around;
  const faults = createFaults();
  checkTokens(draft.budgetTokens, faults);
  const given = await readCounted(draft.fragments, around, faults);
  const part = partOf(registry, "skeleton_compressor", draft.component, "unchanged");
  const outline = await askPart("skeleton_compressor", part, run.signal, (compressor) =>
    compressor.compress(given, draft.budgetTokens, run),
  );
  const fragments = await checkOutline(outline, given, part.name, run);
  const totalTokens = fragments.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
  const warning = skeletonWarning(totalTokens, draft.budgetTokens, part.name);
  return { fragments, totalTokens, warnings: warning === undefined ? [] : [warning] };
}

/** Reads fragments, throws every fault found so far and in them, and counts what is not counted. */
async function readCounted(
  drafts: readonly FragmentDraft[],
  { limits, run }: StageSurroundings,
  faults: ReturnType<typeof createFaults>,
): Promise<readonly Fragment[]> {
  checkFragmentCount(drafts.length, limits);
  const fragments = readFragments(drafts, "fragments", { limits, faults, now: run.now(), newId: () => run.newId() });
  faults.throwIfAny();
  const [counted] = await countFragments([fragments], run.counter, run.signal);
  return counted!;
}

function checked<T>(role: StageRole, name: string, answer: T, fault: string | undefined): T {
  if (fault !== undefined) throw componentFailure(role, name, fault);
  return answer;
}

function partOf<R extends StageRole>(registry: Registry, role: R, name: string, fallback: string) {
  const chosen = name === "" ? fallback : name;
  return { name: chosen, component: registry.component(role, chosen, {}) as StageContracts[R] };
}

function checkTokens(tokens: number, faults: ReturnType<typeof createFaults>): void {
  if (!Number.isInteger(tokens) || tokens < 0 || tokens > FRAGMENT_LIMITS.maxTokens) {
    faults.add("budget_tokens", `is ${tokens}; allowed are whole numbers from 0`);
  }
}
