/**
 * Solves a knapsack with caps without networks: prices for the budget and for every cap, a set to begin from, each block solved exactly
 * beside all others, and then, of all sets, those that lose little at the prices.
 */
import { EMPTY } from "../classes.js";
import type { Compiled } from "../compile.js";
import { type Effort, solve } from "../solve.js";
import type { Steps } from "./block-list.js";
import { deepen } from "./deepen.js";
import { Known } from "./known.js";
import { type Priced, priceOut } from "./priced.js";
import { PriceSearch } from "./prices.js";
import type { CappedProblem } from "./problem.js";
import { searchNear, searchWide } from "./search-open.js";
import { beginAt, idsOf, type Usage, usageOf } from "./selection.js";

export interface CappedSolution {
  /** The ids of what was taken, empty choices among them. */
  readonly picks: readonly number[];
  /** No set that breaks no cap has a greater value. */
  readonly bound: number;
  readonly steps: number;
}

/** The same with the value of what was taken. */
export interface ValuedSolution extends CappedSolution {
  readonly value: number;
}

/** The steps of a search for what is near where the request wants none, or no more; they are not counted. */
const QUICK_STEPS = 200_000;

/** The part of the steps for the search through the sets of blocks. */
const DEEPEN_SHARE = 1 / 2;

/** Prices, and what they are at their best; yields between parts of a few milliseconds. */
export function* findPrices(problem: CappedProblem): Generator<void, { priced: Priced; isFree: boolean }> {
  yield;
  const search = yield* PriceSearch.open(problem);
  yield;
  const first = yield* search.find();
  yield;
  const prices = yield* search.tighten(first);
  yield;
  return { priced: yield* priceOut(problem, prices), isFree: first.caps.every((price) => price === 0) };
}

/** Solves, beside the whole problem as it would be without caps, where that is known; yields between parts of a few milliseconds. */
export function* solveClasses(
  problem: CappedProblem,
  whole: Pick<Compiled, "problem"> | undefined,
  effort: Effort,
): Generator<void, ValuedSolution> {
  const { priced, isFree } = yield* findPrices(problem);
  let bound = Number.POSITIVE_INFINITY;
  let spent = 0;
  if (whole !== undefined && isFree) {
    const free = yield* solve({ ...whole.problem, capacity: problem.capacity }, effort);
    if (breaksNothing(free.picks, problem)) return free;
    bound = free.bound;
    spent = free.steps;
  }
  const near = yield* approach(problem, priced, effort);
  spent += near.steps;
  const { known } = near;
  known.lower(bound);
  if (effort.steps > 0) {
    const left: Steps = { left: Math.max(0, effort.steps - spent), isLate: effort.isLate };
    spent += yield* decide(known, left);
  }
  return { picks: idsOf(problem, known.selection), value: known.usage.value, bound: known.bound, steps: spent };
}

/** A set to begin from, and better ones that are not far. */
export function* approach(
  problem: CappedProblem,
  priced: Priced,
  effort: Effort,
): Generator<void, { known: Known; steps: number }> {
  yield;
  const selection = yield* beginAt(problem, priced);
  yield;
  const known = new Known(problem, priced, selection);
  const isQuick = effort.steps <= QUICK_STEPS;
  const left: Steps = isQuick ? { left: QUICK_STEPS } : { left: effort.steps, isLate: effort.isLate };
  const before = left.left;
  yield;
  yield* searchNear(known, isQuick, left);
  return { known, steps: isQuick ? 0 : before - left.left };
}

/** Proves, as far as the steps allow, that a set is the best, or finds a better one; answers the steps taken. */
function* decide(known: Known, steps: Steps): Generator<void, number> {
  const { problem, priced } = known;
  const before = steps.left;
  yield;
  if (problem.mixed.length === 0) {
    const own: Steps = { left: Math.floor(before * DEEPEN_SHARE), isLate: steps.isLate };
    const found = yield* deepen(problem, priced, { value: known.usage.value, steps: own });
    steps.left -= Math.floor(before * DEEPEN_SHARE) - Math.max(0, own.left);
    if (found.selection !== undefined && (found.isBest || isBetter(usageOf(problem, found.selection), known.usage))) {
      known.take(found.selection);
    }
    known.lower(found.bound);
    known.isFirst = found.isBest;
  }
  if (!known.isFirst) yield* searchWide(known, steps);
  return before - Math.max(0, steps.left);
}

function isBetter(a: Usage, b: Usage): boolean {
  return a.value > b.value || (a.value === b.value && a.tokens < b.tokens);
}

function breaksNothing(picks: readonly number[], { rooms, demandOf }: CappedProblem): boolean {
  const taken = new Float64Array(rooms.length);
  for (const id of picks) {
    if (id === EMPTY) continue;
    demandOf(id).forEach((amount, cap) => {
      taken[cap]! += amount;
    });
  }
  return taken.every((amount, cap) => amount <= rooms[cap]!);
}
