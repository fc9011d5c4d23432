/** Networks beside caps: a bound on all sets, and sets of the networks that are the best at some prices of the caps. */
import { type Classes, createClassBuilder } from "../classes.js";
import type { Network } from "../network.js";
import { greatestOf } from "../relax.js";
import { type Effort, type Problem, solve } from "../solve.js";
import type { NetworkSets } from "./network-sets.js";
import { PriceSearch, type Prices } from "./prices.js";
import type { CappedProblem, MixedClass } from "./problem.js";

/** What is known about networks beside caps. */
export interface Settled {
  /** No set has a greater value; in parts of the values' own numbers. */
  readonly bound: number;
  /** The best prices of the caps that were tried, times a scale, and what all of the caps costs at them. */
  readonly best: { readonly caps: Float64Array; readonly charge: number; readonly scale: number };
  /** Prices at which the turns of networks would be priced well if nothing tied them. */
  readonly loose: Prices;
}

/** How often the problem is solved at prices of the caps: the first are good ones, then each follows the slope of the bound. */
const ROUNDS = 6;

/** Ties of webs in all rounds, which are fewer where webs are large: to price their needs anew takes the most time of all. */
const MOST_TIES = 12_000;

/** A set of this part of the bound is hoped for, where the length of a step depends on one (Polyak). */
const HOPED_SHARE = 0.997;

/** So many classes are charged between two turns of others. */
const CLASSES_PER_SLICE = 1_000;

/** Values and prices stay so small that their sums are exact in a double. */
const GREATEST_SUM = 2 ** 49;

/** Finds the lowest bound on all sets of the problem; where sets of the networks are asked for, adds those that are the best on the way. */
export function* settleNetworks(problem: CappedProblem, sets?: NetworkSets): Generator<void, Settled> {
  const search = yield* PriceSearch.open({ ...problem, mixed: [...problem.mixed, ...looseClasses(problem)] });
  const loose = yield* search.tighten(yield* search.find());
  yield;
  const { networks, rooms } = problem;
  const sum = greatestOf(networks) + greatestOfClasses(problem);
  const scale = 2 ** Math.max(0, Math.floor(Math.log2(GREATEST_SUM / (sum + 1))));
  let bound = Number.POSITIVE_INFINITY;
  let next = loose.caps.map((price) => price * scale);
  let best = { caps: next, charge: 0, scale };
  const ties = networks.reduce((total, { web }) => total + (web?.ties.length ?? 0), 0);
  const rounds = Math.max(1, Math.min(ROUNDS, Math.floor(MOST_TIES / Math.max(1, ties))));
  for (let round = 0; round < rounds; round++) {
    const caps = next.map(Math.round);
    const charge = caps.reduce((total, price, cap) => total + price * rooms[cap]!, 0);
    if (charge > GREATEST_SUM) break;
    const reduced = yield* reduce(problem, caps, scale);
    yield;
    const solution = yield* solve(reduced, { steps: 0 });
    yield;
    const reached = (solution.bound + charge) / scale;
    const picks = solution.picks.slice(reduced.classes.count);
    if (sets !== undefined) yield* addPicks(sets, networks, picks, reached < bound);
    yield;
    if (reached < bound) best = { caps, charge, scale };
    bound = Math.min(bound, reached);
    const slopes = rooms.slice();
    for (const id of solution.picks) {
      const demand = problem.demandOf(id);
      for (let cap = 0; cap < slopes.length; cap++) slopes[cap]! -= demand[cap]!;
    }
    slopes.forEach((slope, cap) => {
      if (caps[cap] === 0 && slope > 0) slopes[cap] = 0;
    });
    const length = slopes.reduce((total, slope) => total + slope * slope, 0);
    if (length === 0) break;
    const stride = ((reached - bound * HOPED_SHARE) * scale) / length;
    next = caps.map((price, cap) => Math.max(0, price - stride * slopes[cap]!));
  }
  return { bound, best, loose };
}

/** Lowers the bound at the best prices: there every set that fits the budget counts. */
export function* lowerBound(
  problem: CappedProblem,
  { bound, best: { caps, charge, scale } }: Settled,
  effort: Effort,
): Generator<void, { readonly bound: number; readonly steps: number }> {
  if (bound === Number.POSITIVE_INFINITY) return { bound, steps: 0 };
  const last = yield* solve(yield* reduce(problem, caps, scale), effort);
  return { bound: Math.min(bound, (last.bound + charge) / scale), steps: last.steps };
}

/** Adds the set of each network; with `isNear` what is a step away too. */
function* addPicks(
  sets: NetworkSets,
  networks: readonly Network[],
  picks: readonly number[],
  isNear: boolean,
): Generator<void, void> {
  let first = 0;
  for (const [number, { turns }] of networks.entries()) {
    const options = Int32Array.from(turns, ({ ids }, turn) => ids.indexOf(picks[first + turn]!));
    first += turns.length;
    sets.add(number, options);
    if (isNear) yield* sets.addNeighbours(number, options);
  }
}

/** The turns of networks as classes that nothing ties: enough to find prices. */
function looseClasses({ networks, demandOf }: CappedProblem): MixedClass[] {
  return networks.flatMap(({ turns }) =>
    turns.map(({ tokens, values, ids }) => ({
      place: 0,
      tokens: Float64Array.from(tokens),
      values: Float64Array.from(values),
      ids: Int32Array.from(ids),
      demands: ids.map(demandOf),
    })),
  );
}

function greatestOfClasses({ blocks, mixed }: CappedProblem): number {
  let sum = 0;
  for (const { classes } of blocks)
    for (let c = 0; c < classes.count; c++) sum += classes.values[classes.starts[c + 1]! - 1]!;
  for (const { values } of mixed) sum += values.reduce((a, b) => Math.max(a, b), 0);
  return sum;
}

/** The problem without caps in which every choice is charged for what it takes of them. */
function* reduce(
  { blocks, mixed, networks, order, capacity, demandOf }: CappedProblem,
  caps: Float64Array,
  scale: number,
): Generator<void, Problem> {
  const builder = createClassBuilder(1_024, (id, than) => order.firstDifference(id, than).firstHolds);
  const places: (() => number)[] = [];
  for (const block of blocks) {
    const price = block.caps.reduce((sum, cap) => sum + caps[cap]!, 0);
    const { count, starts, tokens, values, ids }: Classes = block.classes;
    for (let c = 0; c < count; c++) {
      for (let i = starts[c]!; i < starts[c + 1]!; i++) {
        builder.add(tokens[i]!, values[i]! * scale - price * tokens[i]!, ids[i]!);
      }
      builder.close();
      places.push(() => block.order.placeOf(c));
      if (c % CLASSES_PER_SLICE === CLASSES_PER_SLICE - 1) yield;
    }
  }
  for (const { tokens, values, ids, demands, place } of mixed) {
    ids.forEach((id, i) => {
      builder.add(tokens[i]!, values[i]! * scale - charged(demands[i]!, caps), id);
    });
    builder.close();
    places.push(() => place);
    if (places.length % CLASSES_PER_SLICE === CLASSES_PER_SLICE - 1) yield;
  }
  yield;
  const charge = (network: Network): Network => ({
    ...network,
    turns: network.turns.map((turn) => ({
      ...turn,
      values: Array.from(turn.values, (value, option) => value * scale - charged(demandOf(turn.ids[option]!), caps)),
    })),
  });
  return {
    classes: builder.build(),
    networks: networks.map(charge),
    capacity,
    order: { ...order, placeOf: (c: number) => places[c]!() },
  };
}

function charged(demand: Float64Array, caps: Float64Array): number {
  let sum = 0;
  for (let cap = 0; cap < caps.length; cap++) sum += demand[cap]! * caps[cap]!;
  return sum;
}
