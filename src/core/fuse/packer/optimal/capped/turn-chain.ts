/**
 * The turns of networks beside limits, one network after the other, at prices for the budget and the caps: what is best from a situation
 * on comes from one pass back through them, for prices of limits only change what an option is worth.
 */

/** The situations of a turn, numbered from 0; a network begins and ends with one. */
export interface Moves {
  readonly before: number;
  readonly after: number;
  /** By situation and option: the situation after; -1: impossible. */
  readonly moves: Int32Array;
}

export interface ChainTurn {
  readonly values: Float64Array;
  /** By option and limit: tokens, then what is taken of each cap. */
  readonly amounts: Float64Array;
  readonly turn: Moves;
}

export class TurnChain {
  /** By turn: the number of its first situation in the row of all; after the last comes the one in which all end. */
  readonly firsts: Int32Array;
  /** How many moves there are. */
  readonly size: number;
  readonly #turns: readonly ChainTurn[];
  readonly #gains: Float64Array;

  constructor(turns: readonly ChainTurn[]) {
    this.#turns = turns;
    this.firsts = new Int32Array(turns.length + 1);
    let size = 0;
    let widest = 0;
    turns.forEach(({ values, turn }, at) => {
      this.firsts[at + 1] = this.firsts[at]! + turn.before;
      size += turn.moves.length;
      widest = Math.max(widest, values.length);
    });
    this.size = size;
    this.#gains = new Float64Array(widest);
  }

  /** By situation: the most that its turn and those after it gain at prices. Those of turns before `from` are left out. O(moves). */
  restsAt(prices: Float64Array, from = 0): Float64Array {
    const { firsts } = this;
    const rests = new Float64Array(firsts[this.#turns.length]! + 1);
    for (let at = this.#turns.length - 1; at >= from; at--) {
      const { before, moves } = this.#turns[at]!.turn;
      const gains = this.gainsOf(at, prices);
      const width = this.#turns[at]!.values.length;
      for (let situation = 0, move = 0; situation < before; situation++) {
        let most = Number.NEGATIVE_INFINITY;
        for (let option = 0; option < width; option++) {
          const next = moves[move++]!;
          if (next < 0) continue;
          const worth = gains[option]! + rests[firsts[at + 1]! + next]!;
          if (worth > most) most = worth;
        }
        rests[firsts[at]! + situation] = most;
      }
    }
    return rests;
  }

  /** What each option of a turn gains; it holds until the next are asked for. */
  gainsOf(at: number, prices: Float64Array): Float64Array {
    const { values, amounts } = this.#turns[at]!;
    const gains = this.#gains;
    for (let option = 0, place = 0; option < values.length; option++) {
      let gain = values[option]!;
      for (let limit = 0; limit < prices.length; limit++) gain -= prices[limit]! * amounts[place++]!;
      gains[option] = gain;
    }
    return gains;
  }

  /** By turn, from one on in a situation: the option of the best set, of equals the first. */
  bestFrom(
    { turn, situation }: { turn: number; situation: number },
    prices: Float64Array,
    rests: Float64Array,
  ): Int32Array {
    const options = new Int32Array(this.#turns.length - turn);
    let now = situation;
    for (let at = turn; at < this.#turns.length; at++) {
      const { moves } = this.#turns[at]!.turn;
      const gains = this.gainsOf(at, prices);
      const width = this.#turns[at]!.values.length;
      let best = 0;
      let most = Number.NEGATIVE_INFINITY;
      for (let option = 0; option < width; option++) {
        const next = moves[now * width + option]!;
        if (next < 0) continue;
        const worth = gains[option]! + rests[this.firsts[at + 1]! + next]!;
        if (worth <= most) continue;
        most = worth;
        best = option;
      }
      options[at - turn] = best;
      now = moves[now * width + best]!;
    }
    return options;
  }
}
