/**
 * The relaxation: a price per token at which what is worth it just fits. Charging every set that price gives a bound on all of them, and
 * a set to begin from.
 */
import { breakPrice, type Laid } from "./break-price.js";
import type { Classes, TieOrder } from "./classes.js";
import { findHulls, type Hulls } from "./hull.js";
import type { Network } from "./network.js";
import type { PricedNetwork } from "./network-price.js";
import { NetworkRows } from "./network-rows.js";
import { breakKey } from "./select.js";
import type { Web } from "./web.js";
import { webBaseline } from "./web-baseline.js";
import { openWeb, type PricedWeb, sweep } from "./web-prices.js";

/** A knapsack at the price at which it is just full. */
export interface Relaxed {
  readonly classes: Classes;
  readonly capacity: number;
  /** Value per token. A multiple of a power of two so coarse that all sums of prices are exact. */
  readonly price: number;
  /** By class: the choice in the row of classes to begin from. Together they fit, and none is worth less at the price than any other. */
  readonly baseline: Int32Array;
  /** The networks at the price; the baseline holds the best set of each. */
  readonly networks: readonly PricedNetwork[];
  /** Tokens and value of the baseline, networks included. */
  readonly tokens: number;
  readonly value: number;
  /** By class: the most that any choice is worth beyond its price. */
  readonly peaks: Float64Array;
  /**
   * The sum of the peaks, those of the networks included. `surplus + price x capacity` is a bound on all sets that fit, whatever the price (Lagrangian relaxation): no set
   * of t tokens has more than `surplus + price x t`.
   */
  readonly surplus: number;
}

/** What is relaxed. */
export interface Knapsack {
  readonly classes: Classes;
  readonly networks: readonly Network[];
  readonly capacity: number;
}

/** How often the needs of webs are priced anew, with how many sweeps each time; fewer where so many ties were looked at in all. */
const WEB_ROUNDS = 4;
const WEB_SWEEPS = 12;
const MOST_TIES = 300_000;

/** Finds the price and the baseline. Linear on average. Yields between parts of a few milliseconds. */
export function* relax(given: Knapsack, order: TieOrder): Generator<void, Relaxed> {
  const { classes, capacity } = given;
  const hulls = findHulls(classes);
  yield;
  const greatest = greatestSum(classes) + greatestOf(given.networks);
  const networks = given.networks.map((network) => (isWeb(network) ? openWeb(network) : network));
  const webs = networks.filter(isPriced);
  const rows = new NetworkRows(
    networks.filter((network) => !isPriced(network)),
    capacity,
  );
  const laid: Laid = { classes, hulls, rows, webs, capacity };
  yield;
  let slope =
    networks.length === 0
      ? breakKey(hulls.slopes.slice(), hulls.tokens.slice(), capacity)
      : yield* breakPrice(laid, greatest);
  yield;
  const ties = webs.reduce((sum, { web }) => sum + web.ties.length, 0);
  const sweeps = Math.max(1, Math.min(WEB_SWEEPS, Math.floor(MOST_TIES / 2 / WEB_ROUNDS / Math.max(1, ties))));
  for (let round = 0; round < WEB_ROUNDS && webs.length > 0; round++) {
    for (let count = 0; count < sweeps; count++) {
      for (const web of webs) yield* sweep(web, slope, unitOf(greatest));
      yield;
    }
    slope = yield* breakPrice(laid, greatest);
  }
  for (let further = 2 ** -50; ; further *= 4) {
    const price = roundUp(slope, greatest);
    const best = pricedAt(price, networks, laid);
    const spent = best.reduce((sum, { tokens }) => sum + tokens, 0);
    const base = baselineAt(slope, classes, { hulls, capacity: capacity - spent, order });
    yield;
    // The slope was found in doubles; where that lets in too much, the next price does not.
    if (base.tokens + spent > capacity) {
      slope = price * (1 + further);
      continue;
    }
    const peaks = new Float64Array(classes.count);
    let surplus = best.reduce((sum, { peak }) => sum + peak, 0);
    for (let c = 0; c < classes.count; c++) {
      peaks[c] = peakOf(c, classes, hulls, price);
      surplus += peaks[c]!;
    }
    let room = capacity - base.tokens - spent;
    const priced: PricedNetwork[] = [];
    for (let i = 0; i < best.length; i++) {
      const web = networks[i]!;
      if (isPriced(web)) {
        const set = yield* webBaseline(web, { price, tokens: best[i]!.tokens + room });
        room += best[i]!.tokens - set.tokens;
        priced.push({ ...best[i]!, options: set.options, tokens: set.tokens, value: set.value, priced: web });
      } else {
        priced.push(best[i]!);
      }
    }
    const tokens = priced.reduce((sum, network) => sum + network.tokens, base.tokens);
    const value = priced.reduce((sum, network) => sum + network.value, base.value);
    return { classes, capacity, price, peaks, surplus, networks: priced, baseline: base.baseline, tokens, value };
  }
}

function isWeb(network: Network): network is Network & { readonly web: Web } {
  return network.web !== undefined;
}

function isPriced(network: Network): network is PricedWeb {
  return "ownValues" in network;
}

/** The sum of all values of networks. */
export function greatestOf(networks: readonly Network[]): number {
  let sum = 0;
  for (const { turns } of networks) {
    for (const { values } of turns) {
      let greatest = 0;
      for (let option = 0; option < values.length; option++) greatest = Math.max(greatest, values[option]!);
      sum += greatest;
    }
  }
  return sum;
}

/** The networks at a price, in their order. */
function pricedAt(price: number, networks: readonly Network[], { rows, webs, capacity }: Laid): PricedNetwork[] {
  const plain = rows.at(price).values();
  const ofWebs = new NetworkRows(webs, capacity).at(price).values();
  return networks.map((network) => ({ network, ...(isPriced(network) ? ofWebs : plain).next().value! }));
}

function peakOf(c: number, { starts, tokens, values }: Classes, hulls: Hulls, price: number): number {
  let choice = starts[c]!;
  for (let step = hulls.starts[c]!; step < hulls.starts[c + 1]!; step++) {
    if (hulls.values[step]! <= price * hulls.tokens[step]!) break;
    choice = hulls.choices[step]!;
  }
  return values[choice]! - price * tokens[choice]!;
}

/** Takes all steps above a slope, and of those that have it as many as fit, the largest first, of equals the earliest. */
function baselineAt(
  slope: number,
  { count, starts, tokens, values }: Classes,
  { hulls, capacity, order }: { hulls: Hulls; capacity: number; order: TieOrder },
): { readonly baseline: Int32Array; readonly tokens: number; readonly value: number } {
  const baseline = new Int32Array(count);
  const equals: { readonly c: number; readonly step: number }[] = [];
  const sums = { tokens: 0, value: 0 };
  for (let c = 0; c < count; c++) {
    let choice = starts[c]!;
    for (let step = hulls.starts[c]!; step < hulls.starts[c + 1]! && hulls.slopes[step]! >= slope; step++) {
      if (hulls.slopes[step] === slope) equals.push({ c, step });
      else choice = hulls.choices[step]!;
    }
    baseline[c] = choice;
    sums.tokens += tokens[choice]!;
    sums.value += values[choice]!;
  }
  equals.sort(
    (a, b) =>
      hulls.tokens[b.step]! - hulls.tokens[a.step]! || order.comparePlaces(order.placeOf(a.c), order.placeOf(b.c)),
  );
  for (const { c, step } of equals) {
    if (sums.tokens + hulls.tokens[step]! > capacity) continue;
    baseline[c] = hulls.choices[step]!;
    sums.tokens += hulls.tokens[step]!;
    sums.value += hulls.values[step]!;
  }
  return { baseline, ...sums };
}

/** The sum of the greatest values of all classes; no set has more. */
export function greatestSum({ count, starts, values }: Classes): number {
  let sum = 0;
  for (let c = 0; c < count; c++) sum += values[starts[c + 1]! - 1]!;
  return sum;
}

/**
 * The next greater multiple of 2^-k, where k leaves room for sums up to the greatest in the 53 bits of a double: then differences of
 * values and prices are exact, and bounds need no allowance for rounding.
 */
function roundUp(slope: number, greatest: number): number {
  const unit = unitOf(greatest);
  return Math.ceil(slope / unit) * unit;
}

function unitOf(greatest: number): number {
  return 2 ** (Math.ceil(Math.log2(greatest + 1)) - 51);
}
