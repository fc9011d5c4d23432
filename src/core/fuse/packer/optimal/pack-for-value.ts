/** Packers for value from end to end: read, compile, solve, book, explain, report. */
import type { MaybePromise, Run } from "../../../run.js";
import { runInSlices, type Slices } from "../../../run-in-slices.js";
import { wasCut } from "../../closure-walk.js";
import type { Packing, PackingInput } from "../../packing.js";
import { explainDrops } from "../explain-drops.js";
import { type Ledger, openLedger } from "../fill.js";
import { fillFloors, withFloors } from "../floors.js";
import { readCaps } from "./capped/caps.js";
import { choicesOf } from "./compile.js";
import { book } from "./outcome.js";
import { type Objective, type Pool, readPool } from "./pool.js";
import { reportOn } from "./report.js";
import { type Repacked, valueShortfalls } from "./shortfalls.js";
import { openTask, solveTask, type Task } from "./task.js";

export interface ValuePacking {
  readonly packer: string;
  readonly objective: Objective;
  /** The most partial sets that the exact search looks at; 0: none, the answer is the relaxation's. */
  readonly steps: number;
  /** Milliseconds from the start after which the exact search ends as well. Absent: none. */
  readonly timeLimitMs?: number | undefined;
}

/** Packs for value, with turns for other calls in between. */
export function packForValue(input: PackingInput, how: ValuePacking, run: Run): MaybePromise<Packing> {
  return runInSlices(pack(input, how, timerOf(how, run)), run);
}

/** Notes when the time is over; it is asked by the exact search alone, so only a search that it ended can be late. */
interface Timer {
  isOver: boolean;
  readonly isLate?: () => boolean;
}

function timerOf({ timeLimitMs }: ValuePacking, run: Run): Timer {
  if (timeLimitMs === undefined) return { isOver: false };
  const end = run.elapsedMs() + timeLimitMs;
  const timer = {
    isOver: false,
    isLate: () => {
      timer.isOver = run.elapsedMs() >= end;
      return timer.isOver;
    },
  };
  return timer;
}

function* pack(given: PackingInput, how: ValuePacking, timer: Timer): Slices<Packing> {
  const { packer, objective, steps } = how;
  const floors = yield* fillFloorsFirst(given, objective);
  const input = floors === undefined ? given : withFloors(given, floors);
  const pool = readPool(input, objective);
  yield;
  const task = yield* openTask(pool);
  const { compiled } = task;
  yield;
  const solution = yield* solveTask(task, input.tokens, { steps, ...(timer.isLate && { isLate: timer.isLate }) });
  yield;
  const ledger = yield* book(pool, compiled, solution, input.tokens);
  yield;
  const unreachable = yield* explainDrops(input, ledger, packPlenty(pool, task), pool.below);
  yield;
  if (floors !== undefined) mergeFloors(ledger, floors, given);
  const known = { bound: solution.bound, steps: solution.steps, choices: choicesOf(compiled) };
  const report = reportOn(pool, ledger.chosenBy, known, packer);
  // A search that does not come to its end, or whose end a clock decides, is not worth another.
  const isSure = steps === 0 || (report.provenOptimal && timer.isLate === undefined);
  function* repack(tokens: number, most: number): Slices<Repacked> {
    const limit = Math.min(steps, most);
    const again = yield* solveTask(task, tokens, { steps: limit });
    const { chosenBy } = yield* book(pool, compiled, again, tokens);
    // A search that the limit ended is not the best set, nor what another budget's would be.
    return { chosenBy, steps: limit > 0 && again.steps >= limit ? Number.POSITIVE_INFINITY : again.steps };
  }
  return {
    chosenBy: ledger.chosenBy,
    required: ledger.required,
    unreachable,
    isCut: wasCut(ledger.steps),
    isLate: timer.isOver,
    report,
    shortfalls: () =>
      valueShortfalls({
        pool,
        compiled,
        ledger,
        unreachable,
        isBest: steps > 0,
        repack: isSure && given.sections === undefined ? repack : undefined,
      }),
  };
}

/** The books after the floors, which no packer takes back; nothing where there are no floors. */
function* fillFloorsFirst(input: PackingInput, objective: Objective): Slices<Ledger | undefined> {
  if (!input.sections?.list.some(({ floorTokens }) => floorTokens > 0)) return undefined;
  const { below } = readPool(input, objective);
  const ledger = openLedger(input);
  ledger.tokens = input.tokens;
  yield* fillFloors(ledger, (fragment) => below.has(fragment));
  return ledger;
}

/**
 * What fills a floor counts as committed, but it is a strategy's choice as ever: in the books it is that of the strategy whose turn brought
 * it, though it may not have nominated it.
 */
function mergeFloors({ chosenBy, required }: Ledger, floors: Ledger, { committed, fragments }: PackingInput): void {
  for (let i = 0; i < chosenBy.length; i++) {
    if (floors.chosenBy[i] !== 0 && !committed.has(fragments[i]!)) chosenBy[i] = floors.chosenBy[i]!;
  }
  for (const [fragment, by] of floors.required) required.set(fragment, by);
}

/** The packing at a plentiful budget. */
function* packPlenty(pool: Pool, task: Task): Slices<Ledger> {
  const capacity = Number.MAX_SAFE_INTEGER;
  const plenty = { ...pool, input: { ...pool.input, sections: pool.input.sections?.atPlenty } };
  const solution = yield* solveTask({ ...task, caps: readCaps(plenty) }, capacity, { steps: 0 });
  return yield* book(plenty, task.compiled, solution, capacity);
}
