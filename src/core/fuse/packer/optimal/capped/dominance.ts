import type { Front } from "./front.js";

/**
 * Takes out sets that another one in the same situation dominates: it is worth more and leaves no less of the budget, and no less of the
 * one cap that tells the sets apart; 0 where no cap does. O(n log n).
 */
export function dropDominated(front: Front, cap: number): void {
  const { count, width, rooms, values, situations } = front;
  const order = new Uint32Array(count);
  for (let i = 1; i < count; i++) order[i] = i;
  order.sort(
    (a, b) =>
      situations[a]! - situations[b]! || rooms[b * width]! - rooms[a * width]! || values[b]! - values[a]! || a - b,
  );
  const isDominated = new Uint8Array(count);
  const best = new GreatestValues(ranksOf(front, cap));
  let first = 0;
  order.forEach((i, at) => {
    if (situations[i] !== situations[order[first]!]) {
      for (; first < at; first++) best.forget(order[first]!);
    }
    // An equal stays: what leaves more of a cap alone is not the better one of two.
    if (best.upTo(i) > values[i]!) isDominated[i] = 1;
    else best.add(i, values[i]!);
  });
  front.keep((i) => isDominated[i] === 0);
}

/** By set: its rank by what it leaves of a cap, the most first, from 1; equals have one rank. */
function ranksOf({ count, width, rooms }: Front, cap: number): Uint32Array {
  const ranks = new Uint32Array(count).fill(1);
  if (cap === 0) return ranks;
  const order = new Uint32Array(count);
  for (let i = 1; i < count; i++) order[i] = i;
  const roomOf = (i: number): number => rooms[i * width + cap]!;
  order.sort((a, b) => roomOf(b) - roomOf(a));
  let rank = 1;
  order.forEach((i, at) => {
    if (at > 0 && roomOf(i) !== roomOf(order[at - 1]!)) rank++;
    ranks[i] = rank;
  });
  return ranks;
}

/** The greatest value of all sets up to a rank (a binary indexed tree). */
class GreatestValues {
  readonly #ranks: Uint32Array;
  readonly #tree: Float64Array;

  constructor(ranks: Uint32Array) {
    this.#ranks = ranks;
    this.#tree = new Float64Array(ranks.length + 1).fill(Number.NEGATIVE_INFINITY);
  }

  upTo(set: number): number {
    let greatest = Number.NEGATIVE_INFINITY;
    for (let at = this.#ranks[set]!; at > 0; at -= at & -at) greatest = Math.max(greatest, this.#tree[at]!);
    return greatest;
  }

  /** Takes back what a set added, where all that was added is taken back. */
  forget(set: number): void {
    for (let at = this.#ranks[set]!; at < this.#tree.length; at += at & -at) this.#tree[at] = Number.NEGATIVE_INFINITY;
  }

  add(set: number, value: number): void {
    for (let at = this.#ranks[set]!; at < this.#tree.length; at += at & -at) {
      if (value > this.#tree[at]!) this.#tree[at] = value;
    }
  }
}
