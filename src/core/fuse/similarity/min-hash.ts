/**
 * Finds sets that are probably alike without comparing all pairs. A hash function puts all shingles in one order; that the first of one
 * set is also that of another has the probability of their Jaccard similarity (MinHash, Broder 1997). Several such minima make a band, and
 * sets that agree in a whole band are candidates (locality-sensitive hashing, Indyk and Motwani 1998; the banding as in Leskovec, Rajaraman
 * and Ullman, "Mining of Massive Datasets", section 3.4).
 */
import { scatter } from "./shingles.js";

/** How many bands there are, and how many minima make one. */
export interface Banding {
  readonly bands: number;
  readonly rows: number;
}

/** With what probability a pair just at the threshold shall at least be found. */
const RECALL = 0.97;

/** Hash functions that more rows may take: enough that unlike sets seldom agree, few enough to be cheap. */
const USUAL_FUNCTIONS = 64;

/** Hash functions beyond which a low threshold has to do with less recall: below 0.0088. */
const MOST_FUNCTIONS = 400;

/**
 * The banding for a threshold, 0 to 1: of similarity s, sets agree in a band of r rows with probability s^r, and in one of b bands with
 * 1 - (1 - s^r)^b. As many rows as the functions allow, and so many bands that at the threshold this is 0.97.
 */
export function bandingFor(threshold: number): Banding {
  let banding: Banding = { bands: Math.min(MOST_FUNCTIONS, bandsNeeded(threshold, 1)), rows: 1 };
  for (let rows = 2; rows <= USUAL_FUNCTIONS; rows++) {
    const bands = bandsNeeded(threshold, rows);
    if (bands * rows <= USUAL_FUNCTIONS) banding = { bands, rows };
  }
  return banding;
}

function bandsNeeded(threshold: number, rows: number): number {
  return Math.max(1, Math.ceil(Math.log(1 - RECALL) / Math.log1p(-(threshold ** rows))));
}

/** Makes the key of each band of a set, which is not empty: 32-bit numbers, the same for sets that agree in the band. */
export type BandHasher = (shingles: Float64Array) => Generator<void, Int32Array>;

/** Hashes of one band that take some milliseconds. */
const LONG_BAND = 1_000_000;

/**
 * Makes a hasher, whose functions are the same everywhere and at all times. It writes all its answers into one array, and works in slices
 * of a few milliseconds.
 */
export function createBandHasher({ bands, rows }: Banding): BandHasher {
  const seeds = new Int32Array(bands * rows).map((_, i) => scatter(Math.imul(i + 1, 0x9e3779b1)));
  const keys = new Int32Array(bands);
  let words = new Int32Array(256);
  return function* (shingles) {
    const { length } = shingles;
    if (words.length < length) words = new Int32Array(2 * length);
    // The low 32 bits of a fingerprint.
    for (let i = 0; i < length; i++) words[i] = shingles[i]! | 0;
    for (let band = 0; band < bands; band++) {
      let key = band;
      for (let row = 0; row < rows; row++) key = scatter(key ^ minimum(words, length, seeds[band * rows + row]!));
      keys[band] = key;
      if (length * rows > LONG_BAND) yield;
    }
    return keys;
  };
}

function minimum(words: Int32Array, length: number, seed: number): number {
  let least = 0x7fffffff;
  for (let i = 0; i < length; i++) {
    let hash = Math.imul(words[i]! ^ seed, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
    if (hash < least) least = hash;
  }
  return least;
}
