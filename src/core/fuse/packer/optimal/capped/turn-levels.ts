/** The turns of networks that prices leave open, as levels: the moves that some set makes that loses no more than the gap. */
import type { NetworkTurn } from "./network-turns.js";
import type { OpenLevel } from "./open-core.js";
import type { Priced } from "./priced.js";
import type { CappedProblem } from "./problem.js";

/** A move that is left: from a situation, by an option, to a situation. */
type Move = readonly [from: number, option: number, to: number];

/** The situations before a turn: what the turns before it gain at most, and their numbers among those that are left; -1: none. */
interface Before {
  readonly heads: Float64Array;
  readonly numbers: Int32Array;
  readonly count: number;
  /** That of the best set. */
  readonly best: number;
}

/** So many moves are looked at between two turns of others. */
const MOVES_PER_SLICE = 20_000;

/** By network that is open: its levels. Yields between parts of a few milliseconds. */
export function* turnLevels({ turns }: CappedProblem, priced: Priced, gap: number): Generator<void, OpenLevel[][]> {
  const { best } = priced.networks;
  const all = new Map<number, OpenLevel[]>();
  let before: Before = { heads: Float64Array.of(0), numbers: Int32Array.of(0), count: 1, best: 0 };
  let looked = 0;
  for (const [at, { network, turn, values }] of turns.entries()) {
    const { moves, heads } = movesLeft(at, turns[at]!, { before, priced, gap });
    const situation = turn.moves[before.best * values.length + best[at]!]!;
    const after = { heads, ...numbered(heads), best: situation };
    const left = [...new Set(moves.map(([, option]) => option))].sort((a, b) => a - b);
    if (left.length > 1 || before.count > 1 || after.count > 1) {
      const levels = all.get(network) ?? [];
      all.set(network, levels);
      const table = new Int32Array(before.count * left.length).fill(-1);
      for (const [from, option, to] of moves) {
        table[before.numbers[from]! * left.length + left.indexOf(option)] = after.numbers[to]!;
      }
      const own = { before: before.count, after: after.count, moves: table, bestBefore: before.numbers[before.best]! };
      levels.push({
        ...optionsOf(turns[at]!, left),
        place: -1,
        best: left.indexOf(best[at]!),
        second: 0,
        turn: own,
        choose: ({ turns: chosen }, option) => {
          chosen[at] = left[option]!;
        },
      });
    }
    before = after;
    looked += turn.moves.length;
    if (looked < MOVES_PER_SLICE) continue;
    looked = 0;
    yield;
  }
  return [...all.values()];
}

/** The moves of a turn that lose no more than the gap, and by situation after it the most that is gained so far. */
function movesLeft(
  at: number,
  { turn, values }: NetworkTurn,
  { before, priced, gap }: { before: Before; priced: Priced; gap: number },
): { moves: Move[]; heads: Float64Array } {
  const { chain, rests, prices } = priced.networks;
  const gains = chain.gainsOf(at, prices);
  const least = rests[0]! - gap;
  const heads = new Float64Array(turn.after).fill(Number.NEGATIVE_INFINITY);
  const moves: Move[] = [];
  for (let from = 0; from < turn.before; from++) {
    if (before.numbers[from]! < 0) continue;
    for (let option = 0; option < values.length; option++) {
      const to = turn.moves[from * values.length + option]!;
      if (to < 0) continue;
      const gained = before.heads[from]! + gains[option]!;
      if (gained + rests[chain.firsts[at + 1]! + to]! < least) continue;
      heads[to] = Math.max(heads[to]!, gained);
      moves.push([from, option, to]);
    }
  }
  return { moves, heads };
}

/** The options that are left of a turn. */
function optionsOf(
  { ids, values, amounts }: NetworkTurn,
  left: readonly number[],
): Pick<OpenLevel, "ids" | "values" | "amounts" | "touched"> {
  const width = amounts.length / values.length;
  const own = new Float64Array(left.length * width);
  const touched = new Uint8Array(width);
  left.forEach((option, i) => {
    own.set(amounts.subarray(option * width, (option + 1) * width), i * width);
  });
  own.forEach((amount, at) => {
    if (amount > 0) touched[at % width] = 1;
  });
  return {
    ids: Int32Array.from(left, (option) => ids[option]!),
    values: Float64Array.from(left, (option) => values[option]!),
    amounts: own,
    touched,
  };
}

/** The situations that are reached, numbered from 0. */
function numbered(heads: Float64Array): Pick<Before, "numbers" | "count"> {
  let count = 0;
  const numbers = Int32Array.from(heads, (gained) => (gained === Number.NEGATIVE_INFINITY ? -1 : count++));
  return { numbers, count };
}
