/**
 * Sorting ten thousand fragments by a comparator costs more than the rest of an assembly; sorting whole numbers by their digits does not.
 * So an order is split into a whole-number key, which nearly always decides, and a comparator for the runs of equals.
 */
import { runAtOnce, type Slices } from "../run-in-slices.js";
import { Slice } from "../slice.js";
import { sortInSlices } from "./sort-in-slices.js";

const DIGIT_BITS = 11;
const BUCKETS = 1 << DIGIT_BITS;
const MASK = BUCKETS - 1;
/** What two digits tell apart. */
const PLACES = BUCKETS * BUCKETS;

/** Below this the fixed cost of the buckets is more than a comparison sort takes. */
const SMALL = 200;

type Compare = (a: number, b: number) => number;

/**
 * The positions 0 to n - 1 in order of their keys, smallest first; positions with equal keys in order of `compareEqual`, which must be
 * total. Keys are whole numbers from 0 to 2^53 - 1. O(n) but for the runs of equals.
 */
export function sortPositions(keys: Float64Array, compareEqual: Compare): Uint32Array {
  return runAtOnce(sortPositionsInSlices(keys, compareEqual));
}

/** The same, in slices. */
export function* sortPositionsInSlices(keys: Float64Array, compareEqual: Compare): Slices<Uint32Array> {
  const positions = new Uint32Array(keys.length);
  for (let i = 0; i < positions.length; i++) positions[i] = i;
  yield* sortRange(positions, keys, compareEqual);
  return positions;
}

/**
 * Sorts some of the positions in place by where their keys lie in their range, to 22 bits, which leaves few together where the keys are
 * spread out. What is left together is sorted by comparing, or the same way once more where it is much: no key needs more than three turns.
 */
function* sortRange(positions: Uint32Array, keys: Float64Array, compareEqual: Compare): Slices<void> {
  if (positions.length < SMALL) {
    positions.sort((a, b) => keys[a]! - keys[b]! || compareEqual(a, b));
    return;
  }
  const places = placesInRange(positions, keys);
  if (places === undefined) {
    yield* sortInSlices(positions, compareEqual);
    return;
  }
  sortByDigits(positions, places);
  yield;
  yield* sortRuns(positions, places, keys, compareEqual);
}

/** For each position, in their order, the place of its key in the range of all their keys; nothing where all keys are equal. */
function placesInRange(positions: Uint32Array, keys: Float64Array): Uint32Array | undefined {
  let least = keys[positions[0]!]!;
  let most = least;
  for (let i = 1; i < positions.length; i++) {
    const key = keys[positions[i]!]!;
    if (key < least) least = key;
    else if (key > most) most = key;
  }
  if (least === most) return undefined;
  // A power of two, so that the places of whole numbers are exact.
  let unit = 1;
  while ((most - least) / unit >= PLACES) unit *= 2;
  const places = new Uint32Array(positions.length);
  for (let i = 0; i < places.length; i++) places[i] = (keys[positions[i]!]! - least) / unit;
  return places;
}

/** Radix sort from the lower digit, of positions and their places alike; each pass is stable. */
function sortByDigits(positions: Uint32Array, places: Uint32Array): void {
  const n = positions.length;
  const low = new Uint32Array(BUCKETS);
  const high = new Uint32Array(BUCKETS);
  for (let i = 0; i < n; i++) {
    low[places[i]! & MASK]!++;
    high[places[i]! >>> DIGIT_BITS]!++;
  }
  turnIntoStarts(low);
  turnIntoStarts(high);
  const positionsByLow = new Uint32Array(n);
  const placesByLow = new Uint32Array(n);
  for (let i = 0; i < n; i++) {
    const rank = low[places[i]! & MASK]!++;
    positionsByLow[rank] = positions[i]!;
    placesByLow[rank] = places[i]!;
  }
  for (let k = 0; k < n; k++) {
    const rank = high[placesByLow[k]! >>> DIGIT_BITS]!++;
    positions[rank] = positionsByLow[k]!;
    places[rank] = placesByLow[k]!;
  }
}

/** Turns how often each value of a digit occurs into where its bucket starts. */
function turnIntoStarts(counts: Uint32Array): void {
  let sum = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const count = counts[bucket]!;
    counts[bucket] = sum;
    sum += count;
  }
}

/** To compare equals is dearer than to look at one. */
const STEPS_PER_EQUAL = 4;

/** Sorts each run of positions that have the same place. */
function* sortRuns(
  positions: Uint32Array,
  places: Uint32Array,
  keys: Float64Array,
  compareEqual: Compare,
): Slices<void> {
  const n = positions.length;
  const slice = new Slice();
  for (let start = 0; start < n; ) {
    const place = places[start]!;
    let end = start + 1;
    while (end < n && places[end] === place) end++;
    if (end - start > 1) {
      yield* sortRange(positions.subarray(start, end), keys, compareEqual);
      if (slice.isOver(STEPS_PER_EQUAL * (end - start))) yield;
    }
    start = end;
  }
}
