/**
 * Solves a knapsack with caps: prices for the budget and for every cap, a set to begin from, each block solved exactly beside all others,
 * and then, of all sets, those that lose little at the prices.
 */
import { EMPTY } from "../classes.js";
import type { Compiled } from "../compile.js";
import { type Effort, solve } from "../solve.js";
import type { Steps } from "./block-list.js";
import { deepen } from "./deepen.js";
import { improve } from "./improve.js";
import { type Priced, priceOut } from "./priced.js";
import { PriceSearch, type Prices } from "./prices.js";
import type { CappedProblem } from "./problem.js";
import { beginAt, idsOf, type Selection, type Usage, usageOf } from "./selection.js";
import { type Settled, settleNetworks } from "./settle-networks.js";

export interface CappedSolution {
  /** The ids of what was taken, empty choices among them. */
  readonly picks: readonly number[];
  /** No set that breaks no cap has a greater value. */
  readonly bound: number;
  readonly steps: number;
}

/** The part of the steps that the blocks may take each time that they are solved. */
const BLOCK_SHARE = 1 / 40;

/** How often a set is built anew at better prices, and by what part they must have closed the gap for that. */
const MOST_ROUNDS = 5;
const WORTH_A_ROUND = 0.01;

/** Where no set is known, prices are polished as if there were one of so much of the bound. */
const HOPED_SHARE = 0.999;

/** Solves; yields between parts of a few milliseconds. */
export function* solveCapped(
  problem: CappedProblem,
  compiled: Pick<Compiled, "problem">,
  effort: Effort,
): Generator<void, CappedSolution> {
  const { networks } = problem;
  if (networks.length === 0) return yield* solveClasses(problem, compiled, effort);
  const { candidates, bound } = yield* settleNetworks(problem);
  let best: Settled = { ids: [], rest: { ...problem, networks: [] }, value: 0 };
  let most = Number.NEGATIVE_INFINITY;
  let steps = 0;
  for (const settled of candidates) {
    const { rest, value } = settled;
    const search = new PriceSearch(rest);
    const approach = yield* approachBest(rest, search, { prices: yield* search.find(), effort: { steps: 0 } });
    steps += approach.steps;
    if (value + approach.usage.value <= most) continue;
    most = value + approach.usage.value;
    best = settled;
  }
  const beside = yield* solveClasses(best.rest, undefined, effort);
  return { picks: [...best.ids, ...beside.picks], bound, steps: effort.steps === 0 ? steps : beside.steps };
}

/** The bound at the prices alone, in the values' own numbers; yields between parts of a few milliseconds. */
export function* boundOnCapped(problem: CappedProblem): Generator<void, number> {
  if (problem.networks.length > 0) return (yield* settleNetworks(problem)).bound;
  const search = new PriceSearch(problem);
  const prices = yield* search.find();
  const first = priceOut(problem, prices);
  const polished = yield* search.polish(prices, (first.bound / first.scale) * HOPED_SHARE);
  return Math.floor(Math.min(first.bound / first.scale, boundAt(problem, polished)));
}

function boundAt(problem: CappedProblem, prices: Prices): number {
  const { bound, scale } = priceOut(problem, prices);
  return bound / scale;
}

function* solveClasses(
  problem: CappedProblem,
  whole: Pick<Compiled, "problem"> | undefined,
  effort: Effort,
): Generator<void, CappedSolution> {
  const search = new PriceSearch(problem);
  yield;
  const prices = yield* search.find();
  yield;
  let bound = Number.POSITIVE_INFINITY;
  let spent = 0;
  if (whole !== undefined && prices.caps.every((price) => price === 0)) {
    const free = yield* solve({ ...whole.problem, capacity: problem.capacity }, effort);
    if (breaksNothing(free.picks, problem)) return free;
    bound = free.bound;
    spent = free.steps;
  }
  const approach = yield* approachBest(problem, search, { prices, effort });
  const { usage, priced } = approach;
  bound = Math.min(bound, Math.floor(priced.bound / priced.scale));
  spent += approach.steps;
  let best = approach.selection;
  if (effort.steps > 0) {
    const left: Steps = { left: Math.max(0, effort.steps - spent), isLate: effort.isLate };
    const before = left.left;
    yield;
    const found = yield* deepen(problem, priced, { value: usage.value, steps: left });
    if (found.selection !== undefined && (found.isBest || isBetter(usageOf(problem, found.selection), usage))) {
      best = found.selection;
    }
    bound = Math.min(bound, found.bound);
    spent += before - Math.max(0, left.left);
  }
  return { picks: idsOf(problem, best), bound, steps: spent };
}

interface Approach {
  readonly selection: Selection;
  readonly usage: Usage;
  /** The prices of the lowest bound. */
  readonly priced: Priced;
  readonly steps: number;
}

/**
 * Builds a set at the prices and improves it, and with its value polishes the prices; while those come much nearer, once more. The best
 * set and the lowest bound are kept.
 */
function* approachBest(
  problem: CappedProblem,
  search: PriceSearch,
  { prices, effort }: { prices: Prices; effort: Effort },
): Generator<void, Approach> {
  const blockEffort = { ...effort, steps: Math.floor(effort.steps * BLOCK_SHARE) };
  let known = prices;
  let priced = priceOut(problem, known);
  let best: Omit<Approach, "priced" | "steps"> | undefined;
  let steps = 0;
  for (let round = 0; ; round++) {
    const selection = beginAt(problem, priced);
    yield;
    steps += yield* improve(problem, priced, { selection, effort: blockEffort });
    yield;
    const usage = usageOf(problem, selection);
    if (best === undefined || isBetter(usage, best.usage)) best = { selection, usage };
    const polished = yield* search.polish(known, best.usage.value);
    if (polished === known) break;
    yield;
    const lower = priceOut(problem, polished);
    const gap = priced.bound / priced.scale - best.usage.value;
    const gain = (priced.bound - lower.bound) / priced.scale;
    if (gain <= 0) break;
    known = polished;
    priced = lower;
    if (round === MOST_ROUNDS || gain < gap * WORTH_A_ROUND) break;
    yield;
  }
  return { ...best, priced, steps };
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
