/**
 * Sorting ten thousand fragments by a comparator costs more than the rest of an assembly; sorting whole numbers by their digits does not.
 * So an order is split into a whole-number key, which nearly always decides, and a comparator for the runs of equals.
 */
import { runAtOnce, type Slices } from "../run-in-slices.js";
import { Slice } from "../slice.js";
import { PIECE, sortInSlices } from "./sort-in-slices.js";

const DIGIT_BITS = 11;
const BUCKETS = 1 << DIGIT_BITS;
const MASK = BUCKETS - 1;
/** Keys are split into a low and a high word of two and three digits, on which whole-number instructions work. */
const LOW_BITS = 2 * DIGIT_BITS;
const LOW_WORDS = 2 ** LOW_BITS;
const DIGITS = 5;

/** Below this the fixed cost of the buckets is more than a comparison sort takes. */
const SMALL = 200;

/**
 * The positions 0 to n - 1 in order of their keys, smallest first; positions with equal keys in order of `compareEqual`, which must be
 * total. Keys are whole numbers from 0 to 2^53 - 1. O(n) but for the runs of equals.
 */
export function sortPositions(keys: Float64Array, compareEqual: (a: number, b: number) => number): Uint32Array {
  return runAtOnce(sortPositionsInSlices(keys, compareEqual));
}

/** The same, in slices. */
export function* sortPositionsInSlices(
  keys: Float64Array,
  compareEqual: (a: number, b: number) => number,
): Slices<Uint32Array> {
  if (keys.length < SMALL) return sortSmall(keys, compareEqual);
  const positions = sortByDigits(keys);
  yield;
  yield* sortRuns(positions, keys, compareEqual);
  return positions;
}

function sortSmall(keys: Float64Array, compareEqual: (a: number, b: number) => number): Uint32Array {
  const positions = new Uint32Array(keys.length).map((_, i) => i);
  return positions.sort((a, b) => keys[a]! - keys[b]! || compareEqual(a, b));
}

/** Radix sort from the lowest digit; each pass is stable, and one in which all digits are equal is skipped. */
function sortByDigits(keys: Float64Array): Uint32Array {
  const n = keys.length;
  const low = new Uint32Array(n);
  const high = new Uint32Array(n);
  for (let i = 0; i < n; i++) {
    const key = keys[i]!;
    high[i] = key / LOW_WORDS;
    low[i] = key - high[i]! * LOW_WORDS;
  }
  let positions = new Uint32Array(n);
  for (let i = 0; i < n; i++) positions[i] = i;
  let next = new Uint32Array(n);
  const starts = new Uint32Array(BUCKETS);
  for (let digit = 0; digit < DIGITS; digit++) {
    const words = digit < 2 ? low : high;
    const shift = (digit < 2 ? digit : digit - 2) * DIGIT_BITS;
    if (!countStarts(words, shift, starts)) continue;
    for (let i = 0; i < n; i++) {
      const position = positions[i]!;
      next[starts[(words[position]! >>> shift) & MASK]!++] = position;
    }
    [positions, next] = [next, positions];
  }
  return positions;
}

/** Where the bucket of each value of a digit starts; false where all keys share one value. */
function countStarts(words: Uint32Array, shift: number, starts: Uint32Array): boolean {
  starts.fill(0);
  for (let i = 0; i < words.length; i++) starts[(words[i]! >>> shift) & MASK]!++;
  if (starts[(words[0]! >>> shift) & MASK] === words.length) return false;
  let sum = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const count = starts[bucket]!;
    starts[bucket] = sum;
    sum += count;
  }
  return true;
}

/** To compare equals is dearer than to look at one. */
const STEPS_PER_EQUAL = 4;

function* sortRuns(
  positions: Uint32Array,
  keys: Float64Array,
  compareEqual: (a: number, b: number) => number,
): Slices<void> {
  const n = positions.length;
  const slice = new Slice();
  for (let start = 0; start < n; ) {
    const key = keys[positions[start]!]!;
    let end = start + 1;
    while (end < n && keys[positions[end]!] === key) end++;
    if (end - start > PIECE) yield* sortInSlices(positions.subarray(start, end), compareEqual);
    else if (end - start > 1) {
      positions.subarray(start, end).sort(compareEqual);
      if (slice.isOver(STEPS_PER_EQUAL * (end - start))) yield;
    }
    start = end;
  }
}
