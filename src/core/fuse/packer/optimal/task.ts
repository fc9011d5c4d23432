/** A pool made ready for the search, and the search that fits it: among tokens alone, or among the caps of sections too. */
import { type Caps, Choices, readCaps } from "./capped/caps.js";
import { cappedProblem } from "./capped/problem.js";
import { boundOnCapped, solveCapped } from "./capped/solve-capped.js";
import { type Compiled, compile } from "./compile.js";
import type { Pool } from "./pool.js";
import { boundOn, type Effort, type Solution, solve } from "./solve.js";

/** A pool that is compiled, and where caps may keep something out, they and all choices that there are. */
export interface Task {
  readonly compiled: Compiled;
  readonly caps: Caps | undefined;
  readonly choices: Choices | undefined;
}

/** Compiles a pool; yields between parts of a few milliseconds. */
export function* openTask(pool: Pool): Generator<void, Task> {
  const caps = readCaps(pool);
  const choices = caps && new Choices(caps.demandOf);
  return { compiled: yield* compile(pool, choices), caps, choices };
}

/** Solves for so many tokens; yields between parts of a few milliseconds. */
export function* solveTask(
  { compiled, caps, choices }: Task,
  capacity: number,
  effort: Effort,
): Generator<void, Pick<Solution, "picks" | "bound" | "steps">> {
  if (caps === undefined) return yield* solve({ ...compiled.problem, capacity }, effort);
  const problem = yield* cappedProblem({ compiled, choices: choices!, caps }, capacity);
  yield;
  return yield* solveCapped(problem, compiled, effort);
}

/** The bound of the relaxation alone, in the whole numbers of the worths; yields between parts of a few milliseconds. */
export function* boundOnTask({ compiled, caps, choices }: Task, capacity: number): Generator<void, number> {
  if (caps === undefined) return yield* boundOn({ ...compiled.problem, capacity });
  return yield* boundOnCapped(yield* cappedProblem({ compiled, choices: choices!, caps }, capacity));
}
