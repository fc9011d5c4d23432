/** The levels of a web in the exact search: its situations are met as they come, for only few of them can still become the best. */
import type { Level, LevelNetwork } from "./list-search.js";
import type { PricedNetwork, TurnLevel } from "./network-price.js";
import { goTogether, type Tie } from "./web.js";
import type { PricedWeb } from "./web-prices.js";

/** How many steps an entry counts for where so many turns are open: its situation is copied and looked up. */
export function weightOf(openTurns: number): number {
  return 40 + (openTurns >> 1);
}

export interface WebAround {
  readonly price: number;
  /** What an option may lose at the price. */
  readonly slack: number;
  /** What the baseline of everything after the web loses at the price. */
  readonly leeway: number;
}

type AtPrice = Pick<WebAround, "price" | "slack">;

/** What one entry of every level of a web costs, in steps; known without the levels, which in a large web are too many to be made. */
export function stepsOfWeb(priced: PricedNetwork, web: PricedWeb, around: AtPrice): number {
  const { ahead } = web.web;
  const closing = new Int32Array(ahead.length);
  let openTurns = 0;
  let steps = 0;
  for (let at = 0; at < ahead.length; at++) {
    const last = ahead[at]!.at(-1)?.second;
    openTurns -= closing[at]!;
    if (last !== undefined) {
      openTurns++;
      closing[last]!++;
    }
    steps += weightOf(openTurns) * optionsOf(priced, web, at, around).length;
  }
  return steps;
}

/** The option of the baseline, then the others that lose no more than the slack. */
function optionsOf(priced: PricedNetwork, web: PricedWeb, at: number, { price, slack }: AtPrice): number[] {
  const base = priced.options[at]!;
  const turn = web.turns[at]!;
  const peak = priced.rest(at, 0) - priced.rest(at + 1, 0);
  const options = [base];
  turn.tokens.forEach((tokens, option) => {
    if (option === base || turn.moves[option]! < 0) return;
    if (peak - turn.values[option]! + price * tokens <= slack) options.push(option);
  });
  return options;
}

/** Levels for all turns of a web, with the options that lose no more than the slack. */
export function webLevels(priced: PricedNetwork, web: PricedWeb, around: WebAround): TurnLevel[] {
  const { options: base } = priced;
  const { price, leeway } = around;
  const worthOf = (at: number): number => web.ownValues[at]![base[at]!]! - price * web.turns[at]!.tokens[base[at]!]!;
  const restOfBase = new Float64Array(web.turns.length + 1);
  for (let at = web.turns.length - 1; at >= 0; at--) restOfBase[at] = restOfBase[at + 1]! + worthOf(at);
  const levels: TurnLevel[] = [];
  let before: WebLevel | undefined;
  web.turns.forEach((turn, at) => {
    const options = optionsOf(priced, web, at, around);
    const own = web.ownValues[at]!;
    const spare = restOfBase[at + 1]! - priced.rest(at + 1, 0) - leeway;
    before = new WebLevel(web, { at, options, spare, before });
    const level: Level = {
      tokens: Float64Array.from(options, (option) => turn.tokens[option]! - turn.tokens[base[at]!]!),
      values: Float64Array.from(options, (option) => own[option]! - own[base[at]!]!),
      ids: Int32Array.from(options, (option) => turn.ids[option]!),
      up: price,
      down: price,
      network: before,
    };
    levels.push({ level, turn: at, options: Int32Array.from(options) });
  });
  return levels;
}

interface WebLevelFields {
  readonly at: number;
  /** The options of the turn that the level's options stand for. */
  readonly options: readonly number[];
  /** What a situation in which nothing is owed over open ties loses against the baseline. */
  readonly spare: number;
  readonly before: WebLevel | undefined;
}

class WebLevel implements LevelNetwork {
  readonly weight: number;
  readonly isLast: boolean;
  /** The turns that are open after this level: decided, with a tie to one to come. */
  readonly #open: readonly number[];
  /** By situation: the options of the open turns, and what open ties moved to them. */
  readonly #taken: Uint16Array[] = [];
  readonly #owed: number[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #web: PricedWeb;
  readonly #fields: WebLevelFields;
  /** Ties to earlier turns, with the place of the other end among those open before; and ties to later ones. */
  readonly #back: { readonly tie: Tie; readonly place: number }[] = [];
  readonly #ahead: readonly Tie[];
  /** Where the options of the open turns come from: places before; the level's own option is last where it stays open. */
  readonly #kept: readonly number[];

  constructor(web: PricedWeb, fields: WebLevelFields) {
    const { at, before } = fields;
    this.#web = web;
    this.#fields = fields;
    const openBefore = before === undefined ? [] : before.#open;
    const { ahead, behind } = web.web;
    const isOpen = (turn: number): boolean => (ahead[turn]!.at(-1)?.second ?? -1) > at;
    const places = new Map(openBefore.map((turn, place) => [turn, place]));
    for (const tie of behind[at]!) this.#back.push({ tie, place: places.get(tie.first)! });
    this.#ahead = ahead[at]!;
    this.#open = [...openBefore, at].filter(isOpen);
    this.#kept = openBefore.flatMap((turn, place) => (isOpen(turn) ? [place] : []));
    this.isLast = this.#open.length === 0;
    this.weight = weightOf(this.#open.length);
  }

  move(situation: number, option: number): number {
    const { before, options } = this.#fields;
    const taken = before === undefined ? NONE : before.#taken[situation]!;
    const own = options[option]!;
    let owed = before === undefined ? 0 : before.#owed[situation]!;
    for (const { tie, place } of this.#back) {
      const other = taken[place]!;
      if (!goTogether(tie, other, own)) return -1;
      owed -= this.#web.movedToFirst[tie.number]![other]!;
    }
    for (const tie of this.#ahead) owed += this.#web.movedToFirst[tie.number]![own]!;
    const next = new Uint16Array(this.#open.length);
    for (let i = 0; i < this.#kept.length; i++) next[i] = taken[this.#kept[i]!]!;
    if (next.length > this.#kept.length) next[next.length - 1] = own;
    return this.#numberOf(next, owed);
  }

  lossOf(situation: number): number {
    return this.#fields.spare - this.#owed[situation]!;
  }

  #numberOf(taken: Uint16Array, owed: number): number {
    let key = "";
    for (const option of taken) key += String.fromCharCode(option);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.#taken.length);
    this.#owed.push(owed);
    return this.#taken.push(taken) - 1;
  }
}

const NONE = new Uint16Array();
