/** Makes a whole set of a partial one: every level that is left takes what gains most at some prices, then limits are met and room is used. */
import type { OpenLevel } from "./open-core.js";

/** So many changes mend a set, and so many fill it up. */
const MOST_CHANGES = 24;

/** So many options that are looked at are a step. */
const LOOKS_PER_STEP = 8;

export interface Completion {
  /** By level, from the first that was left: the option. */
  readonly options: Int32Array;
  readonly value: number;
}

export interface Completed {
  /** Absent where no set was found that fits. */
  readonly found: Completion | undefined;
  readonly steps: number;
}

/** What a partial set leaves, and the options of the turns among the levels to begin with. */
export interface Begun {
  readonly rooms: Float64Array;
  readonly situation: number;
  readonly turns: Int32Array;
}

export function complete(levels: readonly OpenLevel[], begun: Begun, prices: Float64Array): Completed {
  const run = new Mending(levels, begun, prices);
  for (let change = 0; change < MOST_CHANGES && run.over > 0; change++) if (!run.mend()) break;
  if (run.over > 0) return { found: undefined, steps: run.steps };
  for (let change = 0; change < MOST_CHANGES; change++) if (!run.fill()) break;
  return { found: { options: run.options, value: run.value }, steps: run.steps };
}

class Mending {
  readonly options: Int32Array;
  value = 0;
  /** What is too much of all limits, at weights. */
  over = 0;
  #looks = 0;
  readonly #levels: readonly OpenLevel[];
  readonly #left: Float64Array;
  readonly #prices: Float64Array;
  readonly #weights: Float64Array;
  /** By level, and after the last: the situation before it. */
  readonly #situations: Int32Array;

  constructor(levels: readonly OpenLevel[], { rooms, situation, turns }: Begun, prices: Float64Array) {
    this.#levels = levels;
    this.#left = rooms.slice();
    this.#prices = prices;
    const least = prices.reduce((sum, price) => sum + price, 0) / 64 || 1;
    this.#weights = prices.map((price) => Math.max(price, least));
    let turn = 0;
    this.options = Int32Array.from(levels, (level) =>
      level.turn === undefined ? this.#mostGaining(level) : turns[turn++]!,
    );
    this.#situations = new Int32Array(levels.length + 1);
    this.#situations[0] = situation;
    this.#goOn(0);
    levels.forEach((_, level) => {
      this.#put(level, this.options[level]!, 1);
    });
    this.over = this.#overWith(undefined, 0, 0);
  }

  get steps(): number {
    return Math.ceil(this.#looks / LOOKS_PER_STEP);
  }

  /** The change that costs least for what it takes off; false where none takes anything off. */
  mend(): boolean {
    let best: readonly [number, number] | undefined;
    let least = Number.POSITIVE_INFINITY;
    this.#forEachChange((level, option, value) => {
      const over = this.#overWith(this.#levels[level]!, this.options[level]!, option);
      if (over >= this.over) return;
      const ratio = -value / (this.over - over);
      if (ratio >= least) return;
      least = ratio;
      best = [level, option];
    });
    return this.#take(best);
  }

  /** The change that is worth most of those that fit; false where none does. */
  fill(): boolean {
    let best: readonly [number, number] | undefined;
    let most = 0;
    this.#forEachChange((level, option, value) => {
      if (value <= most || this.#overWith(this.#levels[level]!, this.options[level]!, option) > 0) return;
      most = value;
      best = [level, option];
    });
    return this.#take(best);
  }

  #forEachChange(visit: (level: number, option: number, value: number) => void): void {
    for (let level = 0; level < this.#levels.length; level++) {
      const { values } = this.#levels[level]!;
      const own = this.options[level]!;
      this.#looks += values.length;
      for (let option = 0; option < values.length; option++) {
        if (option !== own && this.#isPossible(level, option)) visit(level, option, values[option]! - values[own]!);
      }
    }
  }

  /** True where the turns after one still go together with another option of it. */
  #isPossible(level: number, option: number): boolean {
    let situation = this.#situations[level]!;
    for (let at = level; ; at++) {
      const { turn, values } = this.#levels[at]!;
      if (turn === undefined) return true;
      situation = turn.moves[situation * values.length + (at === level ? option : this.options[at]!)]!;
      this.#looks++;
      if (situation < 0) return false;
      if (situation === this.#situations[at + 1]) return true;
    }
  }

  /** Follows the options of the turns from one on. */
  #goOn(from: number): void {
    for (let at = from; at < this.#levels.length; at++) {
      const { turn, values } = this.#levels[at]!;
      if (turn === undefined) continue;
      this.#situations[at + 1] = turn.moves[this.#situations[at]! * values.length + this.options[at]!]!;
    }
  }

  #take(change: readonly [number, number] | undefined): boolean {
    if (change === undefined) return false;
    const [level, option] = change;
    this.#put(level, this.options[level]!, -1);
    this.#put(level, option, 1);
    this.options[level] = option;
    if (this.#levels[level]!.turn !== undefined) this.#goOn(level);
    this.over = this.#overWith(undefined, 0, 0);
    return true;
  }

  #put(level: number, option: number, sign: number): void {
    const { values, amounts } = this.#levels[level]!;
    const width = this.#left.length;
    this.value += sign * values[option]!;
    for (let limit = 0; limit < width; limit++) this.#left[limit]! -= sign * amounts[option * width + limit]!;
  }

  #overWith(level: OpenLevel | undefined, from: number, to: number): number {
    const width = this.#left.length;
    let over = 0;
    for (let limit = 0; limit < width; limit++) {
      let left = this.#left[limit]!;
      if (level !== undefined) left += level.amounts[from * width + limit]! - level.amounts[to * width + limit]!;
      if (left < 0) over -= left * this.#weights[limit]!;
    }
    return over;
  }

  #mostGaining({ values, amounts }: OpenLevel): number {
    const width = this.#prices.length;
    let best = 0;
    let most = Number.NEGATIVE_INFINITY;
    for (let option = 0; option < values.length; option++) {
      let gain = values[option]!;
      for (let limit = 0; limit < width; limit++) gain -= this.#prices[limit]! * amounts[option * width + limit]!;
      if (gain <= most) continue;
      most = gain;
      best = option;
    }
    return best;
  }
}
