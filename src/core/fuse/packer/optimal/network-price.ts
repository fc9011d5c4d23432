/** Networks at a price per token: the best set of each, and the moves that the price leaves open. */

import type { Level } from "./list-search.js";
import type { Network } from "./network.js";
import type { PricedWeb } from "./web-prices.js";

/** A network at a price. */
export interface PricedNetwork {
  readonly network: Network;
  /** By turn: the option of the set that is worth most beyond its price, of equals the one with the fewest tokens; of a web, of a good one. */
  readonly options: Int32Array;
  readonly tokens: number;
  readonly value: number;
  /** The most that any set is worth beyond its price. */
  readonly peak: number;
  /** Of a web: what its ties moved. */
  readonly priced?: PricedWeb;
  /** By turn, and one past the last, by situation before it: the most that the turns from there on are worth beyond their price. */
  readonly rests: readonly Float64Array[];
}

/** Goes back through the turns. O(situations x options). Options of more tokens than the capacity are not taken. */
export function priceNetwork(network: Network, price: number, capacity: number): PricedNetwork {
  const { turns } = network;
  const rests: Float64Array[] = new Array(turns.length + 1);
  const choices: Int32Array[] = new Array(turns.length);
  rests[turns.length] = new Float64Array(1);
  let restTokens = new Float64Array(1);
  for (let at = turns.length - 1; at >= 0; at--) {
    const { before, moves, tokens, values } = turns[at]!;
    const width = tokens.length;
    const rest = new Float64Array(before).fill(Number.NEGATIVE_INFINITY);
    const spent = new Float64Array(before);
    const chosen = new Int32Array(before);
    for (let situation = 0; situation < before; situation++) {
      for (let option = 0; option < width; option++) {
        const next = moves[situation * width + option]!;
        if (next < 0 || tokens[option]! > capacity) continue;
        const worth = values[option]! - price * tokens[option]! + rests[at + 1]![next]!;
        const total = tokens[option]! + restTokens[next]!;
        if (worth < rest[situation]! || (worth === rest[situation] && total >= spent[situation]!)) continue;
        rest[situation] = worth;
        spent[situation] = total;
        chosen[situation] = option;
      }
    }
    rests[at] = rest;
    choices[at] = chosen;
    restTokens = spent;
  }
  return { network, rests, peak: rests[0]![0]!, ...follow(network, choices) };
}

function follow(
  { turns }: Network,
  choices: readonly Int32Array[],
): Pick<PricedNetwork, "options" | "tokens" | "value"> {
  const options = new Int32Array(turns.length);
  let tokens = 0;
  let value = 0;
  let situation = 0;
  turns.forEach((turn, at) => {
    const option = choices[at]![situation]!;
    options[at] = option;
    tokens += turn.tokens[option]!;
    value += turn.values[option]!;
    situation = turn.moves[situation * turn.tokens.length + option]!;
  });
  return { options, tokens, value };
}

/** A level and the options of the turn that it stands for. */
export interface TurnLevel {
  readonly level: Level;
  readonly turn: number;
  readonly options: Int32Array;
}

/** Levels of a network for the moves that lose no more than the slack; none where that is its best set alone. */
export function turnLevels(
  priced: PricedNetwork,
  price: number,
  around: { slack: number; leeway: number },
): TurnLevel[] {
  const { network, rests, peak, options: best } = priced;
  const levels: TurnLevel[] = [];
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
      if (!(peak - worth - rests[at + 1]![to]! <= around.slack)) return false;
      next[to] = Math.max(next[to]!, worth);
      return true;
    };
    const open: [situation: number, option: number][] = [];
    for (let situation = 0; situation < turn.before; situation++) {
      for (let option = 0; option < width; option++) if (isOpen(situation, option)) open.push([situation, option]);
    }
    const nextNumbers = numberReached(next);
    const base = best[at]!;
    const options = [base, ...new Set(open.map(([, option]) => option).filter((option) => option !== base))];
    situationOfBest = turn.moves[situationOfBest * width + base]!;
    const restOfBest = rests[at + 1]![situationOfBest]!;
    const before = count(numbers);
    const after = count(nextNumbers);
    if (before > 1 || after > 1 || options.length > 1) {
      const moves = new Int32Array(before * options.length).fill(-1);
      for (const [situation, option] of open) {
        const to = nextNumbers[turn.moves[situation * width + option]!]!;
        moves[numbers[situation]! * options.length + options.indexOf(option)] = to;
      }
      const losses = new Float64Array(after);
      nextNumbers.forEach((number, situation) => {
        if (number >= 0) losses[number] = restOfBest - rests[at + 1]![situation]! - around.leeway;
      });
      const level: Level = {
        tokens: Float64Array.from(options, (option) => turn.tokens[option]! - turn.tokens[base]!),
        values: Float64Array.from(options, (option) => turn.values[option]! - turn.values[base]!),
        ids: Int32Array.from(options, (option) => turn.ids[option]!),
        up: price,
        down: price,
        network: {
          move: (situation, option) => moves[situation * options.length + option]!,
          lossOf: (situation) => losses[situation]!,
          weight: 1,
          isLast: after === 1,
        },
      };
      levels.push({ level, turn: at, options: Int32Array.from(options) });
    }
    reached = next;
    numbers = nextNumbers;
  });
  return levels;
}

function numberReached(reached: Float64Array): Int32Array {
  let numbered = 0;
  return Int32Array.from(reached, (worth) => (worth === Number.NEGATIVE_INFINITY ? -1 : numbered++));
}

function count(numbers: Int32Array): number {
  return numbers.reduce((sum, number) => (number < 0 ? sum : sum + 1), 0);
}
