/** Networks at a price per token: the best set of each, and the moves that the price leaves open. */

import type { Level } from "./list-search.js";
import type { Network } from "./network.js";
import type { NetworkAtPrice } from "./network-rows.js";
import type { PricedWeb } from "./web-prices.js";

/** A network at a price; of a web the options are those of a good set, not always of the best. */
export interface PricedNetwork extends NetworkAtPrice {
  readonly network: Network;
  /** Of a web: what its ties moved. */
  readonly priced?: PricedWeb;
}

/** A level and the options of the turn that it stands for. */
export interface TurnLevel {
  readonly level: Level;
  readonly turn: number;
  readonly options: ArrayLike<number>;
}

/** Levels of a network for the moves that lose no more than the slack; none where that is its best set alone. */
export function turnLevels(
  priced: PricedNetwork,
  price: number,
  around: { slack: number; leeway: number },
): TurnLevel[] {
  const levels: TurnLevel[] = [];
  if (isClosed(priced, price, around.slack)) return levels;
  const { network, peak, options: best } = priced;
  let reached = new Float64Array(1);
  let numbers: Int32Array = Int32Array.of(0);
  let situationOfBest = 0;
  network.turns.forEach((turn, at) => {
    const width = turn.tokens.length;
    const next = new Float64Array(turn.after).fill(Number.NEGATIVE_INFINITY);
    const isOpen = (situation: number, option: number): boolean => {
      const to = turn.moves[situation * width + option]!;
      if (to < 0 || numbers[situation]! < 0) return false;
      const worth = reached[situation]! + turn.values[option]! - price * turn.tokens[option]!;
      if (!(peak - worth - priced.rest(at + 1, to) <= around.slack)) return false;
      next[to] = Math.max(next[to]!, worth);
      return true;
    };
    const base = best[at]!;
    const options = [base];
    // The moves that are open, two numbers each: the situation, and the option.
    const open: number[] = [];
    for (let situation = 0; situation < turn.before; situation++) {
      for (let option = 0; option < width; option++) {
        if (!isOpen(situation, option)) continue;
        open.push(situation, option);
        if (!options.includes(option)) options.push(option);
      }
    }
    const nextNumbers = numberReached(next);
    situationOfBest = turn.moves[situationOfBest * width + base]!;
    const restOfBest = priced.rest(at + 1, situationOfBest);
    const before = count(numbers);
    const after = count(nextNumbers);
    if (before > 1 || after > 1 || options.length > 1) {
      const moves = new Int32Array(before * options.length).fill(-1);
      for (let k = 0; k < open.length; k += 2) {
        const situation = open[k]!;
        const option = open[k + 1]!;
        const to = nextNumbers[turn.moves[situation * width + option]!]!;
        moves[numbers[situation]! * options.length + options.indexOf(option)] = to;
      }
      const losses = new Float64Array(after);
      nextNumbers.forEach((number, situation) => {
        if (number >= 0) losses[number] = restOfBest - priced.rest(at + 1, situation) - around.leeway;
      });
      const level: Level = {
        tokens: beyond(turn.tokens, base, options),
        values: beyond(turn.values, base, options),
        ids: new Int32Array(options.map((option) => turn.ids[option]!)),
        up: price,
        down: price,
        network: {
          move: (situation, option) => moves[situation * options.length + option]!,
          lossOf: (situation) => losses[situation]!,
          weight: 1,
          isLast: after === 1,
        },
      };
      levels.push({ level, turn: at, options });
    }
    reached = next;
    numbers = nextNumbers;
  });
  return levels;
}

/**
 * True where the best set of a network is the only one that loses no more than the slack. Another one leaves it at some turn for another
 * option, and from there on does at best what is best in the situation after that.
 */
function isClosed(priced: PricedNetwork, price: number, slack: number): boolean {
  const { turns } = priced.network;
  let situation = 0;
  for (let at = 0; at < turns.length; at++) {
    const { moves, tokens, values } = turns[at]!;
    const width = tokens.length;
    const base = priced.options[at]!;
    const rest = priced.rest(at, situation);
    for (let option = 0; option < width; option++) {
      const to = moves[situation * width + option]!;
      if (option === base || to < 0) continue;
      if (rest - (values[option]! - price * tokens[option]! + priced.rest(at + 1, to)) <= slack) return false;
    }
    situation = moves[situation * width + base]!;
  }
  return true;
}

/** How far the numbers of options lie above that of the base. */
function beyond(numbers: ArrayLike<number>, base: number, options: readonly number[]): Float64Array {
  const differences = new Float64Array(options.length);
  for (let at = 0; at < differences.length; at++) differences[at] = numbers[options[at]!]! - numbers[base]!;
  return differences;
}

function numberReached(reached: Float64Array): Int32Array {
  let numbered = 0;
  const numbers = new Int32Array(reached.length);
  for (let at = 0; at < numbers.length; at++) numbers[at] = reached[at] === Number.NEGATIVE_INFINITY ? -1 : numbered++;
  return numbers;
}

function count(numbers: Int32Array): number {
  return numbers.reduce((sum, number) => (number < 0 ? sum : sum + 1), 0);
}
