/** A knapsack with caps at whole prices: what every class gains at its best, and the bound that follows, without any rounding. */
import type { Prices } from "./prices.js";
import type { Block, CappedProblem, MixedClass } from "./problem.js";
import { TurnChain } from "./turn-chain.js";

/** Prices in whole numbers, in which values are multiplied by a scale, so that sums of both are exact. */
export interface Priced {
  readonly scale: number;
  readonly token: number;
  readonly caps: Float64Array;
  /** No set has a greater value times the scale. */
  readonly bound: number;
  readonly blocks: readonly PricedBlock[];
  /** By mixed class: the gain of its best choice. */
  readonly mixedPeaks: Float64Array;
  /** By mixed class: that choice, of equals the first. */
  readonly mixedBest: Int32Array;
  readonly networks: PricedTurns;
}

/** The turns of networks, where they are laid out. */
export interface PricedTurns {
  /** Values are times the scale. */
  readonly chain: TurnChain;
  /** Of the budget, and of each cap. */
  readonly prices: Float64Array;
  /** By situation: the most that its turn and those after it gain. */
  readonly rests: Float64Array;
  /** By turn: the option of the best set. */
  readonly best: Int32Array;
}

export interface PricedBlock {
  /** The price of one of its tokens. */
  readonly price: number;
  /** By class: the gain of its best choice. */
  readonly peaks: Float64Array;
  /** By class: the best choice in the row of classes, of equals the one with the fewest tokens. */
  readonly best: Int32Array;
}

/** Values and prices stay so small that their sums are exact in a double. */
const GREATEST_SUM = 2 ** 50;

/** So many classes are priced between two turns of others. */
const CLASSES_PER_SLICE = 2_000;

/** Prices everything; yields between parts of a few milliseconds. */
export function* priceOut(problem: CappedProblem, prices: Prices): Generator<void, Priced> {
  const { blocks, mixed, capacity, rooms } = problem;
  const scale = 2 ** Math.max(0, Math.floor(Math.log2(GREATEST_SUM / 2 / (greatestValue(problem) + 1))));
  // A price rounded up takes in what would just be too much.
  const given = { token: Math.ceil(prices.token * scale), caps: prices.caps.map((price) => Math.ceil(price * scale)) };
  const charge = (token: number, caps: Float64Array): number =>
    (token === 0 ? 0 : token * capacity) + caps.reduce((sum, price, cap) => sum + price * rooms[cap]!, 0);
  const isExact = charge(given.token, given.caps) < GREATEST_SUM * 2;
  const token = isExact ? given.token : 0;
  const caps = isExact ? given.caps : new Float64Array(rooms.length);
  yield;
  const pricedBlocks: PricedBlock[] = [];
  for (const block of blocks) {
    const price = block.caps.reduce((sum, cap) => sum + caps[cap]!, token);
    pricedBlocks.push(priceBlock(block, price, scale));
    if (block.classes.count > CLASSES_PER_SLICE) yield;
  }
  const mixedPeaks = new Float64Array(mixed.length);
  const mixedBest = new Int32Array(mixed.length);
  for (const [i, one] of mixed.entries()) {
    if (i % CLASSES_PER_SLICE === CLASSES_PER_SLICE - 1) yield;
    mixedBest[i] = bestOf(one, { scale, token, caps });
    mixedPeaks[i] = gainOf(one, mixedBest[i]!, { scale, token, caps });
  }
  const networks = priceTurns(problem, { scale, token, caps });
  let bound = charge(token, caps) + mixedPeaks.reduce((a, b) => a + b, networks.rests[0]!);
  for (const { peaks } of pricedBlocks) for (const peak of peaks) bound += peak;
  return { scale, token, caps, bound, blocks: pricedBlocks, mixedPeaks, mixedBest, networks };
}

function priceTurns(
  { turns }: CappedProblem,
  { scale, token, caps }: Pick<Priced, "scale" | "token" | "caps">,
): PricedTurns {
  const chain = new TurnChain(turns.map((turn) => ({ ...turn, values: turn.values.map((value) => value * scale) })));
  const prices = Float64Array.of(token, ...caps);
  const rests = chain.restsAt(prices);
  return { chain, prices, rests, best: chain.bestFrom({ turn: 0, situation: 0 }, prices, rests) };
}

/** The sum of the greatest values of all classes; no set has more. */
function greatestValue({ blocks, mixed, turns }: CappedProblem): number {
  let sum = 0;
  for (const { classes } of blocks)
    for (let c = 0; c < classes.count; c++) sum += classes.values[classes.starts[c + 1]! - 1]!;
  for (const { values } of mixed) sum += values.reduce((a, b) => Math.max(a, b), 0);
  for (const { values } of turns) sum += values.reduce((a, b) => Math.max(a, b), 0);
  return sum;
}

function priceBlock({ classes }: Block, price: number, scale: number): PricedBlock {
  const { count, starts, tokens, values } = classes;
  const peaks = new Float64Array(count);
  const best = new Int32Array(count);
  for (let c = 0; c < count; c++) {
    let peak = Number.NEGATIVE_INFINITY;
    for (let choice = starts[c]!; choice < starts[c + 1]!; choice++) {
      const gain = values[choice]! * scale - price * tokens[choice]!;
      if (gain <= peak) continue;
      peak = gain;
      best[c] = choice;
    }
    peaks[c] = peak;
  }
  return { price, peaks, best };
}

/** What a choice of a mixed class gains at the prices. */
export function gainOf(
  { tokens, values, demands }: MixedClass,
  choice: number,
  { scale, token, caps }: Pick<Priced, "scale" | "token" | "caps">,
): number {
  const demand = demands[choice]!;
  let gain = values[choice]! * scale - token * tokens[choice]!;
  for (let cap = 0; cap < caps.length; cap++) gain -= caps[cap]! * demand[cap]!;
  return gain;
}

function bestOf(mixed: MixedClass, prices: Pick<Priced, "scale" | "token" | "caps">): number {
  let best = 0;
  let peak = Number.NEGATIVE_INFINITY;
  for (let choice = 0; choice < mixed.ids.length; choice++) {
    const gain = gainOf(mixed, choice, prices);
    if (gain <= peak) continue;
    peak = gain;
    best = choice;
  }
  return best;
}
