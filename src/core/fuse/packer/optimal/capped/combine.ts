/** The best set that can be put together of one entry of each list. */
import type { BlockList, Differing, Steps } from "./block-list.js";
import type { Priced } from "./priced.js";
import type { CappedProblem } from "./problem.js";

/** A set by its parts. */
export interface Combination {
  /** By list: the entry. */
  readonly entries: Int32Array;
  readonly tokens: number;
  /** Times the scale. */
  readonly value: number;
}

/** The lists of all blocks, in their order, and what is sought among them. */
export interface Lists {
  readonly blocks: readonly BlockList[];
  /** What a set may lose at the prices in all. */
  readonly threshold: number;
}

/** A list on the way: its entries by falling loss, and the least that it and those after it lose. */
interface Stage {
  readonly number: number;
  readonly list: BlockList;
  readonly byLoss: Uint32Array;
  /** The least that the stages from this one on lose, and the fewest tokens that they take. */
  rest: number;
  tokens: number;
}

const STEPS_PER_SLICE = 20_000;

/** So many steps a comparison of equals counts for. */
const COMPARISON_STEPS = 50;

/**
 * Tries the combinations that lose no more than the threshold; of the longest list only the best entry that fits. `isComplete` is false
 * where the steps were spent before.
 */
export function* combine(
  problem: CappedProblem,
  priced: Priced,
  { lists, steps }: { lists: Lists; steps: Steps },
): Generator<void, { best: Combination | undefined; isComplete: boolean }> {
  const stages = stagesOf(lists.blocks);
  const search = new Search(problem, stages, { lists, steps, priced });
  let next = steps.left - STEPS_PER_SLICE;
  while (search.advance()) {
    if (steps.left < 0) return { best: search.best, isComplete: false };
    if (steps.left > next) continue;
    next = steps.left - STEPS_PER_SLICE;
    if (steps.isLate?.()) return { best: search.best, isComplete: false };
    yield;
  }
  return { best: search.best, isComplete: steps.left >= 0 };
}

function stagesOf(blocks: readonly BlockList[]): Stage[] {
  const numbers = Array.from(blocks.keys()).sort((a, b) => blocks[a]!.count - blocks[b]!.count || a - b);
  const stages = numbers.map((number): Stage => {
    const list = blocks[number]!;
    const byLoss = Uint32Array.from({ length: list.count }, (_, i) => i);
    byLoss.sort((a, b) => list.losses[a]! - list.losses[b]! || a - b);
    return { number, list, byLoss, rest: 0, tokens: 0 };
  });
  let rest = 0;
  let tokens = 0;
  for (const stage of stages.toReversed()) {
    rest += stage.list.losses[stage.byLoss[0]!] ?? Number.POSITIVE_INFINITY;
    tokens += stage.list.tokens[0] ?? Number.POSITIVE_INFINITY;
    Object.assign(stage, { rest, tokens });
  }
  return stages;
}

class Search {
  best: Combination | undefined;
  readonly #problem: CappedProblem;
  readonly #stages: readonly Stage[];
  readonly #around: { readonly lists: Lists; readonly steps: Steps; readonly priced: Priced };
  /** By stage: the rank that is next, and the sums before it. */
  readonly #ranks: Int32Array;
  readonly #tokens: Float64Array;
  readonly #values: Float64Array;
  readonly #losses: Float64Array;
  readonly #caps: Float64Array[];
  readonly #entries: Int32Array;
  #depth = 0;

  constructor(
    problem: CappedProblem,
    stages: readonly Stage[],
    around: { readonly lists: Lists; readonly steps: Steps; readonly priced: Priced },
  ) {
    this.#problem = problem;
    this.#stages = stages;
    this.#around = around;
    const depths = stages.length + 1;
    this.#ranks = new Int32Array(depths);
    this.#tokens = new Float64Array(depths);
    this.#values = new Float64Array(depths);
    this.#losses = new Float64Array(depths);
    this.#caps = Array.from({ length: depths }, () => new Float64Array(problem.rooms.length));
    this.#entries = new Int32Array(stages.length);
  }

  restAt(depth: number): number {
    return this.#stages[depth]?.rest ?? 0;
  }

  /** One step; false where all combinations were tried. */
  advance(): boolean {
    const depth = this.#depth;
    if (depth < 0 || this.#stages.length === 0) return false;
    this.#around.steps.left--;
    if (depth === this.#stages.length - 1) {
      this.#finish(depth);
      this.#depth--;
      return this.#depth >= 0;
    }
    const { list, byLoss, number } = this.#stages[depth]!;
    const rank = this.#ranks[depth]!++;
    const entry = byLoss[rank];
    const { threshold } = this.#around.lists;
    if (entry === undefined || this.#losses[depth]! + list.losses[entry]! + this.restAt(depth + 1) > threshold) {
      this.#depth--;
      return this.#depth >= 0;
    }
    const tokens = this.#tokens[depth]! + list.tokens[entry]!;
    if (tokens + this.#stages[depth + 1]!.tokens > this.#problem.capacity) return true;
    const caps = this.#caps[depth + 1]!;
    caps.set(this.#caps[depth]!);
    for (const cap of list.caps) {
      caps[cap]! += list.tokens[entry]!;
      if (caps[cap]! > this.#problem.rooms[cap]!) return true;
    }
    this.#entries[number] = entry;
    this.#tokens[depth + 1] = tokens;
    this.#values[depth + 1] = this.#values[depth]! + list.values[entry]!;
    this.#losses[depth + 1] = this.#losses[depth]! + list.losses[entry]!;
    this.#ranks[depth + 1] = 0;
    this.#depth++;
    return true;
  }

  /** The last list: values rise with the tokens, so the last entry that fits is the best. */
  #finish(depth: number): void {
    const { list, number } = this.#stages[depth]!;
    const { rooms, capacity } = this.#problem;
    let room = capacity - this.#tokens[depth]!;
    for (const cap of list.caps) room = Math.min(room, rooms[cap]! - this.#caps[depth]![cap]!);
    let low = 0;
    let high = list.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (list.tokens[middle]! <= room) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return;
    this.#entries[number] = low - 1;
    this.#take(this.#tokens[depth]! + list.tokens[low - 1]!, this.#values[depth]! + list.values[low - 1]!);
  }

  #take(tokens: number, value: number): void {
    const { best } = this;
    if (best !== undefined) {
      const order = value - best.value || best.tokens - tokens;
      if (order < 0 || (order === 0 && !this.#isEarlierThan(best))) return;
    }
    this.best = { entries: this.#entries.slice(), tokens, value };
  }

  #isEarlierThan({ entries }: Combination): boolean {
    const { lists, steps } = this.#around;
    const { order } = this.#problem;
    steps.left -= COMPARISON_STEPS;
    let earliest: Differing = { place: -1, firstHolds: true };
    lists.blocks.forEach((list, i) => {
      const found = list.differenceBetween(this.#entries[i]!, entries[i]!);
      if (found.place < 0) return;
      if (earliest.place < 0 || order.comparePlaces(found.place, earliest.place) < 0) earliest = found;
    });
    return earliest.place >= 0 && earliest.firstHolds;
  }
}
