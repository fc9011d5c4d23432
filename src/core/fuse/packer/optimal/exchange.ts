import type { Picked } from "./core.js";
import type { Relaxed } from "./relax.js";

/** The most exchanges that are made one after the other. */
const ROUNDS = 16;

/** A class that changes to another of its choices, and what that brings. */
interface Move {
  readonly c: number;
  readonly choice: number;
  readonly tokens: number;
  readonly value: number;
}

/**
 * Improves a set by pairs: one class changes to a cheaper choice, and another spends what that frees and what was left. Of all pairs among
 * the classes given the best is made, again and again while one gains. O(n log n) a round.
 */
export function exchangePairs({ classes, capacity }: Relaxed, from: Picked, among: Int32Array): Picked {
  const { starts, tokens, values } = classes;
  let best = from;
  for (let round = 0; round < ROUNDS; round++) {
    const downs: Move[] = [];
    const ups: Move[] = [];
    for (const c of among) {
      const base = best.picks[c]!;
      for (let choice = starts[c]!; choice < starts[c + 1]!; choice++) {
        const move = { c, choice, tokens: tokens[choice]! - tokens[base]!, value: values[choice]! - values[base]! };
        if (choice < base) downs.push(move);
        else if (choice > base) ups.push(move);
      }
    }
    const pair = bestPair(downs, ups, capacity - best.tokens);
    if (pair === undefined) break;
    const picks = best.picks.slice();
    let { tokens: spent, value } = best;
    for (const move of pair) {
      picks[move.c] = move.choice;
      spent += move.tokens;
      value += move.value;
    }
    best = { ...best, picks, tokens: spent, value };
  }
  return best;
}

/** The pair that gains most of those that fit in the room; nothing where none gains. Of equal ones the first. */
function bestPair(downs: readonly Move[], ups: Move[], room: number): readonly [Move, Move] | undefined {
  ups.sort((a, b) => a.tokens - b.tokens);
  const greatest = greatestSoFar(ups);
  let best: readonly [Move, Move] | undefined;
  let gain = 0;
  for (const down of downs) {
    const fitting = countWithin(ups, room - down.tokens);
    if (fitting === 0) continue;
    const { first, second } = greatest[fitting - 1]!;
    const up = first.c === down.c ? second : first;
    if (up === undefined || down.value + up.value <= gain) continue;
    gain = down.value + up.value;
    best = [down, up];
  }
  return best;
}

/** By position: the move of the greatest value up to there, and the greatest of another class. */
function greatestSoFar(moves: readonly Move[]): { readonly first: Move; readonly second: Move | undefined }[] {
  let first: Move | undefined;
  let second: Move | undefined;
  return moves.map((move) => {
    if (first === undefined || move.value > first.value) {
      if (first !== undefined && first.c !== move.c) second = first;
      first = move;
    } else if (move.c !== first.c && (second === undefined || move.value > second.value)) {
      second = move;
    }
    return { first, second };
  });
}

/** How many of the first moves take no more than so many tokens. */
function countWithin(moves: readonly Move[], tokens: number): number {
  let low = 0;
  let high = moves.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (moves[middle]!.tokens <= tokens) low = middle + 1;
    else high = middle;
  }
  return low;
}
