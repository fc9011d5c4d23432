/** The lists of a beam: the partial sets of one level after the other. */

import { differenceBetween } from "../equals.js";
import { States } from "../rows.js";
import { keyAtRank } from "../select.js";
import { complete } from "./complete.js";
import { dropDominated } from "./dominance.js";
import { EqualRooms } from "./equal-rooms.js";
import { Front } from "./front.js";
import { LevelSums } from "./level-sums.js";
import { RestBounds } from "./rest-bounds.js";
import type { BeamAnswer, BeamSearch } from "./search-beam.js";

/** So many partial sets of a level are made whole, at so many levels and at the end of each part. */
const COMPLETED = 3;
const COMPLETIONS = 12;

/** Among fewer partial sets it is not worth it to look for dominated ones. */
const FEW_TO_COMPARE = 16;

/** However few steps are left, so many partial sets are kept. */
const LEAST_WIDTH = 8;

/** What a partial set costs, in parts of a step: for each limit of each price vector, and beside that. */
const COST = { base: 16, vector: 1, parts: 16 };

interface Found {
  readonly value: number;
  readonly options: Int32Array;
}

export class Beam {
  readonly #search: BeamSearch;
  readonly #rest: RestBounds;
  readonly #states = new States();
  readonly #width: number;
  readonly #sums: LevelSums;
  #front: Front;
  #spare: Front;
  #first = 0;
  #need: number;
  #found: Found | undefined;
  #cutBound = Number.NEGATIVE_INFINITY;
  #isComplete = true;
  readonly #equals = new EqualRooms();
  readonly #stride: number;
  readonly #completing: number;

  constructor(search: BeamSearch) {
    this.#search = search;
    const { core, prices, ties, value } = search;
    const { levels, rooms } = core;
    const width = rooms.length;
    this.#width = width;
    this.#rest = new RestBounds(core, prices);
    this.#need = ties ? value : value + 1;
    this.#stride = Math.ceil(levels.length / 64);
    this.#completing = Math.ceil(levels.length / COMPLETIONS);
    this.#sums = new LevelSums(core);
    this.#front = new Front(width, 1_024);
    this.#spare = new Front(width, 1_024);
    this.#front.count = 1;
    this.#front.rooms.set(rooms);
    this.#front.values[0] = core.value;
    this.#front.bounds[0] = core.value + this.#rest.most(0, this.#front, 0, Number.NEGATIVE_INFINITY);
    this.#front.parents[0] = -1;
    this.#lookForBest(-1);
  }

  /** Decides a level; false where the search is over. */
  decide(depth: number): boolean {
    const { steps, core } = this.#search;
    const { parts, levels } = core;
    this.#expand(depth);
    this.#dominate(depth);
    if (depth % this.#stride === 0) this.#tighten(depth + 1);
    this.#narrow(depth);
    this.#first = this.#states.add(this.#front);
    this.#lookForBest(depth);
    if (depth % this.#completing === 0 || parts[depth] !== parts[depth + 1]) this.#completeBest(depth);
    if (this.#front.count === 0) return false;
    if (steps.left < 0) {
      if (depth + 1 < levels.length) this.stop();
      return false;
    }
    return true;
  }

  /** Ends the search before its last level: what the partial sets may become stays open. */
  stop(): void {
    this.#isComplete = false;
    for (let i = 0; i < this.#front.count; i++) this.#cutBound = Math.max(this.#cutBound, this.#front.bounds[i]!);
  }

  answer(): BeamAnswer {
    const { value, core, slop } = this.#search;
    const bound = Math.max(this.#found?.value ?? value, value, Math.floor(this.#cutBound + slop), core.outerBound);
    return { options: this.#found?.options, value: this.#found?.value ?? value, bound, isComplete: this.#isComplete };
  }

  #expand(depth: number): void {
    const { core, slop, steps } = this.#search;
    const { values, amounts, turn } = core.levels[depth]!;
    const width = this.#width;
    const from = this.#front;
    const to = this.#spare;
    to.reserve(from.count * values.length);
    this.#equals.open(from.count * values.length);
    const need = this.#need - slop;
    const fewest = (depth + 1) * width;
    let end = 0;
    for (let i = 0; i < from.count; i++) {
      for (let option = 0; option < values.length; option++) {
        const situation = turn === undefined ? 0 : turn.moves[from.situations[i]! * values.length + option]!;
        if (situation < 0) continue;
        to.situations[end] = situation;
        const at = end * width;
        let fits = true;
        for (let limit = 0; limit < width && fits; limit++) {
          const room = from.rooms[i * width + limit]! - amounts[option * width + limit]!;
          // What is left of a limit of which nothing more is taken tells no sets apart.
          to.rooms[at + limit] = limit === 0 || room < 0 || depth + 1 < core.reaches[limit]! ? room : 0;
          fits = room >= this.#sums.fewest[fewest + limit]!;
        }
        if (!fits) continue;
        const value = from.values[i]! + values[option]!;
        const bound = value + this.#rest.most(depth + 1, to, end, need - value);
        if (bound < need) continue;
        to.values[end] = value;
        to.bounds[end] = Math.min(bound, from.bounds[i]!);
        to.parents[end] = this.#first + i;
        to.options[end] = option;
        if (this.#isNew(to, end, depth)) end++;
      }
    }
    steps.left -= Math.ceil(
      (from.count * values.length * (COST.base + COST.vector * this.#rest.count * width)) / COST.parts,
    );
    to.count = end;
    this.#front = to;
    this.#spare = from;
  }

  /** False where an equal is known that leaves as much; it holds the better of the two afterwards. */
  #isNew(front: Front, at: number, depth: number): boolean {
    const known = this.#equals.find(front, at);
    if (known < 0) return true;
    const more = front.values[at]! - front.values[known]!;
    if (more > 0 || (more === 0 && this.#precedes(front, at, known, depth))) front.replace(known, at);
    return false;
  }

  /** True where, of two equal partial sets, the first is the one to keep. */
  #precedes({ parents, options }: Front, a: number, b: number, depth: number): boolean {
    const { core, order, ties } = this.#search;
    if (!ties) return false;
    const { place, firstHolds, steps } = differenceBetween(
      [
        [parents[a]!, options[a]!],
        [parents[b]!, options[b]!],
      ],
      depth,
      { states: this.#states, levels: core.levels, order },
    );
    this.#search.steps.left -= steps;
    return place >= 0 && firstHolds;
  }

  /** Where no more than one cap tells the partial sets apart beside the budget, those that others dominate are of no use. */
  #dominate(depth: number): void {
    const { reaches, starts } = this.#search.core;
    const telling = Array.from(reaches.keys()).filter(
      (cap) => cap > 0 && starts[cap]! <= depth && depth + 1 < reaches[cap]!,
    );
    if (telling.length > 1 || this.#front.count < FEW_TO_COMPARE) return;
    this.#search.steps.left -= this.#front.count;
    dropDominated(this.#front, telling[0] ?? 0);
  }

  /** Lowers the bounds of the partial sets that stand highest. */
  #tighten(level: number): void {
    const { steps, slop } = this.#search;
    const width = this.#width;
    const before = this.#rest.steps;
    for (let round = 0; round < 3 && this.#front.count > 0; round++) {
      const front = this.#front;
      let top = 0;
      for (let i = 1; i < front.count; i++) if (front.bounds[i]! > front.bounds[top]!) top = i;
      const need = this.#need - slop;
      if (!this.#rest.tighten(level, front.restOf(top), need - front.values[top]!)) break;
      for (let i = 0; i < front.count; i++) {
        const bound = front.values[i]! + this.#rest.most(level, front, i, need - front.values[i]!);
        if (bound < front.bounds[i]!) front.bounds[i] = bound;
      }
      steps.left -= Math.ceil((front.count * COST.vector * this.#rest.count * width) / COST.parts);
      front.keep((i) => front.bounds[i]! >= need);
    }
    steps.left -= this.#rest.steps - before;
  }

  /** Keeps those with the highest bounds, no more than the steps allow up to the last level. */
  #narrow(depth: number): void {
    const { width: widest, steps } = this.#search;
    const front = this.#front;
    const cost = (COST.base + COST.vector * this.#width * Math.max(8, this.#rest.count)) / COST.parts;
    const affordable = Math.floor(steps.left / (Math.max(1, this.#sums.options[depth + 1]!) * cost));
    const width = Math.min(widest, Math.max(LEAST_WIDTH, affordable));
    if (front.count <= width) return;
    this.#isComplete = false;
    const least = keyAtRank(front.bounds.slice(0, front.count), front.count - width);
    let free = width;
    for (let i = 0; i < front.count; i++) if (front.bounds[i]! > least) free--;
    front.keep((i) => {
      if (front.bounds[i]! > least || (front.bounds[i] === least && free-- > 0)) return true;
      this.#cutBound = Math.max(this.#cutBound, front.bounds[i]!);
      return false;
    });
  }

  /** What every partial set becomes with the best choices of the levels after it, where that fits. */
  #lookForBest(depth: number): void {
    const front = this.#front;
    const width = this.#width;
    const level = depth + 1;
    const { levels } = this.#search.core;
    const isLast = level === levels.length;
    const situationOfBest = levels[level]?.turn?.bestBefore ?? 0;
    let best = -1;
    let most = this.#found?.value ?? (this.#search.ties ? this.#search.value - 1 : this.#search.value);
    let room = 0;
    for (let i = 0; i < front.count; i++) {
      const value = front.values[i]! + this.#sums.values[level]!;
      if (value < most || (value === most && !isLast) || front.situations[i] !== situationOfBest) continue;
      let fits = true;
      for (let limit = 0; limit < width && fits; limit++) {
        fits = front.rooms[i * width + limit]! >= this.#sums.atBest[level * width + limit]!;
      }
      if (!fits) continue;
      if (value === most && best >= 0) {
        const order = front.rooms[i * width]! - room;
        if (order < 0 || (order === 0 && !this.#precedes(front, i, best, depth))) continue;
      }
      best = i;
      most = value;
      room = front.rooms[i * width]!;
    }
    if (best < 0) return;
    this.#found = { value: most, options: this.#optionsOf(depth, this.#first + best) };
    this.#need = Math.max(this.#need, this.#search.ties ? most : most + 1);
  }

  /** Makes whole sets of the partial ones that stand highest. */
  #completeBest(depth: number): void {
    const { levels } = this.#search.core;
    const front = this.#front;
    const level = depth + 1;
    const rest = levels.slice(level);
    if (rest.length === 0) return;
    for (const set of front.highest(COMPLETED)) {
      const left = front.restOf(set);
      const prices = this.#rest.pricesFor(level, left);
      const turns = this.#rest.turnsFor(level, left.situation, prices);
      const { found, steps } = complete(rest, { ...left, turns }, prices);
      this.#search.steps.left -= steps;
      if (found === undefined) continue;
      const value = front.values[set]! + found.value;
      if (value <= (this.#found?.value ?? this.#search.value)) continue;
      const options = this.#optionsOf(depth, this.#first + set);
      options.set(found.options, level);
      this.#found = { value, options };
      this.#need = Math.max(this.#need, this.#search.ties ? value : value + 1);
    }
  }

  #optionsOf(depth: number, state: number): Int32Array {
    const options = Int32Array.from(this.#search.core.levels, ({ best }) => best);
    for (let level = depth, at = state; level >= 0; level--) {
      options[level] = this.#states.optionOf(at);
      at = this.#states.parentOf(at);
    }
    return options;
  }
}
