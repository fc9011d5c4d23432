/**
 * What the levels from one on can add within what is left. Each of some price vectors gives a bound on that; the least of them holds. New
 * ones are found where a partial set's bound is to fall.
 */
import type { Front } from "./front.js";
import type { OpenCore, OpenLevel } from "./open-core.js";
import { type ChainTurn, TurnChain } from "./turn-chain.js";

/** What is left, and the situation in which a network is left. */
export interface Rest {
  readonly rooms: Float64Array;
  readonly situation: number;
}

/** A vector of prices, and by level, of a turn by situation, the sum of what it and those after it gain at their best. */
interface Vector {
  /** By level and limit: 0 where neither that level nor one after it takes of the limit. */
  readonly prices: Float64Array;
  readonly gains: Float64Array;
  uses: number;
}

/** So many vectors are kept: each is asked for every partial set. */
const MOST_VECTORS = 16;

export class RestBounds {
  readonly #levels: readonly OpenLevel[];
  readonly #width: number;
  #vectors: Vector[] = [];
  /** Steps spent on new prices. */
  steps = 0;
  readonly #choices: number;

  readonly #reaches: Int32Array;
  /** The turns among the levels. */
  readonly #turns: readonly (OpenLevel & ChainTurn)[];
  readonly #chain: TurnChain;
  /** By level, and past the last: how many turns are before it. */
  readonly #turnsBefore: Int32Array;
  /** By level: where its gains stand. */
  readonly #firsts: Int32Array;

  constructor({ levels, reaches }: OpenCore, prices: Float64Array) {
    this.#reaches = reaches;
    this.#levels = levels;
    this.#width = prices.length;
    this.#turns = levels.filter((level): level is OpenLevel & ChainTurn => level.turn !== undefined);
    this.#chain = new TurnChain(this.#turns);
    this.#choices = levels.reduce((sum, { ids }) => sum + ids.length, this.#chain.size);
    this.#turnsBefore = new Int32Array(levels.length + 1);
    this.#firsts = new Int32Array(levels.length + 1);
    levels.forEach(({ turn }, level) => {
      this.#turnsBefore[level + 1] = this.#turnsBefore[level]! + (turn === undefined ? 0 : 1);
      this.#firsts[level + 1] = this.#firsts[level]! + (turn?.before ?? 1);
    });
    this.#add(prices);
  }

  get count(): number {
    return this.#vectors.length;
  }

  #add(prices: Float64Array): void {
    const count = this.#levels.length;
    const firsts = this.#firsts;
    const gains = new Float64Array(firsts[count]! + 1);
    const ofTurns = this.#turns.length === 0 ? NOTHING : this.#chain.restsAt(prices);
    for (let level = count - 1, ofClasses = 0; level >= 0; level--) {
      if (this.#levels[level]!.turn === undefined) ofClasses += this.#most(level, prices);
      const first = this.#chain.firsts[this.#turnsBefore[level]!]!;
      for (let place = firsts[level]!; place < firsts[level + 1]!; place++) {
        gains[place] = ofClasses + ofTurns[first + place - firsts[level]!]!;
      }
    }
    this.steps += this.#choices;
    const width = this.#width;
    const byLevel = new Float64Array((count + 1) * width);
    for (let level = 0; level < count; level++) {
      for (let limit = 0; limit < width; limit++) {
        if (level < this.#reaches[limit]!) byLevel[level * width + limit] = prices[limit]!;
      }
    }
    this.#vectors.push({ prices: byLevel, gains, uses: 0 });
  }

  #most(level: number, prices: Float64Array): number {
    const { values, amounts } = this.#levels[level]!;
    let most = Number.NEGATIVE_INFINITY;
    for (let option = 0, at = 0; option < values.length; option++) {
      let gain = values[option]!;
      for (let limit = 0; limit < this.#width; limit++) gain -= prices[limit]! * amounts[at++]!;
      if (gain > most) most = gain;
    }
    return most;
  }

  /** The most that the levels from one on can add to a partial set; as soon as it is below `enough`, it may be more. */
  most(level: number, { rooms, situations }: Front, set: number, enough: number): number {
    const place = this.#firsts[level]! + situations[set]!;
    const from = set * this.#width;
    let least = Number.POSITIVE_INFINITY;
    let user = 0;
    const width = this.#width;
    for (let i = 0; i < this.#vectors.length; i++) {
      const { prices, gains } = this.#vectors[i]!;
      let bound = gains[place]!;
      for (let limit = 0, at = level * width; limit < width; limit++) bound += prices[at++]! * rooms[from + limit]!;
      if (bound >= least) continue;
      least = bound;
      user = i;
      if (bound < enough) break;
    }
    this.#vectors[user]!.uses++;
    return least;
  }

  /** The prices of the least bound for what the levels from one on can add. */
  pricesFor(level: number, rest: Rest): Float64Array {
    return this.#leastFor(level, rest).prices;
  }

  /** By turn from a level on: the option of the set that gains most at prices. */
  turnsFor(level: number, situation: number, prices: Float64Array): Int32Array {
    const turn = this.#turnsBefore[level]!;
    this.steps += this.#chain.size;
    return this.#chain.bestFrom({ turn, situation }, prices, this.#chain.restsAt(prices, turn));
  }

  #leastFor(level: number, { rooms, situation }: Rest): { prices: Float64Array; bound: number } {
    const width = this.#width;
    const first = level * width;
    let { prices } = this.#vectors[0]!;
    let least = Number.POSITIVE_INFINITY;
    for (const vector of this.#vectors) {
      let bound = vector.gains[this.#firsts[level]! + situation]!;
      for (let limit = 0; limit < width; limit++) bound += vector.prices[first + limit]! * rooms[limit]!;
      if (bound >= least) continue;
      least = bound;
      prices = vector.prices;
    }
    return { prices: prices.slice(first, first + width), bound: least };
  }

  /** Looks for prices at which the levels from one on add less than `enough`, or at least less than now. True where a vector was added. */
  tighten(level: number, rest: Rest, enough: number): boolean {
    const { rooms } = rest;
    const count = this.#levels.length;
    const known = this.#leastFor(level, rest);
    let least = known.bound;
    const before = least;
    let at = known.prices;
    let best = at;
    const slopes = new Float64Array(rooms.length);
    for (let round = 0; round < ROUNDS && least >= enough; round++) {
      slopes.set(rooms);
      let bound = this.#takeTurns({ turn: this.#turnsBefore[level]!, situation: rest.situation }, at, slopes);
      for (let l = level; l < count; l++) {
        if (this.#levels[l]!.turn === undefined) bound += this.#take(l, at, slopes);
      }
      this.steps += (count - level) * 3;
      for (let limit = 0; limit < rooms.length; limit++) bound += at[limit]! * rooms[limit]!;
      if (bound < least) {
        least = bound;
        best = at;
      }
      let length = 0;
      for (let limit = 0; limit < rooms.length; limit++) {
        if (at[limit] === 0 && slopes[limit]! > 0) slopes[limit] = 0;
        length += slopes[limit]! ** 2;
      }
      if (length === 0) break;
      const stride = (bound - enough) / length;
      const next = at.slice();
      for (let limit = 0; limit < rooms.length; limit++)
        next[limit] = Math.max(0, at[limit]! - stride * slopes[limit]!);
      at = next;
    }
    if (least >= before - Math.max(1, Math.abs(before - enough) * 0.02)) return false;
    if (this.#vectors.length === MOST_VECTORS) this.#drop();
    this.#add(best);
    return true;
  }

  #drop(): void {
    let least = 1;
    for (let i = 1; i < this.#vectors.length; i++) {
      if (this.#vectors[i]!.uses < this.#vectors[least]!.uses) least = i;
    }
    this.#vectors.splice(least, 1);
    for (const vector of this.#vectors) vector.uses >>= 1;
  }

  /** Takes the best set of the turns from one on out of the slopes; answers its gain. */
  #takeTurns(from: { turn: number; situation: number }, prices: Float64Array, slopes: Float64Array): number {
    if (from.turn === this.#turns.length) return 0;
    const rests = this.#chain.restsAt(prices, from.turn);
    this.steps += this.#chain.size;
    const width = this.#width;
    this.#chain.bestFrom(from, prices, rests).forEach((option, i) => {
      const { amounts } = this.#turns[from.turn + i]!;
      for (let limit = 0; limit < width; limit++) slopes[limit]! -= amounts[option * width + limit]!;
    });
    return rests[this.#chain.firsts[from.turn]! + from.situation]!;
  }

  /** Takes the choice of a level that gains most out of the slopes; answers its gain. */
  #take(level: number, prices: Float64Array, slopes: Float64Array): number {
    const { values, amounts } = this.#levels[level]!;
    const width = this.#width;
    let most = Number.NEGATIVE_INFINITY;
    let best = 0;
    for (let option = 0; option < values.length; option++) {
      let gain = values[option]!;
      for (let limit = 0; limit < width; limit++) gain -= prices[limit]! * amounts[option * width + limit]!;
      if (gain <= most) continue;
      most = gain;
      best = option;
    }
    for (let limit = 0; limit < width; limit++) slopes[limit]! -= amounts[best * width + limit]!;
    return most;
  }
}

const ROUNDS = 12;

/** What no turns gain. */
const NOTHING = new Float64Array(1);
