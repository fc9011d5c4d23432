/**
 * Prices at which the bound is as low as it can be, by column generation: the sets that the classes choose at some prices are mixed as
 * well as limits allow, the prices of that mixture are tried next, and so on until no set gains at them.
 */
import { type GroupSet, PriceMaster } from "./price-master.js";

/** What the classes choose at prices, group by group; limit 0 is the budget, then come the caps. */
export interface SetSource {
  readonly limits: Float64Array;
  /** By group: the value of what takes nothing. */
  readonly empty: readonly number[];
  /** How many choices are looked at for each of these looks, about. */
  readonly cost: number;
  setsAt(prices: Float64Array): readonly GroupSet[];
}

export interface Tightened {
  readonly prices: Float64Array;
  readonly bound: number;
}

/** The part of the way from the prices of the lowest bound to those of the mixture that is gone first. */
const STRIDE = 0.4;

/** So near to the value of the best mixture a bound is low enough, as a part of it. */
const NEAR = 1e-8;

/** So many looks, and so many choices, are between two turns of others. */
const LOOKS_PER_SLICE = 8;
const CHOICES_PER_SLICE = 400_000;

/** Lowers the bound in so many looks at most. */
export function* tighten(source: SetSource, from: Float64Array, looks: number): Generator<void, Tightened> {
  const { limits, empty } = source;
  let prices = from;
  let sets = source.setsAt(from);
  let bound = boundOf(sets, from, limits);
  if (bound <= 0) return { prices, bound };
  const units = limits.map((limit) => Math.max(1, limit));
  const master = new PriceMaster(
    limits.length,
    empty.map((value) => value / bound),
  );
  const unit = bound;
  const inShares = ({ group, value, amounts }: GroupSet): GroupSet => ({
    group,
    value: value / unit,
    amounts: amounts.map((amount, limit) => amount / units[limit]!),
  });
  for (const set of sets) master.add(inShares(set));
  const looksPerSlice = Math.max(1, Math.min(LOOKS_PER_SLICE, Math.floor(CHOICES_PER_SLICE / source.cost)));
  for (let look = 1, next = looksPerSlice; look < looks; look++) {
    if (look >= next) {
      next = look + looksPerSlice;
      yield;
    }
    master.solve();
    if (bound - master.value * unit <= NEAR * bound) break;
    const aim = master.prices.map((price, limit) => (price * unit) / units[limit]!);
    let isNew = false;
    for (const stride of [STRIDE, 1]) {
      const at = aim.map((price, limit) => prices[limit]! + stride * (price - prices[limit]!));
      sets = source.setsAt(at);
      const reached = boundOf(sets, at, limits);
      if (reached < bound) {
        bound = reached;
        prices = at;
      }
      for (const set of sets.map(inShares)) {
        if (master.gainOf(set) <= 1e-11) continue;
        isNew = true;
        master.add(set);
      }
      if (isNew) break;
      look++;
    }
    if (!isNew) break;
  }
  return { prices, bound };
}

function boundOf(sets: readonly GroupSet[], prices: Float64Array, limits: Float64Array): number {
  let bound = 0;
  for (const { value } of sets) bound += value;
  prices.forEach((price, limit) => {
    const taken = sets.reduce((sum, { amounts }) => sum + amounts[limit]!, 0);
    bound += price * (limits[limit]! - taken);
  });
  return bound;
}
