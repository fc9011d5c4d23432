/** The needs of a web, priced: what its ties move between variables, improved a sweep at a time. */
import type { Slices } from "../../../run-in-slices.js";
import { Slice } from "../../../slice.js";
import type { Network, Turn } from "./network.js";
import type { Tie, Web } from "./web.js";

/** A network whose values hold what its ties moved; the values that its options have by themselves are kept beside. */
export interface PricedWeb extends Network {
  readonly turns: readonly (Turn & { readonly values: Float64Array })[];
  readonly web: Web;
  /** By turn. */
  readonly ownValues: readonly ArrayLike<number>[];
  /** By tie: what it adds to the options of its first, and to those of its second; together never less than 0 where they go together. */
  readonly movedToFirst: readonly Float64Array[];
  readonly movedToSecond: readonly Float64Array[];
}

/** A web before anything was moved. */
export function openWeb(network: Network & { readonly web: Web }): PricedWeb {
  const { web, turns } = network;
  const widthOf = (turn: number): number => turns[turn]!.tokens.length;
  return {
    ...network,
    turns: turns.map((turn) => ({ ...turn, values: Float64Array.from(turn.values) })),
    ownValues: turns.map(({ values }) => values),
    movedToFirst: web.ties.map(({ first }) => new Float64Array(widthOf(first))),
    movedToSecond: web.ties.map(({ second }) => new Float64Array(widthOf(second))),
  };
}

/** Tokens and value, with what was moved, of the set in which every turn takes what is worth most beyond its price. */
export function webAt({ turns }: PricedWeb, price: number, capacity: number): { tokens: number; value: number } {
  let tokensSum = 0;
  let valueSum = 0;
  for (const { tokens, values, moves } of turns) {
    let best = 0;
    let most = values[0]!;
    for (let option = 1; option < values.length; option++) {
      const worth = values[option]! - price * tokens[option]!;
      if (moves[option]! < 0 || tokens[option]! > capacity || worth < most) continue;
      if (worth === most && tokens[option]! >= tokens[best]!) continue;
      most = worth;
      best = option;
    }
    tokensSum += tokens[best]!;
    valueSum += values[best]!;
  }
  return { tokens: tokensSum, value: valueSum };
}

/** Each tie has two rows of its own, and what it moved is computed anew. */
const STEPS_PER_TIE = 16;

/**
 * Goes through the turns there and back. Each hands what it is worth beyond its price to the ties ahead of it, in equal parts, keeping a
 * part for every tie that there are fewer ahead than behind; so along a tree everything reaches the end, and the bound is exact. What is
 * moved is rounded to multiples of a unit, so that sums stay exact.
 */
export function* sweep(web: PricedWeb, price: number, unit: number): Slices<void> {
  const { ahead, behind } = web.web;
  const slice = new Slice();
  const pass = (turn: number, isForwards: boolean): void => {
    const [ties, others] = isForwards ? [ahead[turn]!, behind[turn]!] : [behind[turn]!, ahead[turn]!];
    if (ties.length === 0) return;
    const part = 1 / Math.max(ties.length, others.length);
    const { values, tokens } = web.turns[turn]!;
    const shares = new Float64Array(values.length);
    for (let option = 0; option < shares.length; option++) {
      shares[option] = Math.floor(((values[option]! - price * tokens[option]!) * part) / unit) * unit;
    }
    for (const tie of ties) hand(tie, isForwards, shares, web);
  };
  for (let turn = 0; turn < ahead.length; turn++) {
    if (slice.isOver(STEPS_PER_TIE * (1 + ahead[turn]!.length))) yield;
    pass(turn, true);
  }
  for (let turn = ahead.length - 1; turn >= 0; turn--) {
    if (slice.isOver(STEPS_PER_TIE * (1 + behind[turn]!.length))) yield;
    pass(turn, false);
  }
}

/** Takes shares from the options of one end of a tie, and gives each option of the other the greatest that it can have beside it. */
function hand(tie: Tie, isForwards: boolean, shares: Float64Array, web: PricedWeb): void {
  const [from, to] = isForwards ? [tie.first, tie.second] : [tie.second, tie.first];
  const first = web.movedToFirst[tie.number]!;
  const second = web.movedToSecond[tie.number]!;
  const [own, others] = isForwards ? [first, second] : [second, first];
  const given = web.turns[from]!.values;
  const taken = web.turns[to]!.values;
  for (let option = 0; option < own.length; option++) {
    own[option]! -= shares[option]!;
    given[option]! -= shares[option]!;
  }
  const greatest = greatestBeside(tie, isForwards, own, web);
  for (let option = 0; option < others.length; option++) {
    if (web.web.isPossible[to]![option] === 0) continue;
    taken[option]! += greatest[option]! - others[option]!;
    others[option] = greatest[option]!;
  }
}

/** By option of one end: the greatest that it can have from the other, which gives the opposite of its own. */
function greatestBeside(
  { first, second, ofFirst, ofSecond }: Tie,
  isForwards: boolean,
  own: Float64Array,
  web: PricedWeb,
): Float64Array {
  const [from, asksOfFrom, asksOfTo] = isForwards ? [first, ofSecond, ofFirst] : [second, ofFirst, ofSecond];
  const mayGive = web.web.isPossible[from]!;
  const count = web.turns[isForwards ? second : first]!.values.length;
  let mostOfFree = Number.NEGATIVE_INFINITY;
  for (let option = 0; option < own.length; option++) {
    if (mayGive[option] === 1 && !asksOfFrom.has(option)) mostOfFree = Math.max(mostOfFree, -own[option]!);
  }
  const greatest = new Float64Array(count).fill(mostOfFree);
  for (const [option, asked] of asksOfTo) {
    greatest[option] = Number.NEGATIVE_INFINITY;
    for (const other of asked) {
      const isFree = mayGive[other] === 1 && !asksOfFrom.has(other);
      if (isFree) greatest[option] = Math.max(greatest[option]!, -own[other]!);
    }
  }
  for (const [other, asked] of asksOfFrom) {
    if (mayGive[other] === 0) continue;
    for (const option of asked) {
      const isFit = asksOfTo.get(option)?.has(other) ?? true;
      if (isFit) greatest[option] = Math.max(greatest[option]!, -own[other]!);
    }
  }
  return greatest;
}
