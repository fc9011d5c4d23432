/** Texts by the shingles that they share: how similar one is to each of many is read from lists, instead of compared with each. */

/** For each of several sets of shingles, the numbers of those shingles that another one has as well, and how many it has in all. */
export interface SharedShingles {
  readonly numbers: readonly Int32Array[];
  readonly sizes: Int32Array;
  /** The numbers are below this. */
  readonly count: number;
}

/** Sets of which the numbering takes some milliseconds. */
const SLICE_SETS = 256;

/** Numbers the shingles of sets. What one set has alone is part of no similarity but by its count, so it gets no number. O(n). */
export function* numberShared(sets: readonly Float64Array[]): Generator<void, SharedShingles> {
  const sizes = Int32Array.from(sets, ({ length }) => length);
  const table = createTable(sizes.reduce((sum, size) => sum + size, 0));
  const numbered: Int32Array[] = [];
  yield;
  for (const set of sets) {
    const places = new Int32Array(set.length);
    for (let i = 0; i < places.length; i++) places[i] = table.placeOf(set[i]!);
    numbered.push(places);
    if (numbered.length % SLICE_SETS === 0) yield;
  }
  let count = 0;
  const numbers: Int32Array[] = [];
  for (const places of numbered) {
    let kept = 0;
    for (let i = 0; i < places.length; i++) {
      const place = places[i]!;
      if (table.uses[place] === 1) continue;
      if (table.numbers[place] === 0) table.numbers[place] = ++count;
      places[kept++] = table.numbers[place]! - 1;
    }
    numbers.push(places.subarray(0, kept));
    if (numbers.length % SLICE_SETS === 0) yield;
  }
  return { numbers, sizes, count };
}

/** A table from fingerprints to places, open to the next free place: a Map takes ten times as long for so many large numbers. */
function createTable(most: number) {
  // At most three quarters full.
  const size = 2 ** Math.ceil(Math.log2((4 / 3) * most + 2));
  const mask = size - 1;
  const fingerprints = new Float64Array(size);
  const uses = new Int32Array(size);
  return {
    /** How many sets have the shingle of a place. */
    uses,
    numbers: new Int32Array(size),
    placeOf: (fingerprint: number): number => {
      // 0 stands for an empty place.
      const entry = fingerprint + 1;
      let place = fingerprint & mask;
      while (fingerprints[place] !== entry && fingerprints[place] !== 0) place = (place + 1) & mask;
      fingerprints[place] = entry;
      uses[place]!++;
      return place;
    },
  };
}
