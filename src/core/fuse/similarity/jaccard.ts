/**
 * The share of the shingles of two texts that both have: 0 where they have none in common, 1 where they have the same (Jaccard). Both
 * lists are in rising order, each shingle once, and neither is empty.
 */
export function jaccard(a: Float64Array, b: Float64Array): number {
  return jaccardFrom(sharedCount(a, b, 0), a.length, b.length);
}

/** The same of so many shared shingles, and of how many each has. */
export function jaccardFrom(shared: number, a: number, b: number): number {
  return shared / (a + b - shared);
}

/** The same where it is at least `least`, else some smaller number: it ends as soon as too many shingles are in one text alone. */
export function jaccardFromLeast(a: Float64Array, b: Float64Array, least: number): number {
  const needed = Math.floor((least * (a.length + b.length)) / (1 + least));
  if (Math.min(a.length, b.length) < needed) return 0;
  return jaccardFrom(sharedCount(a, b, needed), a.length, b.length);
}

/** How many numbers two rising lists share; where that cannot reach `needed` any more, how many were found so far. */
function sharedCount(a: Float64Array, b: Float64Array, needed: number): number {
  let shared = 0;
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const x = a[i]!;
    const y = b[j]!;
    if (x === y) {
      shared++;
      i++;
      j++;
      continue;
    }
    if (x < y) i++;
    else j++;
    if (shared + Math.min(a.length - i, b.length - j) < needed) break;
  }
  return shared;
}
