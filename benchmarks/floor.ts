import { hash } from "node:crypto";
import type { ContextFragment } from "../gen/acms/v1/fragment.js";

/**
 * The least that any answer to the benchmark's question takes: sort by score, fill the budget, hash what is kept. No
 * checks, no objects, no trace, no strategy: the yardstick beside which the core is measured.
 *
 * It hashes each content as it is kept. Tuned, it hashes them after the filling in the order of the input, in which they
 * lie in memory, as the core does: by rank, the processor waits for each of them once there are more than its caches hold.
 */
export interface Floor {
  /** Positions of the kept fragments in the input, best ranked first. */
  readonly kept: Uint32Array;
  readonly totalTokens: number;
  /** Changes with any digest, so that no hash can be skipped. */
  readonly digestMark: number;
}

const DIGIT_BITS = 11;
const DIGITS = 6;
const BUCKETS = 1 << DIGIT_BITS;
const DIGIT_MASK = BUCKETS - 1;

/** Ranks by relevance (highest first, ties by node, then id), fills with a skip at each miss, and hashes the kept. */
export function runFloor(fragments: readonly ContextFragment[], tokenBudget: number, { tuned = false } = {}): Floor {
  const count = fragments.length;
  const scores = new Float64Array(count);
  const tokens = new Float64Array(count);
  for (let position = 0; position < count; position += 1) {
    const fragment = fragments[position] as ContextFragment;
    // Adding 0 turns -0 into 0: their bits differ, their order must not.
    scores[position] = (fragment.relevanceScore ?? 0.5) + 0;
    tokens[position] = fragment.tokenCount ?? 0;
  }
  const ranked = sortByScore(scores);
  orderTies(ranked, scores, fragments);

  const kept = new Uint32Array(count);
  const isKept = new Uint8Array(count);
  let keptCount = 0;
  let totalTokens = 0;
  let digestMark = 0;
  for (let rank = 0; rank < count; rank += 1) {
    const position = ranked[rank] as number;
    const total = totalTokens + (tokens[position] as number);
    if (total <= tokenBudget) {
      totalTokens = total;
      kept[keptCount] = position;
      keptCount += 1;
      if (tuned) {
        isKept[position] = 1;
      } else {
        digestMark = markOf(fragments[position] as ContextFragment, digestMark);
      }
    }
  }
  if (tuned) {
    digestMark = hashInInputOrder(fragments, isKept);
  }
  return { kept: kept.subarray(0, keptCount), totalTokens, digestMark };
}

function hashInInputOrder(fragments: readonly ContextFragment[], isKept: Uint8Array): number {
  let mark = 0;
  for (let position = 0; position < fragments.length; position += 1) {
    if (isKept[position] === 1) {
      mark = markOf(fragments[position] as ContextFragment, mark);
    }
  }
  return mark;
}

function markOf({ content }: ContextFragment, mark: number): number {
  return (mark * 31 + hash("sha256", content, "binary").charCodeAt(0)) | 0;
}

/** Positions by falling score: a stable radix sort on the bits of the (non-negative) doubles. */
function sortByScore(scores: Float64Array): Uint32Array {
  const count = scores.length;
  const words = new Uint32Array(scores.buffer);
  const histograms = countDigits(words, count);
  let source = new Uint32Array(count);
  let target = new Uint32Array(count);
  for (let position = 0; position < count; position += 1) {
    source[position] = position;
  }
  for (let digit = 0; digit < DIGITS; digit += 1) {
    const starts = histograms.subarray(digit * BUCKETS, (digit + 1) * BUCKETS);
    if (startsFromHighest(starts, count)) {
      scatter(source, target, words, digit, starts);
      [source, target] = [target, source];
    }
  }
  return source;
}

/** How often each value of each digit occurs, all digits in one pass. */
function countDigits(words: Uint32Array, count: number): Uint32Array {
  const histograms = new Uint32Array(DIGITS * BUCKETS);
  for (let position = 0; position < count; position += 1) {
    const low = words[2 * position] as number;
    const high = words[2 * position + 1] as number;
    (histograms[low & DIGIT_MASK] as number)++;
    (histograms[BUCKETS + ((low >>> 11) & DIGIT_MASK)] as number)++;
    (histograms[2 * BUCKETS + ((low >>> 22) | ((high & 1) << 10))] as number)++;
    (histograms[3 * BUCKETS + ((high >>> 1) & DIGIT_MASK)] as number)++;
    (histograms[4 * BUCKETS + ((high >>> 12) & DIGIT_MASK)] as number)++;
    (histograms[5 * BUCKETS + (high >>> 23)] as number)++;
  }
  return histograms;
}

/** Turns counts into the place where each bucket begins, the highest digit first; false where all share one digit. */
function startsFromHighest(counts: Uint32Array, count: number): boolean {
  let start = 0;
  for (let digit = BUCKETS - 1; digit >= 0; digit -= 1) {
    const size = counts[digit] as number;
    if (size === count) {
      return false;
    }
    counts[digit] = start;
    start += size;
  }
  return true;
}

function scatter(source: Uint32Array, target: Uint32Array, words: Uint32Array, digit: number, starts: Uint32Array) {
  const count = source.length;
  for (let index = 0; index < count; index += 1) {
    const position = source[index] as number;
    const bucket = readDigit(words, position, digit);
    target[starts[bucket] as number] = position;
    (starts[bucket] as number)++;
  }
}

/** Bits `11 * digit` and up of a score, whose low word comes first on every platform that Node runs on. */
function readDigit(words: Uint32Array, position: number, digit: number): number {
  const shift = digit * DIGIT_BITS;
  const low = words[2 * position] as number;
  const high = words[2 * position + 1] as number;
  if (shift >= 32) {
    return (high >>> (shift - 32)) & DIGIT_MASK;
  }
  return shift === 22 ? (low >>> 22) | ((high & 1) << 10) : (low >>> shift) & DIGIT_MASK;
}

function orderTies(ranked: Uint32Array, scores: Float64Array, fragments: readonly ContextFragment[]): void {
  const count = ranked.length;
  for (let start = 0, end = 1; end <= count; end += 1) {
    if (end === count || scores[ranked[end] as number] !== scores[ranked[start] as number]) {
      if (end - start > 1) {
        ranked.subarray(start, end).sort((left, right) => compareNames(fragments, left, right));
      }
      start = end;
    }
  }
}

function compareNames(fragments: readonly ContextFragment[], left: number, right: number): number {
  const one = fragments[left] as ContextFragment;
  const other = fragments[right] as ContextFragment;
  if (one.ukoNode !== other.ukoNode) {
    return one.ukoNode < other.ukoNode ? -1 : 1;
  }
  return one.fragmentId < other.fragmentId ? -1 : one.fragmentId > other.fragmentId ? 1 : 0;
}
