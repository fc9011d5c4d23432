/**
 * What the levels from one on can add within what is left. Each of some price vectors gives a bound on that; the least of them holds. New
 * ones are found where a partial set's bound is to fall.
 */
import type { OpenCore, OpenLevel } from "./open-core.js";

/** A vector of prices, and by level the sum of what it and those after it gain at their best. */
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

  constructor({ levels, reaches }: OpenCore, prices: Float64Array) {
    this.#reaches = reaches;
    this.#levels = levels;
    this.#width = prices.length;
    this.#choices = levels.reduce((sum, { ids }) => sum + ids.length, 0);
    this.#add(prices);
  }

  get count(): number {
    return this.#vectors.length;
  }

  #add(prices: Float64Array): void {
    const gains = new Float64Array(this.#levels.length + 1);
    for (let level = this.#levels.length - 1; level >= 0; level--) {
      gains[level] = gains[level + 1]! + this.#most(level, prices);
    }
    this.steps += this.#choices;
    const width = this.#width;
    const byLevel = new Float64Array(gains.length * width);
    for (let level = 0; level < this.#levels.length; level++) {
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

  /** The most that the levels from one on can add in the room from a place of a row on; as soon as it is below `enough`, it may be more. */
  most(level: number, rooms: Float64Array, from: number, enough: number): number {
    let least = Number.POSITIVE_INFINITY;
    let user = 0;
    const width = this.#width;
    for (let i = 0; i < this.#vectors.length; i++) {
      const { prices, gains } = this.#vectors[i]!;
      let bound = gains[level]!;
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
  pricesFor(level: number, rooms: Float64Array): Float64Array {
    return this.#leastFor(level, rooms).prices;
  }

  #leastFor(level: number, rooms: Float64Array): { prices: Float64Array; bound: number } {
    const width = this.#width;
    const first = level * width;
    let { prices } = this.#vectors[0]!;
    let least = Number.POSITIVE_INFINITY;
    for (const vector of this.#vectors) {
      let bound = vector.gains[level]!;
      for (let limit = 0; limit < width; limit++) bound += vector.prices[first + limit]! * rooms[limit]!;
      if (bound >= least) continue;
      least = bound;
      prices = vector.prices;
    }
    return { prices: prices.slice(first, first + width), bound: least };
  }

  /** Looks for prices at which the levels from one on add less than `enough`, or at least less than now. True where a vector was added. */
  tighten(level: number, rooms: Float64Array, enough: number): boolean {
    const count = this.#levels.length;
    const known = this.#leastFor(level, rooms);
    let least = known.bound;
    const before = least;
    let at = known.prices;
    let best = at;
    const slopes = new Float64Array(rooms.length);
    for (let round = 0; round < ROUNDS && least >= enough; round++) {
      slopes.set(rooms);
      let bound = 0;
      for (let l = level; l < count; l++) bound += this.#take(l, at, slopes);
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
