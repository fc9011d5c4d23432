import type { Slices } from "../run-in-slices.js";

/** Numbers that are sorted, or merged, in one piece. */
export const PIECE = 1_024;

/** Sorts numbers in place, as `sort` does, and yields while it does: equal ones keep their order. O(n log n). */
export function* sortInSlices(numbers: Uint32Array, compare: (a: number, b: number) => number): Slices<void> {
  const { length } = numbers;
  for (let start = 0; start < length; start += PIECE) {
    numbers.subarray(start, start + PIECE).sort(compare);
    if (length > PIECE) yield;
  }
  for (let width = PIECE; width < length; width *= 2) {
    for (let start = 0; start + width < length; start += 2 * width) {
      yield* merge(numbers.subarray(start, start + 2 * width), width, compare);
    }
  }
}

/** Merges two runs that stand one behind the other, the first one so long. */
function* merge(runs: Uint32Array, firstLength: number, compare: (a: number, b: number) => number): Slices<void> {
  const first = runs.slice(0, firstLength);
  let a = 0;
  let b = firstLength;
  for (let place = 0; a < firstLength && b < runs.length; place++) {
    runs[place] = compare(first[a]!, runs[b]!) <= 0 ? first[a++]! : runs[b++]!;
    if (place % PIECE === PIECE - 1) yield;
  }
  runs.set(first.subarray(a), a + b - firstLength);
}
