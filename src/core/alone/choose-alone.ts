/** The stages that choose, by themselves, with the same checks as in an assembly. */
import { askPart } from "../assembly.js";
import { sharesFault } from "../choose/allocate-budget.js";
import { candidatesFault, candidatesOf } from "../choose/select-strategies.js";
import { quote } from "../errors.js";
import type { Allocation, Candidate } from "../model/candidate.js";
import { createFaults } from "../model/faults.js";
import type { FragmentDraft } from "../model/fragment.js";
import { checkLength, MAX_QUERY_CHARACTERS } from "../model/request.js";
import { readConfidence, readStrategyName } from "../model/strategy-spec.js";
import { checkTokens, partOf, readCounted, type StageSurroundings } from "./surroundings.js";

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
  return askPart(
    "strategy_selector",
    part,
    run.signal,
    (selector) => selector.select(input, run),
    (answer) => candidatesFault(answer, strategies),
  );
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
  const seen = new Set<string>();
  draft.candidates.forEach(({ strategy, confidence }, i) => {
    readStrategyName(strategy, `candidates[${i}].strategy`, faults);
    readConfidence(confidence, `candidates[${i}].confidence`, faults);
    if (seen.has(strategy))
      faults.add(`candidates[${i}].strategy`, `is ${quote(strategy)} once more; each name may stand once`);
    seen.add(strategy);
  });
  faults.throwIfAny();
  const part = partOf(registry, "budget_allocator", draft.component, "proportional");
  return askPart(
    "budget_allocator",
    part,
    run.signal,
    (allocator) => allocator.allocate(draft.budgetTokens, draft.candidates, run),
    (answer) => sharesFault(answer, draft.candidates, draft.budgetTokens),
  );
}
