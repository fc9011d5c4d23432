/**
 * Texts as sets of shingles, after Broder, "On the resemblance and containment of documents" (1997): how alike two texts are is the share
 * of their shingles that both have.
 *
 * A shingle is three tokens in a row. A token is a word in lower case, or a mark by itself, so that `a + b` is not `a - b`; where a script
 * sets no spaces between words, each character is a token. A text of fewer than three tokens is one shingle as a whole, and so is one
 * without any. White space says nothing. What is kept of a shingle is a fingerprint of 52 bits: that two different ones agree is not to be
 * expected in 10^15 comparisons.
 */
import { CharacterClass, CLASSES } from "./character-class.js";

const { SPACE, WORD, LOW_SURROGATE } = CharacterClass;

/** Tokens of one shingle. */
const SHINGLE_TOKENS = 3;

/** The shingles of a text as fingerprints, each once, in rising order: whole numbers below 2^52. O(n log n) in the length of the text. */
export function shinglesOf(text: string): Float64Array {
  return sortedOnce(fingerprintsOf(hashTokens(normalise(text))));
}

/** Units of a text of which the shingles take some milliseconds. */
const LONG_TEXT = 100_000;

/** The same; a long text is done in slices of a few milliseconds. */
export function* shinglesInSlices(text: string): Generator<void, Float64Array> {
  if (text.length < LONG_TEXT) return shinglesOf(text);
  const normal = normalise(text);
  yield;
  const tokens = hashTokens(normal);
  yield;
  const fingerprints = fingerprintsOf(tokens);
  yield;
  return sortedOnce(fingerprints);
}

function sortedOnce(fingerprints: Float64Array): Float64Array {
  if (fingerprints.length === 1) return fingerprints;
  fingerprints.sort();
  let count = 1;
  for (let i = 1; i < fingerprints.length; i++) {
    if (fingerprints[i] !== fingerprints[i - 1]) fingerprints[count++] = fingerprints[i]!;
  }
  return fingerprints.slice(0, count);
}

const ABOVE_LATIN1 = /[^\0-\xff]/;

/** Lower case, and one way to write each character (NFC), which in Latin-1 is so already. */
function normalise(text: string): string {
  const lower = text.toLowerCase();
  return ABOVE_LATIN1.test(lower) ? lower.normalize("NFC") : lower;
}

/** The fingerprints of the shingles in the order of the text. */
function fingerprintsOf({ low, high, count }: Tokens): Float64Array {
  const shingles = new Float64Array(Math.max(1, count - SHINGLE_TOKENS + 1));
  for (let i = 0; i < shingles.length; i++) {
    let a = LOW_SEED;
    let b = HIGH_SEED;
    for (let j = i; j < Math.min(i + SHINGLE_TOKENS, count); j++) {
      a = Math.imul(rotate(a ^ low[j]!), 0x9e3779b1);
      b = Math.imul(rotate(b ^ high[j]!), 0x85ebca77);
    }
    shingles[i] = (scatter(b) >>> 12) * 2 ** 32 + (scatter(a) >>> 0);
  }
  return shingles;
}

const LOW_SEED = 0x2545f491;
const HIGH_SEED = 0x7feb352d;

interface Tokens {
  readonly low: Int32Array;
  readonly high: Int32Array;
  readonly count: number;
}

/** Two hashes of each token, independent of one another. */
function hashTokens(text: string): Tokens {
  const low = new Int32Array(text.length);
  const high = new Int32Array(text.length);
  let count = 0;
  for (let i = 0; i < text.length; ) {
    const unit = text.charCodeAt(i++);
    const kind = CLASSES[unit]!;
    if (kind === SPACE) continue;
    let a = nextLow(LOW_SEED, unit);
    let b = nextHigh(HIGH_SEED, unit);
    // A word goes on with what words are made of, a character with the second half of its surrogate pair.
    const more = kind === WORD ? WORD : LOW_SURROGATE;
    for (; i < text.length; i++) {
      const next = text.charCodeAt(i);
      if (CLASSES[next] !== more) break;
      a = nextLow(a, next);
      b = nextHigh(b, next);
    }
    low[count] = a;
    high[count++] = b;
  }
  return { low, high, count };
}

function nextLow(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

function nextHigh(hash: number, unit: number): number {
  return Math.imul(rotate(hash) ^ unit, 0x5bd1e995);
}

function rotate(value: number): number {
  return (value << 13) | (value >>> 19);
}

/** Spreads what differs over all bits (the finalizer of MurmurHash3). */
export function scatter(value: number): number {
  let hash = value ^ (value >>> 16);
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
