/**
 * Networks beside caps. What a network takes of each cap follows from its set, and its sets are too many to be listed with that; so each
 * network is given its best set at the prices of the caps, and the rest is then solved beside it.
 */
import { type Classes, createClassBuilder } from "../classes.js";
import type { Network } from "../network.js";
import { greatestOf } from "../relax.js";
import { solve } from "../solve.js";
import { PriceSearch } from "./prices.js";
import type { CappedProblem, MixedClass } from "./problem.js";
import { networkSet, shrinkToFit } from "./shrink-network.js";

/** What the networks take at some prices, and the same problem beside them, without networks. */
export interface Settled {
  readonly ids: readonly number[];
  readonly rest: CappedProblem;
  readonly value: number;
}

/** Factors of the prices of the caps at which the problem is solved, for its bound and for sets of the networks. */
const FACTORS = [1, 0.8, 1.25, 1.6, 0];

/** Values and prices stay so small that their sums are exact in a double. */
const GREATEST_SUM = 2 ** 49;

/** Finds sets of the networks, and the lowest bound on all sets of the problem. */
export function* settleNetworks(
  problem: CappedProblem,
): Generator<void, { candidates: readonly Settled[]; bound: number }> {
  const loose = { ...problem, mixed: [...problem.mixed, ...looseClasses(problem)] };
  const search = yield* PriceSearch.open(loose);
  const prices = yield* search.find();
  yield;
  const sum = greatestOf(problem.networks) + greatestOfClasses(problem);
  const scale = 2 ** Math.max(0, Math.floor(Math.log2(GREATEST_SUM / (sum + 1))));
  let bound = Number.POSITIVE_INFINITY;
  const candidates = new Map<string, Settled>();
  for (const factor of FACTORS) {
    const caps = prices.caps.map((price) => Math.round(price * factor * scale));
    const charge = caps.reduce((total, price, cap) => total + price * problem.rooms[cap]!, 0);
    if (charge > GREATEST_SUM) continue;
    const reduced = reduce(problem, caps, scale);
    const solution = yield* solve(reduced, { steps: 0 });
    yield;
    bound = Math.min(bound, Math.floor((solution.bound + charge) / scale));
    const settled = takeNetworks(problem, solution.picks.slice(reduced.classes.count));
    candidates.set(settled.ids.join(), settled);
    yield;
  }
  return { candidates: [...candidates.values()], bound };
}

/** The turns of networks as classes that nothing ties: enough to find prices. */
function looseClasses({ networks, demandOf, order }: CappedProblem): MixedClass[] {
  return networks.flatMap(({ turns }) =>
    turns.map(({ tokens, values, ids }) => ({
      place: order.placeOf(0),
      tokens: Float64Array.from(tokens),
      values: Float64Array.from(values),
      ids: Int32Array.from(ids),
      demands: ids.map(demandOf),
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

/** Takes the sets of the networks, one after the other, each shrunk to what budget and caps still allow. */
function takeNetworks(problem: CappedProblem, picks: readonly number[]): Settled {
  const taken: number[] = [];
  let rest = problem;
  let value = 0;
  let first = 0;
  for (const network of problem.networks) {
    const { turns } = network;
    const options = Int32Array.from(turns, ({ ids }, turn) => ids.indexOf(picks[first + turn]!));
    first += turns.length;
    const set = shrinkToFit(network, networkSet(network, options, rest), rest);
    if (set === undefined) continue;
    turns.forEach(({ ids }, turn) => {
      taken.push(ids[set.options[turn]!]!);
    });
    value += set.value;
    const rooms = rest.rooms.map((room, cap) => room - set.caps[cap]!);
    rest = { ...rest, capacity: rest.capacity - set.tokens, rooms };
  }
  return { ids: taken, value, rest: { ...rest, networks: [] } };
}
