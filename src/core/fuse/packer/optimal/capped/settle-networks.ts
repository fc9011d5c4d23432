/**
 * Networks beside caps. What a network takes of each cap follows from its set, and its sets are too many to be listed with that; so each
 * network is given its best set at the prices of the caps, and the rest is then solved beside it.
 */
import { type Classes, createClassBuilder } from "../classes.js";
import type { Network } from "../network.js";
import { greatestOf } from "../relax.js";
import { solve } from "../solve.js";
import { PriceSearch, type Prices } from "./prices.js";
import type { CappedProblem, MixedClass } from "./problem.js";

/** What the networks take, and a bound on all sets. */
export interface Settled {
  readonly ids: readonly number[];
  /** The same problem beside them, without networks. */
  readonly rest: CappedProblem;
  readonly value: number;
  readonly bound: number;
}

/** Factors of the prices at which the problem is solved, for its bound and for sets of the networks; the best are kept. */
const FACTORS = [1, 0.8, 1.25, 1.6, 2.5, 0];

/** Values and prices stay so small that their sums are exact in a double. */
const GREATEST_SUM = 2 ** 49;

export function* settleNetworks(problem: CappedProblem): Generator<void, Settled> {
  const prices = yield* new PriceSearch({ ...problem, mixed: [...problem.mixed, ...looseClasses(problem)] }).find();
  yield;
  const sum = greatestOf(problem.networks) + greatestOfClasses(problem);
  const scale = 2 ** Math.max(0, Math.floor(Math.log2(GREATEST_SUM / (sum + 1))));
  let bound = Number.POSITIVE_INFINITY;
  let best: Settled | undefined;
  let most = Number.NEGATIVE_INFINITY;
  for (const factor of FACTORS) {
    const caps = prices.caps.map((price) => Math.round(price * factor * scale));
    const charge = caps.reduce((total, price, cap) => total + price * problem.rooms[cap]!, 0);
    if (charge > GREATEST_SUM) continue;
    const reduced = reduce(problem, caps, scale);
    const solution = yield* solve(reduced, { steps: 0 });
    yield;
    bound = Math.min(bound, Math.floor((solution.bound + charge) / scale));
    const settled = takeNetworks(problem, solution.picks.slice(reduced.classes.count));
    // What the rest would reach beside them is not known yet; at the first prices it is about what these are for.
    const worth = settled.value - worthOfTokens(settled, problem, prices);
    if (worth <= most) continue;
    most = worth;
    best = settled;
  }
  return { ...best!, bound };
}

function worthOfTokens({ rest }: Settled, { capacity, rooms }: CappedProblem, { token, caps }: Prices): number {
  return caps.reduce(
    (sum, price, cap) => sum + price * (rooms[cap]! - rest.rooms[cap]!),
    token * (capacity - rest.capacity),
  );
}

/** The turns of networks as classes that nothing ties: enough to find prices. */
function looseClasses({ networks, demandOf, order }: CappedProblem): MixedClass[] {
  return networks.flatMap(({ turns }) =>
    turns.map(({ tokens, values, ids }) => ({
      place: order.placeOf(0),
      tokens,
      values,
      ids,
      demands: Array.from(ids, demandOf),
      blocks: new Int32Array(ids.length).fill(-1),
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
function reduce(
  { blocks, mixed, networks, order, capacity, demandOf }: CappedProblem,
  caps: Float64Array,
  scale: number,
) {
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
    }
  }
  for (const { tokens, values, ids, demands, place } of mixed) {
    ids.forEach((id, i) => {
      builder.add(tokens[i]!, values[i]! * scale - charged(demands[i]!, caps), id);
    });
    builder.close();
    places.push(() => place);
  }
  const charge = (network: Network): Network => ({
    ...network,
    turns: network.turns.map((turn) => ({
      ...turn,
      values: turn.values.map((value, option) => value * scale - charged(demandOf(turn.ids[option]!), caps)),
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

/** Takes the sets of the networks, one after the other, as far as budget and caps allow. */
function takeNetworks(problem: CappedProblem, picks: readonly number[]): Settled {
  const { networks, demandOf } = problem;
  const rooms = problem.rooms.slice();
  const taken: number[] = [];
  let { capacity } = problem;
  let value = 0;
  let first = 0;
  for (const { turns } of networks) {
    const ids = picks.slice(first, first + turns.length);
    first += turns.length;
    const demand = new Float64Array(rooms.length);
    let tokens = 0;
    let worth = 0;
    ids.forEach((id, at) => {
      const { ids: options, tokens: prices, values } = turns[at]!;
      const option = options.indexOf(id);
      tokens += prices[option]!;
      worth += values[option]!;
      demandOf(id).forEach((amount, cap) => {
        demand[cap]! += amount;
      });
    });
    if (tokens > capacity || demand.some((amount, cap) => amount > rooms[cap]!)) continue;
    taken.push(...ids);
    capacity -= tokens;
    value += worth;
    demand.forEach((amount, cap) => {
      rooms[cap]! -= amount;
    });
  }
  return { ids: taken, value, bound: Number.POSITIVE_INFINITY, rest: { ...problem, networks: [], capacity, rooms } };
}
