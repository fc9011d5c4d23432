/**
 * The search from end to end: relax, fill, improve with short lists, reduce by what each choice loses at the price, and decide what is
 * left open exactly. Cost follows the number of choices, never the number of tokens.
 */
import { type Classes, commonDivisor, type TieOrder, withinCapacity } from "./classes.js";
import { type Core, coreOf, findOpen, isSettled, type Picked } from "./core.js";
import { countBound } from "./count-bound.js";
import { exchangePairs } from "./exchange.js";
import { fillUp } from "./fill-up.js";
import type { ListAnswer, ListLimits } from "./list-search.js";
import type { Network, Turn } from "./network.js";
import { NetworkRows } from "./network-rows.js";
import { greatestOf, greatestSum, type Knapsack, type Relaxed, relax } from "./relax.js";
import { searchLists } from "./search-lists.js";

export interface Problem {
  readonly classes: Classes;
  readonly networks: readonly Network[];
  readonly capacity: number;
  readonly order: TieOrder;
}

export interface Effort {
  /** The most partial sets that the exact search looks at; 0: none, the answer is the relaxation's. */
  readonly steps: number;
  /** True once the time for the exact search is over. Absent: never. */
  readonly isLate?: () => boolean;
}

export interface Solution {
  /** The ids of what was taken, empty choices among them. */
  readonly picks: readonly number[];
  /** No set has a greater value. In the values' own numbers, like the value. */
  readonly bound: number;
  readonly value: number;
  readonly tokens: number;
  /** True where no set has a greater value, or an equal one with fewer tokens. */
  readonly isProven: boolean;
  readonly steps: number;
}

/** The classes nearest to the price of which short lists make a first answer, and how many entries the lists have, at least and in all. */
const SHORT_LISTS = { classes: 256, width: 32, entries: 8_192, lists: 16 };

/** What short lists may cost in webs, in steps; and the least entries a level for which the exact search goes into webs. */
const MOST_WEB_STEPS = 200_000;
const MIN_WEB_WIDTH = 16;

/** The most entries of a list: 8 bytes each stay for as long as the search goes on. */
const MAX_WIDTH = 20_000;

/** What is spent on the order among equals, once no better set can be left. */
const TIE_STEPS = 100_000;

/** A share of the value that is not worth a long search: scores are not known so well. */
const GOOD_ENOUGH = 1e-9;

/** With more classes open than this, value follows tokens, and the bound by the number of choices is tried. */
const MANY_OPEN_CLASSES = 1_000;

/** Among more classes than this the order among equals is not sought: they all stand at the price, and the earliest of a size were taken. */
const MAX_TIED_CLASSES = 1_000;

/** Solves; yields between parts of a few milliseconds. */
export function* solve(problem: Problem, effort: Effort): Generator<void, Solution> {
  const all = takeAll(problem, effort);
  if (all !== undefined) return all;
  const { tokenUnit, valueUnit, ...knapsack } = normalise(problem);
  yield;
  const relaxed = yield* relax(knapsack, problem.order);
  yield;
  const work = new Work(relaxed, problem.order);
  if (relaxed.price > 0 || relaxed.networks.length > 0) yield* improve(work, effort);
  return {
    picks: idsOf(knapsack, work.best),
    value: work.best.value * valueUnit,
    tokens: work.best.tokens * tokenUnit,
    bound: work.bound * valueUnit,
    isProven: work.isProven,
    steps: work.steps,
  };
}

/**
 * The most valuable choice of every class and network, where all of them fit. Networks may have equals that stand earlier, so with steps to
 * spend they are left to the search; and so are webs.
 */
function takeAll({ classes, networks, capacity }: Problem, { steps }: Effort): Solution | undefined {
  if (networks.length > 0 && (steps > 0 || networks.some(({ web }) => web !== undefined))) return undefined;
  const picks = new Array<number>(classes.count);
  let tokens = 0;
  let value = 0;
  for (let c = 0; c < classes.count; c++) {
    const last = classes.starts[c + 1]! - 1;
    picks[c] = classes.ids[last]!;
    tokens += classes.tokens[last]!;
    value += classes.values[last]!;
  }
  if (tokens > capacity) return undefined;
  new NetworkRows(networks, capacity).at(0).forEach((best, i) => {
    tokens += best.tokens;
    value += best.value;
    for (let at = 0; at < best.options.length; at++) picks.push(networks[i]!.turns[at]!.ids[best.options[at]!]!);
  });
  return tokens > capacity ? undefined : { picks, tokens, value, bound: value, isProven: true, steps: 0 };
}

/** The bound of the relaxation alone, in the values' own numbers. */
export function* boundOn(problem: Problem): Generator<void, number> {
  const { valueUnit, ...knapsack } = normalise(problem);
  const { surplus, price, capacity } = yield* relax(knapsack, problem.order);
  return Math.floor(surplus + price * capacity) * valueUnit;
}

function* improve(work: Work, effort: Effort): Generator<void, void> {
  const { relaxed, order } = work;
  work.take(fillUp(relaxed, work.best, order));
  yield;
  if (!isSettled(relaxed, work.best)) yield* improveShortly(work);
  if (effort.steps === 0) return;
  yield;
  const open = findOpen(relaxed, work.best);
  if (isSettled(relaxed, work.best)) {
    work.bound = work.best.value;
    work.isProven = true;
    if (open.classes.length > MAX_TIED_CLASSES) return;
  }
  yield;
  if (open.classes.length > MANY_OPEN_CLASSES && !work.isProven) {
    work.bound = Math.min(work.bound, Math.floor(countBound(relaxed) + work.slop));
    work.isProven = work.bound <= work.best.value;
    if (work.bound <= work.best.value * (1 + GOOD_ENOUGH)) return;
    yield;
  }
  const mostWebSteps = effort.steps / MIN_WEB_WIDTH;
  const core = coreOf(open, relaxed, work.best, { order, most: open.classes.length, mostWebSteps });
  yield;
  const limits = {
    steps: effort.steps,
    ...(effort.isLate && { isLate: effort.isLate }),
    tieSteps: TIE_STEPS,
    goodEnough: work.best.value * GOOD_ENOUGH,
    width: MAX_WIDTH,
    totalWidth: Math.min(MAX_WIDTH * 2, Math.floor(effort.steps / stepsPerEntry(core))),
  };
  const answer = yield* work.search(core, limits, order);
  work.takeOptions(core, answer);
  if (!core.hasWebs) return;
  work.bound = Math.min(work.bound, Math.floor(answer.bound));
  work.isProven ||= work.bound <= work.best.value;
}

/** What one entry of every list costs in the levels of webs, which are cut to a width at which they come to their end. */
function stepsPerEntry({ levels }: Core): number {
  return levels.reduce(
    (sum, { network, tokens }) => sum + ((network?.weight ?? 0) > 1 ? network!.weight * tokens.length : 0),
    1,
  );
}

/** Short lists of the classes nearest to the price: no proof, but nearly always a set within a ten-thousandth of the best. */
function* improveShortly(work: Work): Generator<void, void> {
  const { relaxed, order, best } = work;
  const open = findOpen(relaxed, best);
  yield;
  const mostWebSteps = MOST_WEB_STEPS / SHORT_LISTS.lists;
  const near = coreOf(open, relaxed, best, { order, most: SHORT_LISTS.classes, mostWebSteps });
  const endless = Number.POSITIVE_INFINITY;
  const width = Math.max(SHORT_LISTS.width, Math.floor(SHORT_LISTS.entries / near.levels.length));
  const limits = {
    steps: endless,
    tieSteps: endless,
    goodEnough: -1,
    width,
    totalWidth: Math.min(width * SHORT_LISTS.lists, Math.floor(MOST_WEB_STEPS / stepsPerEntry(near))),
  };
  work.takeOptions(near, yield* work.search(near, limits, undefined));
  yield;
  work.take(fillUp(relaxed, work.best, order));
  if (isSettled(relaxed, work.best)) return;
  yield;
  work.take(exchangePairs(relaxed, work.best, near.classes));
}

/** The best set so far, and what is known about all others. */
class Work {
  best: Picked;
  bound: number;
  isProven: boolean;
  steps = 0;
  /** What bounds may lack for rounding. */
  readonly slop: number;

  constructor(
    readonly relaxed: Relaxed,
    readonly order: TieOrder,
  ) {
    const { baseline, networks, tokens, value, surplus, price, capacity } = relaxed;
    this.best = { picks: baseline, turns: networks.map(({ options }) => options), tokens, value };
    this.bound = Math.floor(surplus + price * capacity);
    this.isProven = price === 0 && this.bound <= value;
    this.slop = (greatestSum(relaxed.classes) + greatestOf(networks.map(({ network }) => network)) + 1) * 2 ** -48;
  }

  /** Takes a set that is better than the best so far. */
  take(found: Picked): void {
    const { tokens, value } = this.best;
    if (found.value > value || (found.value === value && found.tokens < tokens)) this.best = found;
  }

  *search(core: Core, limits: ListLimits, order: TieOrder | undefined): Generator<void, ListAnswer> {
    const { relaxed, best } = this;
    const { capacity, tokens, value } = relaxed;
    const search = { levels: core.levels, capacity, tokens, value, best, order, limits, slop: this.slop };
    const answer = yield* searchLists(search);
    this.steps += answer.steps;
    return answer;
  }

  /** Takes what a search found, which may be an equal that stands earlier. */
  takeOptions(core: Core, { options, tokens, value }: ListAnswer): void {
    if (options !== undefined) this.best = { ...core.pick(options), tokens, value };
  }
}

function idsOf({ classes, networks }: Knapsack, { picks, turns }: Picked): number[] {
  const ids = new Array<number>(picks.length);
  for (let at = 0; at < ids.length; at++) ids[at] = classes.ids[picks[at]!]!;
  for (let i = 0; i < networks.length; i++) {
    const own = networks[i]!.turns;
    for (let at = 0; at < own.length; at++) ids.push(own[at]!.ids[turns[i]![at]!]!);
  }
  return ids;
}

/** What a row of classes and the same rows of all turns have in common. */
function unitOf(
  ofClasses: Float64Array,
  networks: readonly Network[],
  rowOf: (turn: Turn) => ArrayLike<number>,
): number {
  let unit = commonDivisor([ofClasses]);
  for (const { turns } of networks) {
    for (let at = 0; at < turns.length && unit !== 1; at++) unit = commonDivisor([[unit], rowOf(turns[at]!)]);
  }
  return unit || 1;
}

/** Divides tokens and values by what all of them have in common: without it equal scores leave a gap that no search closes. */
function normalise(problem: Problem): Knapsack & { readonly tokenUnit: number; readonly valueUnit: number } {
  const { capacity, networks } = problem;
  const classes = withinCapacity(problem.classes, capacity);
  const tokenUnit = unitOf(classes.tokens, networks, ({ tokens }) => tokens);
  const valueUnit = unitOf(classes.values, networks, ({ values }) => values);
  return {
    classes: {
      ...classes,
      tokens: tokenUnit === 1 ? classes.tokens : classes.tokens.map((tokens) => tokens / tokenUnit),
      values: valueUnit === 1 ? classes.values : classes.values.map((value) => value / valueUnit),
    },
    networks:
      tokenUnit === 1 && valueUnit === 1
        ? networks
        : networks.map((network) => ({
            ...network,
            turns: network.turns.map((turn) => ({
              ...turn,
              tokens: turn.tokens.map((tokens) => tokens / tokenUnit),
              values: Array.from(turn.values, (value) => value / valueUnit),
            })),
          })),
    capacity: Math.floor(capacity / tokenUnit),
    tokenUnit,
    valueUnit,
  };
}
