/** Packers for value from end to end: read, compile, solve, book, explain, report. */
import type { PackingReport } from "../../../model/payload.js";
import type { MaybePromise, Run } from "../../../run.js";
import type { Packing, PackingInput } from "../../packing.js";
import { explainDrops } from "../explain-drops.js";
import type { Ledger } from "../fill.js";
import { type Compiled, compile } from "./compile.js";
import { book } from "./outcome.js";
import { type Objective, type Pool, readPool } from "./pool.js";
import { type Effort, type Solution, solve } from "./solve.js";

export interface ValuePacking {
  readonly packer: string;
  readonly objective: Objective;
  readonly effort: Effort;
}

/** Packs for value, with turns for other calls in between. */
export function packForValue(input: PackingInput, how: ValuePacking, run: Run): MaybePromise<Packing> {
  return runInSlices(pack(input, how), run);
}

function* pack(input: PackingInput, { packer, objective, effort }: ValuePacking): Generator<void, Packing> {
  const pool = readPool(input, objective);
  yield;
  const compiled = yield* compile(pool);
  yield;
  const solution = yield* solve({ ...compiled.problem, capacity: input.tokens }, effort);
  yield;
  const ledger = book(pool, compiled, solution, input.tokens);
  yield;
  const plenty = yield* packPlenty(pool, compiled);
  yield;
  const unreachable = explainDrops(input, ledger, () => plenty ?? ledger);
  for (const [fragment, reason] of pool.below) {
    if (ledger.chosenBy[fragment.inputIndex] === 0) unreachable.set(fragment, reason);
  }
  return {
    chosenBy: ledger.chosenBy,
    required: ledger.required,
    unreachable,
    report: reportOf({ pool, compiled, solution }, ledger, packer),
  };
}

/** The packing at a plentiful budget; nothing where every fragment would be in it. */
function* packPlenty(pool: Pool, compiled: Compiled): Generator<void, Ledger | undefined> {
  const { links, variants, alternatives } = pool.input;
  if (!links.any && variants.members.length === 0 && alternatives === undefined) return undefined;
  const capacity = Number.MAX_SAFE_INTEGER;
  const solution = yield* solve({ ...compiled.problem, capacity }, { steps: 0 });
  return book(pool, compiled, solution, capacity);
}

interface Solved {
  readonly pool: Pool;
  readonly compiled: Compiled;
  readonly solution: Solution;
}

function reportOf({ pool, compiled, solution }: Solved, { chosenBy }: Ledger, packer: string): PackingReport {
  const { worths, input } = pool;
  const value = worths.sumOf(chosenBy);
  const pinned = new Uint8Array(chosenBy.length);
  for (const { inputIndex } of input.committed) pinned[inputIndex] = 1;
  const isExact = worths.rounding === 0;
  const rounding = worths.rounding * (isExact ? 0 : compiled.problem.classes.count);
  const bound = worths.sumOf(pinned) + worths.fromWhole(solution.bound + rounding);
  const upperBound = solution.isProven && isExact ? value : Math.max(value, bound);
  return {
    value,
    upperBound,
    gap: upperBound === 0 ? 0 : (upperBound - value) / upperBound,
    provenOptimal: solution.isProven,
    packer,
    steps: Math.min(solution.steps, 2 ** 31 - 1),
  };
}

/** Runs a search to its end; it breathes wherever the search yields. */
function runInSlices<T>(slices: Generator<void, T>, run: Run): MaybePromise<T> {
  for (let slice = slices.next(); ; slice = slices.next()) {
    if (slice.done) return slice.value;
    const pause = run.breathe();
    if (pause !== undefined) return pause.then(() => runInSlices(slices, run));
  }
}
