/**
 * Prices for tokens and for caps. A set that is charged one price for each token, and a further one for each token that counts for a cap,
 * can gain no more than every class does at its best; so what all gain at their best, the prices times the tokens that there are, is a
 * bound on every set (Lagrangian relaxation). It holds for any prices from 0, and these are sought so that it is low.
 */
import { findHulls } from "../hull.js";
import { type Demand, MixedColumns } from "./mixed-columns.js";
import type { Block, CappedProblem } from "./problem.js";
import { type SetSource, tighten } from "./tighten.js";
import { TurnChain } from "./turn-chain.js";

/** Value per token of the budget, and further value per token of each cap. */
export interface Prices {
  readonly token: number;
  readonly caps: Float64Array;
}

/** The steps of all hulls of a block, the best value per token first, with what they add up to. */
interface Steps {
  readonly caps: readonly number[];
  readonly slopes: Float64Array;
  /** Tokens and value of so many first steps, with what costs nothing. */
  readonly tokens: Float64Array;
  readonly values: Float64Array;
}

interface Columns {
  readonly steps: readonly Steps[];
  readonly mixed: MixedColumns;
  readonly sample: MixedColumns;
}

/** How often an interval of prices is halved, at most and at least; in between as often as the operations allow. */
const MOST_HALVINGS = 45;
const LEAST_HALVINGS = 8;
const OPERATIONS = 10_000_000;

/** So many mixed classes are enough to find prices that are then polished with all of them. */
const SAMPLE = 400;

/** How often the prices of overlapping caps are looked for in turn. */
const ROUNDS = 3;

/** How many looks at all classes lower the bound, at most, and into how many groups blocks and mixed classes go for that. */
const MOST_LOOKS = 200;
const GROUPS = 8;

/** Finds prices; with a value that some set has, they are polished towards a bound that is not far above it. */
export class PriceSearch {
  readonly #problem: CappedProblem;
  readonly #steps: readonly Steps[];
  readonly #greatest: number;
  /** Mixed classes: all of them, and some of them that stand for all. */
  readonly #mixed: MixedColumns;
  readonly #sample: MixedColumns;
  readonly #chain: TurnChain;
  /** By look at the turns of networks: the options of their best set. */
  readonly turnSets: Int32Array[] = [];

  private constructor(problem: CappedProblem, { steps, mixed, sample }: Columns) {
    this.#problem = problem;
    this.#steps = steps;
    this.#mixed = mixed;
    this.#sample = sample;
    this.#chain = new TurnChain(problem.turns);
    let greatest = 0;
    for (const { slopes } of this.#steps) if (slopes.length > 0) greatest = Math.max(greatest, slopes[0]!);
    for (const { tokens, values } of problem.mixed) {
      for (let i = 0; i < tokens.length; i++)
        if (tokens[i]! > 0) greatest = Math.max(greatest, values[i]! / tokens[i]!);
    }
    this.#greatest = greatest;
  }

  /** Puts everything into columns; yields between parts of a few milliseconds. */
  static *open(problem: CappedProblem): Generator<void, PriceSearch> {
    const steps: Steps[] = [];
    for (const block of problem.blocks) {
      steps.push(stepsOf(block));
      yield;
    }
    const mixed = new MixedColumns(problem, 1);
    yield;
    const stride = Math.ceil(problem.mixed.length / SAMPLE);
    const sample = stride <= 1 ? mixed : new MixedColumns(problem, stride);
    return new PriceSearch(problem, { steps, mixed, sample });
  }

  /** The prices at which budget and caps are just filled, by nested halving. Yields between parts of a few milliseconds. */
  *find(): Generator<void, Prices> {
    const { capacity, rooms } = this.#problem;
    const caps = new Float64Array(rooms.length);
    const looks = this.#costOf(this.#sample) * Math.max(1, rooms.length) * ROUNDS;
    const halvings = Math.max(LEAST_HALVINGS, Math.min(MOST_HALVINGS, Math.floor(Math.sqrt(OPERATIONS / looks))));
    const isTooLow = (token: number): boolean => {
      this.#settleCaps(token, caps, halvings);
      const used = this.#demandAt(token, caps, this.#sample);
      // At its own price a cap is filled, though what stands at that price is in no sum.
      const filled = caps.reduce((sum, price, cap) => (price > 0 ? sum + rooms[cap]! - used.caps[cap]! : sum), 0);
      return used.tokens + Math.max(0, filled) > capacity;
    };
    let token = 0;
    if (isTooLow(0)) {
      let low = 0;
      token = this.#greatest;
      for (let i = 0; i < halvings; i++) {
        yield;
        const middle = between(low, token);
        if (isTooLow(middle)) low = middle;
        else token = middle;
      }
      this.#settleCaps(token, caps, halvings);
    }
    return { token, caps };
  }

  /** The prices with the lowest bound, or near to it. Yields between parts of a few milliseconds. */
  *tighten(prices: Prices): Generator<void, Prices> {
    const { capacity, rooms } = this.#problem;
    const blockGroups = Math.min(GROUPS, this.#steps.length);
    const mixedGroups = Math.min(GROUPS, this.#problem.mixed.length);
    const turnGroups = Math.min(GROUPS, this.#problem.turns.length === 0 ? 0 : this.#problem.networks.length);
    const width = rooms.length + 2;
    const empty = new Array<number>(blockGroups).fill(0);
    this.#steps.forEach(({ values }, b) => {
      empty[b % blockGroups]! += values[0]!;
    });
    const cost = this.#costOf(this.#mixed) + this.#chain.size;
    const source: SetSource = {
      cost,
      limits: Float64Array.of(capacity, ...rooms),
      empty: [...empty, ...this.#mixed.emptyValues(mixedGroups), ...new Array<number>(turnGroups).fill(0)],
      setsAt: ([token, ...caps]) => {
        const capPrices = Float64Array.from(caps);
        const sums: Float64Array[] = Array.from({ length: blockGroups }, () => new Float64Array(width));
        this.#steps.forEach((steps, b) => {
          const taken = stepsAt(steps, token!, capPrices);
          const sum = sums[b % blockGroups]!;
          sum[0]! += steps.values[taken]!;
          sum[1]! += steps.tokens[taken]!;
          for (const cap of steps.caps) sum[2 + cap]! += steps.tokens[taken]!;
        });
        const mixed = this.#mixed.sumsAt(token!, capPrices, mixedGroups);
        for (let group = 0; group < mixedGroups; group++) sums.push(mixed.subarray(group * width, (group + 1) * width));
        if (turnGroups > 0) sums.push(...this.#turnSumsAt(Float64Array.of(token!, ...caps), turnGroups));
        return sums.map((sum, group) => ({ group, value: sum[0]!, amounts: sum.subarray(1) }));
      },
    };
    const looks = Math.min(MOST_LOOKS, Math.floor((2 * OPERATIONS) / cost));
    const { prices: found } = yield* tighten(source, Float64Array.of(prices.token, ...prices.caps), looks);
    return { token: found[0]!, caps: found.slice(1) };
  }

  /** The sums over the best sets of networks, each network in the next group in turn: value, tokens, and what is taken of each cap. */
  #turnSumsAt(prices: Float64Array, groups: number): Float64Array[] {
    const { turns } = this.#problem;
    const limits = prices.length;
    const sums = Array.from({ length: groups }, () => new Float64Array(limits + 1));
    const rests = this.#chain.restsAt(prices);
    const options = this.#chain.bestFrom({ turn: 0, situation: 0 }, prices, rests);
    this.turnSets.push(options);
    options.forEach((option, turn) => {
      const { network, values, amounts } = turns[turn]!;
      const sum = sums[network % groups]!;
      sum[0]! += values[option]!;
      for (let limit = 0; limit < limits; limit++) sum[1 + limit]! += amounts[option * limits + limit]!;
    });
    return sums;
  }

  /** For each cap in turn the least price at which it is not broken, given the others. */
  #settleCaps(token: number, caps: Float64Array, halvings: number): void {
    const { rooms } = this.#problem;
    for (let round = 0; round < ROUNDS; round++) {
      let isChanged = false;
      for (let cap = 0; cap < caps.length; cap++) {
        const before = caps[cap]!;
        const isBroken = (price: number): boolean => {
          caps[cap] = price;
          return this.#demandOn(cap, token, caps) > rooms[cap]!;
        };
        let price = 0;
        if (isBroken(0)) {
          let low = 0;
          price = this.#greatest;
          for (let i = 0; i < halvings; i++) {
            const middle = between(low, price);
            if (isBroken(middle)) low = middle;
            else price = middle;
          }
        }
        caps[cap] = price;
        isChanged ||= before !== price;
      }
      if (!isChanged || caps.length === 1) break;
    }
  }

  /** What one look at all classes costs, about. */
  #costOf({ choices }: MixedColumns): number {
    return 16 * this.#steps.length + choices * (1 + this.#problem.rooms.length);
  }

  #demandOn(cap: number, token: number, caps: Float64Array): number {
    let sum = this.#sample.choices === 0 ? 0 : this.#sample.demandAt(token, caps).caps[cap]!;
    for (const steps of this.#steps) if (steps.caps.includes(cap)) sum += steps.tokens[stepsAt(steps, token, caps)]!;
    return sum;
  }

  #demandAt(token: number, prices: Float64Array, columns = this.#mixed): Demand {
    const { caps, ...mixed } = columns.demandAt(token, prices);
    let { tokens, value } = mixed;
    for (const steps of this.#steps) {
      const taken = stepsAt(steps, token, prices);
      tokens += steps.tokens[taken]!;
      value += steps.values[taken]!;
      for (const cap of steps.caps) caps[cap]! += steps.tokens[taken]!;
    }
    return { tokens, value, caps };
  }
}

/** The middle of two prices by their logarithms: the greatest that anything would pay may be far above all others. */
function between(low: number, high: number): number {
  return low === 0 ? high / 16 : Math.sqrt(low * high);
}

function stepsOf({ caps, classes }: Block): Steps {
  const hulls = findHulls(classes);
  const order = fallingOrder(hulls.slopes);
  const tokens = new Float64Array(order.length + 1);
  const values = new Float64Array(order.length + 1);
  const slopes = new Float64Array(order.length);
  for (let c = 0; c < classes.count; c++) values[0]! += classes.values[classes.starts[c]!]!;
  for (let i = 0; i < order.length; i++) {
    slopes[i] = hulls.slopes[order[i]!]!;
    tokens[i + 1] = tokens[i]! + hulls.tokens[order[i]!]!;
    values[i + 1] = values[i]! + hulls.values[order[i]!]!;
  }
  return { caps, slopes, tokens, values };
}

/**
 * The places of keys from 0 by falling key. The place is written into the last bits of each key, which are then sorted as they are: a
 * comparison function would cost many times as much, and what the bits decided is too little to matter to a price.
 */
function fallingOrder(keys: Float64Array): Uint32Array {
  const { length } = keys;
  const sorted = keys.slice();
  const words = new Uint32Array(sorted.buffer);
  const mask = 2 ** Math.ceil(Math.log2(length + 1)) - 1;
  for (let i = 0; i < length; i++) words[2 * i + LOW_WORD] = ((words[2 * i + LOW_WORD]! & ~mask) | i) >>> 0;
  sorted.sort();
  return Uint32Array.from({ length }, (_, i) => words[2 * (length - 1 - i) + LOW_WORD]! & mask);
}

/** Which of the two words of a double holds its last bits. */
const LOW_WORD = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 0 : 1;

/** How many steps pay more than the price. */
function stepsAt({ caps, slopes }: Steps, token: number, capPrices: Float64Array): number {
  let price = token;
  for (const cap of caps) price += capPrices[cap]!;
  let low = 0;
  let high = slopes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (slopes[middle]! > price) low = middle + 1;
    else high = middle;
  }
  return low;
}
