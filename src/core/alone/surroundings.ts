import { countFragments } from "../model/count-fragments.js";
import type { Faults } from "../model/faults.js";
import { FRAGMENT_LIMITS, type Fragment, type FragmentDraft } from "../model/fragment.js";
import type { FragmentList } from "../model/place.js";
import { checkFragmentCount, type RequestLimits, readFragmentsInSlices } from "../model/request.js";
import type { Part, Registry } from "../registry.js";
import type { Run } from "../run.js";
import { runInSlices } from "../run-in-slices.js";
import type { StageRole } from "../stages.js";

/** What a single stage works with. */
export interface StageSurroundings {
  readonly registry: Registry;
  readonly limits: RequestLimits;
  readonly run: Run;
}

/** Reads fragments, throws every fault found so far and in them, and counts what is not counted. */
export async function readCounted(
  drafts: readonly FragmentDraft[],
  { limits, run }: StageSurroundings,
  faults: Faults,
  list: FragmentList = { name: "fragments" },
): Promise<readonly Fragment[]> {
  checkFragmentCount(drafts.length, limits);
  const surroundings = { limits, faults, now: run.now(), newId: () => run.newId() };
  const fragments = await runInSlices(readFragmentsInSlices(drafts, list, surroundings), run);
  faults.throwIfAny();
  const [counted] = await countFragments([fragments], run.counter, run.signal);
  return counted!;
}

/** The component of a name, or the stage's default. */
export function partOf<R extends StageRole>(registry: Registry, role: R, name: string, fallback: string): Part<R> {
  const chosen = name === "" ? fallback : name;
  return registry.part(role, chosen, {});
}

/** Checks a number of tokens. */
export function checkTokens(tokens: number, faults: Faults): void {
  if (!Number.isInteger(tokens) || tokens < 0 || tokens > FRAGMENT_LIMITS.maxTokens) {
    faults.add("budget_tokens", `is ${tokens}; allowed are whole numbers from 0`);
  }
}
