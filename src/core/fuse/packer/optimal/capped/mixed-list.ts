/** All partial sets of the mixed classes that lose little at the prices. They take of each cap what they take, so few dominate others. */
import { differenceBetween, type LastStep } from "../equals.js";
import type { Differing, Steps } from "./block-list.js";
import { gainOf, type Priced } from "./priced.js";
import type { CappedProblem, MixedClass } from "./problem.js";

/** Sets of mixed classes; those of equally many classes stand together. */
export interface MixedSets {
  /** The entries, those that lose least first. */
  readonly entries: Uint32Array;
  tokensOf(entry: number): number;
  /** Times the scale. */
  valueOf(entry: number): number;
  lossOf(entry: number): number;
  /** What it takes of a cap. */
  demandOf(entry: number, cap: number): number;
  /** By mixed class: the choice. */
  choicesOf(entry: number): Int32Array;
  differenceBetween(a: number, b: number): Differing;
}

/** What one set counts for: it is looked up among the others. */
const SET_STEPS = 6;
const STEPS_PER_SLICE = 60_000;

/** Lists the sets; nothing where the steps are spent before the list is complete. */
export function* listMixed(
  problem: CappedProblem,
  priced: Priced,
  { threshold, steps }: { threshold: number; steps: Steps },
): Generator<void, MixedSets | undefined> {
  const { mixed } = problem;
  const table = new Table(problem);
  let start = 0;
  let next = steps.left - STEPS_PER_SLICE;
  for (const [number, one] of mixed.entries()) {
    const end = table.count;
    const options = optionsOf(one, { number, priced, threshold });
    table.open((end - start) * options.length);
    for (const option of options) {
      for (let before = start; before < end; before++) table.add(before, one, option, threshold);
      steps.left -= (end - start) * SET_STEPS;
      if (steps.left < 0 || steps.isLate?.()) return undefined;
      if (steps.left > next) continue;
      next = steps.left - STEPS_PER_SLICE;
      yield;
    }
    start = end;
  }
  return table.setsFrom(start);
}

interface MixedOption {
  readonly choice: number;
  readonly loss: number;
  /** Times the scale. */
  readonly value: number;
}

function optionsOf(
  one: MixedClass,
  { number, priced, threshold }: { number: number; priced: Priced; threshold: number },
): MixedOption[] {
  const options = Array.from(one.ids, (_, choice): MixedOption => {
    const loss = priced.mixedPeaks[number]! - gainOf(one, choice, priced);
    return { choice, loss, value: one.values[choice]! * priced.scale };
  });
  return options.filter(({ loss }) => loss <= threshold);
}

/** The sets of all levels in columns; those of one level are found by what they take. */
class Table {
  count = 1;
  readonly #problem: CappedProblem;
  #size = 1_024;
  #tokens = new Float64Array(this.#size);
  #values = new Float64Array(this.#size);
  #losses = new Float64Array(this.#size);
  #demands: Float64Array;
  #parents = new Int32Array(this.#size).fill(-1, 0, 1);
  #choices = new Int32Array(this.#size);
  /** By hash: an entry of the open level, from 1; 0: none. */
  #slots = new Int32Array(0);
  readonly #demand: Float64Array;

  constructor(problem: CappedProblem) {
    this.#problem = problem;
    this.#demands = new Float64Array(this.#size * problem.rooms.length);
    this.#demand = new Float64Array(problem.rooms.length);
  }

  /** Opens a level of at most so many sets. */
  open(most: number): void {
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(8, most * 2))));
  }

  add(before: number, one: MixedClass, { choice, loss, value }: MixedOption, threshold: number): void {
    const { capacity, rooms } = this.#problem;
    const lost = this.#losses[before]! + loss;
    const tokens = this.#tokens[before]! + one.tokens[choice]!;
    if (lost > threshold || tokens > capacity) return;
    const demand = this.#demand;
    const width = rooms.length;
    for (let cap = 0; cap < width; cap++) {
      demand[cap] = this.#demands[before * width + cap]! + one.demands[choice]![cap]!;
      if (demand[cap]! > rooms[cap]!) return;
    }
    const total = this.#values[before]! + value;
    const slot = this.#slotOf(tokens);
    const equal = this.#slots[slot]! - 1;
    if (equal >= 0) {
      const isBetter =
        total > this.#values[equal]! || (total === this.#values[equal] && this.#precedes(before, choice, equal));
      if (isBetter) this.#put(equal, { before, choice, lost, tokens, total });
      return;
    }
    if (this.count === this.#size) this.#grow();
    this.#slots[slot] = this.count + 1;
    this.#put(this.count++, { before, choice, lost, tokens, total });
  }

  setsFrom(start: number): MixedSets {
    const width = this.#demand.length;
    const entries = Uint32Array.from({ length: this.count - start }, (_, i) => start + i);
    entries.sort((a, b) => this.#losses[a]! - this.#losses[b]! || a - b);
    return {
      entries,
      tokensOf: (entry) => this.#tokens[entry]!,
      valueOf: (entry) => this.#values[entry]!,
      lossOf: (entry) => this.#losses[entry]!,
      demandOf: (entry, cap) => this.#demands[entry * width + cap]!,
      choicesOf: (entry) => this.#choicesOf(entry, this.#problem.mixed.length),
      differenceBetween: (a, b) => {
        const last = this.#problem.mixed.length - 1;
        if (a === b || last < 0) return { place: -1, firstHolds: true };
        return this.#differenceBetween(
          [this.#parents[a]!, this.#choices[a]!],
          [this.#parents[b]!, this.#choices[b]!],
          last,
        );
      },
    };
  }

  /** The slot of the set that takes as much as the one in hand, or the free one for it. */
  #slotOf(tokens: number): number {
    const demand = this.#demand;
    const width = demand.length;
    const mask = this.#slots.length - 1;
    let hash = tokens | 0;
    for (let cap = 0; cap < width; cap++) hash = Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) + (demand[cap]! | 0);
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    for (let slot = (hash ^ (hash >>> 13)) & mask; ; slot = (slot + 1) & mask) {
      const entry = this.#slots[slot]! - 1;
      if (entry < 0) return slot;
      let isEqual = this.#tokens[entry] === tokens;
      for (let cap = 0; isEqual && cap < width; cap++) isEqual = this.#demands[entry * width + cap] === demand[cap];
      if (isEqual) return slot;
    }
  }

  #put(at: number, set: { before: number; choice: number; lost: number; tokens: number; total: number }): void {
    this.#tokens[at] = set.tokens;
    this.#values[at] = set.total;
    this.#losses[at] = set.lost;
    this.#parents[at] = set.before;
    this.#choices[at] = set.choice;
    this.#demands.set(this.#demand, at * this.#demand.length);
  }

  /** True where a set stands before an equal one that is known. */
  #precedes(before: number, choice: number, known: number): boolean {
    let level = -1;
    for (let at = known; this.#parents[at]! >= 0; at = this.#parents[at]!) level++;
    const found = this.#differenceBetween([before, choice], [this.#parents[known]!, this.#choices[known]!], level);
    return found.place >= 0 && found.firstHolds;
  }

  #differenceBetween(a: LastStep, b: LastStep, depth: number): Differing {
    const states = { parentOf: (at: number) => this.#parents[at]!, optionOf: (at: number) => this.#choices[at]! };
    const { mixed, order } = this.#problem;
    return differenceBetween([a, b], depth, { states, levels: mixed, order });
  }

  #choicesOf(entry: number, levels: number): Int32Array {
    const choices = new Int32Array(levels);
    for (let level = levels - 1, at = entry; level >= 0; level--) {
      choices[level] = this.#choices[at]!;
      at = this.#parents[at]!;
    }
    return choices;
  }

  #grow(): void {
    this.#size *= 2;
    const widened = <T extends Float64Array | Int32Array>(from: T, to: T): T => {
      to.set(from);
      return to;
    };
    this.#tokens = widened(this.#tokens, new Float64Array(this.#size));
    this.#values = widened(this.#values, new Float64Array(this.#size));
    this.#losses = widened(this.#losses, new Float64Array(this.#size));
    this.#demands = widened(this.#demands, new Float64Array(this.#size * this.#demand.length));
    this.#parents = widened(this.#parents, new Int32Array(this.#size));
    this.#choices = widened(this.#choices, new Int32Array(this.#size));
  }
}
