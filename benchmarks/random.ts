/** Draws numbers that are the same in every run of the benchmarks. */
export interface Random {
  /** A double from 0 to below 1 with all of its 53 bits drawn. */
  double(): number;
  /** A whole number from 0 to below `limit`, which is at most 2^32. */
  below(limit: number): number;
}

/** A seeded generator (mulberry32: one 32-bit state, good enough to mix inputs, no more). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const word = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  return {
    double: () => ((word() >>> 5) * 2 ** 26 + (word() >>> 6)) / 2 ** 53,
    below: (limit) => Math.floor((word() / 2 ** 32) * limit),
  };
}

/** The items in an order that is drawn anew at each call; the input stays as it is. */
export function shuffle<Item>(items: readonly Item[], random: Random): Item[] {
  const shuffled = [...items];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = random.below(last + 1);
    const moved = shuffled[last] as Item;
    shuffled[last] = shuffled[other] as Item;
    shuffled[other] = moved;
  }
  return shuffled;
}
