/** The price at which the best sets of classes and networks together are just as many as fit. */
import type { Classes } from "./classes.js";
import type { Hulls } from "./hull.js";
import type { NetworkRows, Sums } from "./network-rows.js";
import { breakKey } from "./select.js";
import { type PricedWeb, webAt } from "./web-prices.js";

/** A knapsack whose networks are laid out; webs are priced one by one. */
export interface Laid {
  readonly classes: Classes;
  readonly hulls: Hulls;
  readonly rows: NetworkRows;
  readonly webs: readonly PricedWeb[];
  readonly capacity: number;
}

/** The most tangents that are tried; a few dozen reach the end. */
const MAX_TANGENTS = 100;

/** By how much prices beside the guess are tried, each time by so much more. */
const FIRST_FACTOR = 1.05;
const LAST_FACTOR = 1.4;

/**
 * The price at which the best sets take more than the capacity just below it, and fit from it on; 0 where everything fits. The best value
 * less price is convex in the price: where the tangents of a price that is too low and of one that is high enough meet, the next is tried,
 * until nothing lies above their meeting. `greatest` is a value that no set exceeds.
 */
export function* breakPrice(knapsack: Laid, greatest: number): Generator<void, number> {
  const { capacity } = knapsack;
  const between = new BetweenPrices(knapsack);
  let low = between.at(0);
  if (low.tokens <= capacity) return 0;
  let high: Priced | undefined;
  let price = guessedPrice(low.tokens, knapsack);
  // Both sides of the price first, from near the guess: most of what is to be decided is the same at both.
  for (let factor = FIRST_FACTOR; price > 0 && high === undefined && factor < LAST_FACTOR; factor *= FIRST_FACTOR) {
    yield;
    const best = between.at(price);
    if (best.tokens > capacity) {
      low = best;
      price *= factor;
    } else {
      high = best;
      const below = between.at(price / factor);
      if (below.tokens > capacity) low = below;
      else high = below;
    }
  }
  high ??= between.at(greatest + 1);
  price = 0;
  for (let tangent = 0; tangent < MAX_TANGENTS; tangent++) {
    const meeting = (low.value - high.value) / (low.tokens - high.tokens);
    if (meeting === price) break;
    price = meeting;
    yield;
    between.narrow(low, high);
    const best = between.at(price);
    if (best.tokens === low.tokens || best.tokens === high.tokens) break;
    if (best.tokens > capacity) low = best;
    else high = best;
  }
  return price;
}

/** The price at which the classes alone fit in their part of the capacity; 0 where there are none. */
function guessedPrice(tokensOfAll: number, { hulls, capacity }: Laid): number {
  let tokens = 0;
  for (let step = 0; step < hulls.tokens.length; step++) tokens += hulls.tokens[step]!;
  return tokens === 0 ? 0 : breakKey(hulls.slopes.slice(), hulls.tokens.slice(), (capacity * tokens) / tokensOfAll);
}

/** The best sets at a price. */
interface Priced extends Sums {
  readonly price: number;
  /** By network: the tokens of its best set. */
  readonly ofNetworks: Float64Array;
}

/** The best sets at prices within a range that grows narrower, and with it what still depends on the price. */
class BetweenPrices {
  readonly #knapsack: Laid;
  /** The steps whose slopes lie in the range, and the networks whose best sets differ at its ends. */
  #steps: Int32Array;
  #networks: Int32Array;
  /** What all others come to. */
  readonly #settled = { tokens: 0, value: 0 };

  constructor(knapsack: Laid) {
    const { classes, hulls, rows } = knapsack;
    this.#knapsack = knapsack;
    this.#steps = new Int32Array(hulls.slopes.length).map((_, step) => step);
    this.#networks = new Int32Array(rows.count).map((_, network) => network);
    // The value of what costs nothing.
    for (let c = 0; c < classes.count; c++) this.#settled.value += classes.values[classes.starts[c]!]!;
  }

  /** The best sets at a price within the range. */
  at(price: number): Priced {
    const { hulls, rows, webs, capacity } = this.#knapsack;
    let { tokens, value } = this.#settled;
    for (let i = 0; i < this.#steps.length; i++) {
      const step = this.#steps[i]!;
      if (hulls.slopes[step]! <= price) continue;
      tokens += hulls.tokens[step]!;
      value += hulls.values[step]!;
    }
    const ofNetworks = new Float64Array(rows.count);
    for (let i = 0; i < this.#networks.length; i++) {
      const network = this.#networks[i]!;
      rows.price(network, price);
      ofNetworks[network] = rows.tokensOf(network);
      tokens += ofNetworks[network]!;
      value += rows.valueOf(network);
    }
    for (const web of webs) {
      const best = webAt(web, price, capacity);
      tokens += best.tokens;
      value += best.value;
    }
    return { price, tokens, value, ofNetworks };
  }

  /** Narrows the range to two prices that were tried, of which the networks were priced last at one. */
  narrow(low: Priced, high: Priced): void {
    const { hulls, rows } = this.#knapsack;
    const settled = this.#settled;
    this.#steps = this.#steps.filter((step) => {
      if (hulls.slopes[step]! > high.price) {
        settled.tokens += hulls.tokens[step]!;
        settled.value += hulls.values[step]!;
        return false;
      }
      return hulls.slopes[step]! > low.price;
    });
    // What is best at both ends is best in between, for what a set is worth beyond its price is linear in the price.
    this.#networks = this.#networks.filter((network) => {
      const tokens = low.ofNetworks[network]!;
      if (tokens !== high.ofNetworks[network]) return true;
      settled.tokens += tokens;
      settled.value += rows.valueOf(network);
      return false;
    });
  }
}
