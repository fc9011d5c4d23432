/** The partial sets of some open classes that lose least at the prices. */
import { reachesOf } from "./arrange.js";
import type { OpenLevel } from "./open-core.js";

/** Partial sets in columns, in what they differ from the best choices of all their classes; those that lose least first. */
export interface LeastLosses {
  readonly count: number;
  readonly losses: Float64Array;
  readonly values: Float64Array;
  /** By set and limit. */
  readonly amounts: Float64Array;
  readonly steps: number;
  /** By level: the option. */
  optionsOf(set: number): Int32Array;
}

export interface LossLimits {
  readonly prices: Float64Array;
  /** What all classes leave of each limit at their best choices; below 0 where that is too little. */
  readonly rooms: Float64Array;
  /** By limit: true where no other classes than these take something of it. What is left of it is lost too, at its price. */
  readonly isOwn: readonly boolean[];
  /** What a set may lose. */
  readonly gap: number;
  readonly most: number;
}

/** An option of a level, in what it differs from the best. */
interface Change {
  readonly option: number;
  readonly loss: number;
  readonly value: number;
  readonly amounts: Float64Array;
}

/** The sets that one level made of those before it, or that were left when a limit was closed. */
interface Column {
  readonly level: number;
  readonly changes: readonly Change[];
  readonly parents: Int32Array;
  /** By set: the number of the change. */
  readonly chosen: Uint16Array;
}

interface Merged {
  readonly losses: Float64Array;
  readonly parents: Int32Array;
  readonly chosen: Uint16Array;
}

/** So many sets that are merged, or gone back through, are a step. */
const MERGED_PER_STEP = 8;

/** Lists the so many sets that lose least, less than a gap in all. O(levels x sets) in steps. */
export function leastLosses(levels: readonly OpenLevel[], limits: LossLimits): LeastLosses {
  const run = new Lists(levels, limits);
  const closes = reachesOf(levels, limits.rooms.length);
  for (let level = 0; level <= levels.length; level++) {
    for (let limit = 0; limit < closes.length; limit++) {
      if (limits.isOwn[limit] && closes[limit] === level) run.close(limit);
    }
    if (level < levels.length) run.extend(level);
  }
  return run.answer();
}

class Lists {
  readonly #levels: readonly OpenLevel[];
  readonly #limits: LossLimits;
  readonly #columns: Column[] = [];
  /** Rising. */
  #losses: Float64Array = new Float64Array(1);
  #steps = 0;

  constructor(levels: readonly OpenLevel[], limits: LossLimits) {
    this.#levels = levels;
    this.#limits = limits;
  }

  /** Decides a level. Where every other option would lose more than all sets so far, they all keep the best one. */
  extend(level: number): void {
    const { gap, most } = this.#limits;
    const isFull = this.#losses.length >= most;
    const changes = this.#changesOf(level, isFull ? Math.min(gap, this.#losses.at(-1)!) : gap);
    if (changes.length === 1 || this.#losses.length === 0) return;
    let merged: Merged = {
      losses: this.#losses,
      parents: numbersTo(this.#losses.length),
      chosen: new Uint16Array(this.#losses.length),
    };
    for (let number = 1; number < changes.length; number++) merged = this.#merge(merged, number, changes[number]!.loss);
    const { losses, parents, chosen } = merged;
    this.#losses = losses;
    this.#columns.push({ level, changes, parents, chosen });
  }

  #merge(into: Merged, number: number, more: number): Merged {
    const { gap, most } = this.#limits;
    const from = this.#losses;
    const size = Math.min(most, into.losses.length + from.length);
    const losses = new Float64Array(size);
    const parents = new Int32Array(size);
    const chosen = new Uint16Array(size);
    let end = 0;
    for (let i = 0, j = 0; end < size; end++) {
      const own = j < from.length ? from[j]! + more : gap;
      if (i < into.losses.length && into.losses[i]! <= own) {
        losses[end] = into.losses[i]!;
        parents[end] = into.parents[i]!;
        chosen[end] = into.chosen[i++]!;
        continue;
      }
      if (own >= gap) break;
      losses[end] = own;
      parents[end] = j++;
      chosen[end] = number;
    }
    this.#steps += Math.ceil(end / MERGED_PER_STEP);
    return { losses: losses.subarray(0, end), parents: parents.subarray(0, end), chosen: chosen.subarray(0, end) };
  }

  /** Takes out what breaks a limit of which nothing more is taken, and charges the others for what they leave of it. */
  close(limit: number): void {
    const { prices, rooms, gap } = this.#limits;
    const left = new Float64Array(this.#losses.length).fill(rooms[limit]!);
    this.#forEachChange((set, { amounts }) => {
      left[set]! -= amounts[limit]!;
    });
    const losses = this.#losses.map((loss, set) => loss + prices[limit]! * left[set]!);
    const kept = numbersTo(losses.length).filter((set) => left[set]! >= 0 && losses[set]! < gap);
    kept.sort((a, b) => losses[a]! - losses[b]! || a - b);
    this.#losses = Float64Array.from(kept, (set) => losses[set]!);
    this.#columns.push({ level: -1, changes: [], parents: kept, chosen: new Uint16Array(0) });
  }

  answer(): LeastLosses {
    const count = this.#losses.length;
    const width = this.#limits.rooms.length;
    const values = new Float64Array(count);
    const amounts = new Float64Array(count * width);
    this.#forEachChange((set, change) => {
      values[set]! += change.value;
      for (let limit = 0, at = set * width; limit < width; limit++) amounts[at++]! += change.amounts[limit]!;
    });
    const optionsOf = (set: number): Int32Array => {
      const options = Int32Array.from(this.#levels, ({ best }) => best);
      let at = set;
      for (const { level, changes, parents, chosen } of this.#columns.toReversed()) {
        if (level >= 0) options[level] = changes[chosen[at]!]!.option;
        at = parents[at]!;
      }
      return options;
    };
    return { count, losses: this.#losses, values, amounts, steps: this.#steps, optionsOf };
  }

  /** The best option, then those that lose less than a limit, the least first. */
  #changesOf(level: number, limit: number): Change[] {
    const { prices } = this.#limits;
    const { values, amounts, best } = this.#levels[level]!;
    const width = prices.length;
    const changes: Change[] = [];
    for (let option = 0; option < values.length; option++) {
      const own = prices.map((_, at) => amounts[option * width + at]! - amounts[best * width + at]!);
      const charge = own.reduce((sum, amount, at) => sum + amount * prices[at]!, 0);
      const loss = option === best ? -1 : Math.max(0, values[best]! - values[option]! + charge);
      if (loss < limit) changes.push({ option, loss, value: values[option]! - values[best]!, amounts: own });
    }
    return changes.sort((a, b) => a.loss - b.loss || a.option - b.option);
  }

  /** Goes back through the choices of all sets that are not the best of their classes. */
  #forEachChange(visit: (set: number, change: Change) => void): void {
    const at = numbersTo(this.#losses.length);
    for (let number = this.#columns.length - 1; number >= 0; number--) {
      const { changes, parents, chosen } = this.#columns[number]!;
      for (let set = 0; set < at.length; set++) {
        const entry = at[set]!;
        if (chosen.length > 0 && chosen[entry] !== 0) visit(set, changes[chosen[entry]!]!);
        at[set] = parents[entry]!;
      }
      this.#steps += Math.ceil(at.length / MERGED_PER_STEP);
    }
  }
}

/** 0 and on; a loop, because the same by a function takes many times as long. */
function numbersTo(count: number): Int32Array {
  const numbers = new Int32Array(count);
  for (let i = 1; i < count; i++) numbers[i] = i;
  return numbers;
}
