/** Lists of partial sets of the open classes, class by class, with a bound on what was cut. */

import type { TieOrder } from "../classes.js";
import { differenceBetween } from "../equals.js";
import { States } from "../rows.js";
import { keyAtRank } from "../select.js";
import type { Steps } from "./block-list.js";
import { complete } from "./complete.js";
import { dropDominated } from "./dominance.js";
import { Front } from "./front.js";
import type { OpenCore } from "./open-core.js";
import { RestBounds } from "./rest-bounds.js";

export interface BeamSearch {
  readonly core: OpenCore;
  readonly prices: Float64Array;
  /** The value of the best set that is known: no worse one is of use; with `ties` its equals are. */
  readonly value: number;
  readonly ties: boolean;
  readonly order: TieOrder;
  /** How many partial sets are kept of a level. */
  readonly width: number;
  readonly steps: Steps;
  /** What bounds may lack for rounding. */
  readonly slop: number;
}

export interface BeamAnswer {
  /** By level: the option; absent where nothing of use was found. */
  readonly options: Int32Array | undefined;
  readonly value: number;
  /** No set has a greater value than this and the best that is known. */
  readonly bound: number;
  /** True where nothing was cut. */
  readonly isComplete: boolean;
}

/** So many partial sets of a level are made whole, at so many levels and at the end of each part. */
const COMPLETED = 3;
const COMPLETIONS = 12;

const STEPS_PER_SLICE = 10_000;

/** Among fewer partial sets it is not worth it to look for dominated ones. */
const FEW_TO_COMPARE = 16;

/** However few steps are left, so many partial sets are kept. */
const LEAST_WIDTH = 8;

/** What a partial set costs, in parts of a step: for each limit of each price vector, and beside that. */
const COST = { base: 16, vector: 1, parts: 16 };

export function* searchBeam(search: BeamSearch): Generator<void, BeamAnswer> {
  const run = new Beam(search);
  let next = search.steps.left - STEPS_PER_SLICE;
  for (let depth = 0; depth < search.core.levels.length; depth++) {
    if (!run.decide(depth)) break;
    if (search.steps.left > next) continue;
    next = search.steps.left - STEPS_PER_SLICE;
    if (search.steps.isLate?.()) {
      run.stop();
      break;
    }
    yield;
  }
  return run.answer();
}

interface Found {
  readonly value: number;
  readonly options: Int32Array;
}

class Beam {
  readonly #search: BeamSearch;
  readonly #rest: RestBounds;
  readonly #states = new States();
  readonly #width: number;
  /** By level and limit: the fewest that the levels from it on take, and what they take at their best choices; and their value there. */
  readonly #fewest: Float64Array;
  readonly #baseline: Float64Array;
  readonly #baselineValues: Float64Array;
  /** By level: how many options the levels from it on have. */
  readonly #options: Float64Array;
  #front: Front;
  #spare: Front;
  #first = 0;
  #need: number;
  #found: Found | undefined;
  #cutBound = Number.NEGATIVE_INFINITY;
  #isComplete = true;
  #slots = new Int32Array(0);
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
    this.#fewest = new Float64Array((levels.length + 1) * width);
    this.#baseline = new Float64Array((levels.length + 1) * width);
    this.#baselineValues = new Float64Array(levels.length + 1);
    this.#options = new Float64Array(levels.length + 1);
    for (let level = levels.length - 1; level >= 0; level--) {
      const { amounts, best, values } = levels[level]!;
      this.#options[level] = this.#options[level + 1]! + values.length;
      this.#baselineValues[level] = this.#baselineValues[level + 1]! + values[best]!;
      for (let limit = 0; limit < width; limit++) {
        let fewest = Number.POSITIVE_INFINITY;
        for (let at = limit; at < amounts.length; at += width) fewest = Math.min(fewest, amounts[at]!);
        this.#fewest[level * width + limit] = this.#fewest[(level + 1) * width + limit]! + fewest;
        this.#baseline[level * width + limit] =
          this.#baseline[(level + 1) * width + limit]! + amounts[best * width + limit]!;
      }
    }
    this.#front = new Front(width, 1_024);
    this.#spare = new Front(width, 1_024);
    this.#front.count = 1;
    this.#front.rooms.set(rooms);
    this.#front.values[0] = core.value;
    this.#front.bounds[0] = core.value + this.#rest.most(0, rooms, 0, Number.NEGATIVE_INFINITY);
    this.#front.parents[0] = -1;
    this.#lookForBest(-1);
  }

  /** Decides a level; false where the search is over. */
  decide(depth: number): boolean {
    const { steps, core } = this.#search;
    const { parts } = core;
    this.#expand(depth);
    this.#dominate(depth);
    if (depth % this.#stride === 0) this.#tighten(depth + 1);
    this.#narrow(depth);
    this.#first = this.#states.add(this.#front);
    this.#lookForBest(depth);
    if (depth % this.#completing === 0 || parts[depth] !== parts[depth + 1]) this.#completeBest(depth);
    if (this.#front.count === 0) return false;
    if (steps.left < 0) {
      if (depth + 1 < this.#search.core.levels.length) this.stop();
      return false;
    }
    return true;
  }

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
    const { values, amounts } = core.levels[depth]!;
    const width = this.#width;
    const from = this.#front;
    const to = this.#spare;
    to.reserve(from.count * values.length);
    const size = 2 ** Math.ceil(Math.log2(Math.max(16, from.count * values.length * 2)));
    if (this.#slots.length < size) this.#slots = new Int32Array(size);
    else this.#slots.fill(0, 0, size);
    const need = this.#need - slop;
    const fewest = (depth + 1) * width;
    let end = 0;
    for (let i = 0; i < from.count; i++) {
      for (let option = 0; option < values.length; option++) {
        const at = end * width;
        let fits = true;
        for (let limit = 0; limit < width && fits; limit++) {
          const room = from.rooms[i * width + limit]! - amounts[option * width + limit]!;
          // What is left of a limit of which nothing more is taken tells no sets apart.
          to.rooms[at + limit] = limit === 0 || room < 0 || depth + 1 < core.reaches[limit]! ? room : 0;
          fits = room >= this.#fewest[fewest + limit]!;
        }
        if (!fits) continue;
        const value = from.values[i]! + values[option]!;
        const bound = value + this.#rest.most(depth + 1, to.rooms, at, need - value);
        if (bound < need) continue;
        to.values[end] = value;
        to.bounds[end] = Math.min(bound, from.bounds[i]!);
        to.parents[end] = this.#first + i;
        to.options[end] = option;
        if (this.#isNew(to, end, depth, size - 1)) end++;
      }
    }
    steps.left -= Math.ceil(
      (from.count * values.length * (COST.base + COST.vector * this.#rest.count * width)) / COST.parts,
    );
    to.count = end;
    this.#front = to;
    this.#spare = from;
  }

  /** False where an equal is known that takes as much; it holds the better of the two afterwards. */
  #isNew(front: Front, at: number, depth: number, mask: number): boolean {
    const { rooms, values } = front;
    const width = this.#width;
    let hash = 0;
    for (let limit = 0; limit < width; limit++) {
      hash = Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) + (rooms[at * width + limit]! | 0);
    }
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    for (let slot = (hash ^ (hash >>> 13)) & mask; ; slot = (slot + 1) & mask) {
      const known = this.#slots[slot]! - 1;
      if (known < 0) {
        this.#slots[slot] = at + 1;
        return true;
      }
      let isEqual = true;
      for (let limit = 0; limit < width && isEqual; limit++) {
        isEqual = rooms[known * width + limit] === rooms[at * width + limit];
      }
      if (!isEqual) continue;
      const isBetter =
        values[at]! > values[known]! || (values[at] === values[known] && this.#precedes(front, at, known, depth));
      if (!isBetter) return false;
      values[known] = values[at]!;
      front.bounds[known] = front.bounds[at]!;
      front.parents[known] = front.parents[at]!;
      front.options[known] = front.options[at]!;
      return false;
    }
  }

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
      const rooms = front.rooms.slice(top * width, (top + 1) * width);
      const need = this.#need - slop;
      if (!this.#rest.tighten(level, rooms, need - front.values[top]!)) break;
      for (let i = 0; i < front.count; i++) {
        const bound = front.values[i]! + this.#rest.most(level, front.rooms, i * width, need - front.values[i]!);
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
    const affordable = Math.floor(steps.left / (Math.max(1, this.#options[depth + 1]!) * cost));
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
    const isLast = level === this.#search.core.levels.length;
    let best = -1;
    let most = this.#found?.value ?? (this.#search.ties ? this.#search.value - 1 : this.#search.value);
    let room = 0;
    for (let i = 0; i < front.count; i++) {
      const value = front.values[i]! + this.#baselineValues[level]!;
      if (value < most || (value === most && !isLast)) continue;
      let fits = true;
      for (let limit = 0; limit < width && fits; limit++) {
        fits = front.rooms[i * width + limit]! >= this.#baseline[level * width + limit]!;
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
    const width = this.#width;
    const rest = levels.slice(depth + 1);
    if (rest.length === 0) return;
    const highest = highestOf(front, COMPLETED);
    for (const set of highest) {
      const rooms = front.rooms.slice(set * width, (set + 1) * width);
      const { found, steps } = complete(rest, rooms, this.#rest.pricesFor(depth + 1, rooms));
      this.#search.steps.left -= steps;
      if (found === undefined) continue;
      const value = front.values[set]! + found.value;
      if (value <= (this.#found?.value ?? this.#search.value)) continue;
      const options = this.#optionsOf(depth, this.#first + set);
      options.set(found.options, depth + 1);
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

/** The sets with the highest bounds, of equals the first. */
function highestOf({ bounds, count }: Front, most: number): number[] {
  const highest: number[] = [];
  for (let set = 0; set < count; set++) {
    let at = highest.length;
    while (at > 0 && bounds[set]! > bounds[highest[at - 1]!]!) at--;
    if (at < most) highest.splice(at, 0, set);
    if (highest.length > most) highest.pop();
  }
  return highest;
}
