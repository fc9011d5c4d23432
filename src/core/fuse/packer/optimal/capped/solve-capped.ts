/** Solves a knapsack with caps, beside networks or without. */
import type { Compiled } from "../compile.js";
import type { Effort } from "../solve.js";
import type { CappedProblem } from "./problem.js";
import { settleNetworks } from "./settle-networks.js";
import { solveBesideNetworks } from "./solve-beside-networks.js";
import { type CappedSolution, findPrices, solveClasses } from "./solve-classes.js";

/** Solves; yields between parts of a few milliseconds. */
export function* solveCapped(
  problem: CappedProblem,
  compiled: Pick<Compiled, "problem">,
  effort: Effort,
): Generator<void, CappedSolution> {
  if (problem.networks.length === 0) return yield* solveClasses(problem, compiled, effort);
  return yield* solveBesideNetworks(problem, effort);
}

/** The bound at the prices alone, in the values' own numbers; yields between parts of a few milliseconds. */
export function* boundOnCapped(problem: CappedProblem): Generator<void, number> {
  if (problem.networks.length > 0) return Math.floor((yield* settleNetworks(problem)).bound);
  const { priced } = yield* findPrices(problem);
  return Math.floor(priced.bound / priced.scale);
}
