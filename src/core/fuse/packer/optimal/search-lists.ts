/**
 * The exact part of the search: the classes that the price leaves open, one after the other, each with the list of all partial sets that
 * no other dominates and that may still become the best (the expanding core of Pisinger's mcknap, "A minimal algorithm for the
 * multiple-choice knapsack problem", 1995). Entries are whole sets, what is to come standing at its baseline, so every entry that fits is
 * an answer. A search that is cut short answers with the best found and with a bound on what was not looked at.
 */
import type { Level, ListAnswer, ListSearch } from "./list-search.js";
import { mergeRows, Rows, States } from "./rows.js";
import { keyAtRank } from "./select.js";

/** Yields now and then, so that others may have a turn. */
export function* searchLists(search: ListSearch): Generator<void, ListAnswer> {
  const run = new Lists(search);
  let steps = 0;
  for (let depth = 0; depth < search.levels.length && run.isOpen; depth++) {
    run.decide(depth);
    if (run.steps - steps < STEPS_PER_SLICE) continue;
    steps = run.steps;
    yield;
  }
  return run.answer();
}

const STEPS_PER_SLICE = 20_000;

/** So many steps lie between two looks at whether the best is good enough. */
const PATIENCE = 100_000;

/** A set that the search found: a state, and the level after which everything stands at its baseline. */
interface Found {
  readonly state: number;
  readonly levels: number;
}

class Lists {
  steps = 0;
  /** False once a limit is reached. */
  isOpen = true;
  readonly #search: ListSearch;
  readonly #states = new States();
  #lists: Rows[] = [new Rows()];
  /** Number of the state of each list's first entry. */
  #firsts: number[] = [0];
  #value: number;
  #tokens: number;
  #found: Found | undefined;
  #bound = Number.NEGATIVE_INFINITY;
  #tieSteps = 0;
  #nextLook = PATIENCE;
  #onlyTies = true;
  #isCut = false;
  readonly #spare: Rows[] = [];

  constructor(search: ListSearch) {
    this.#search = search;
    this.#value = search.best.value;
    this.#tokens = search.best.tokens;
    this.#lists[0]!.push(search.tokens, search.value, -1, 0);
  }

  /** Decides one level: every list with every option, merged by the situation that results. */
  decide(depth: number): void {
    const level = this.#search.levels[depth]!;
    const { moves, after } = level.network ?? FREE;
    const options = level.tokens.length;
    const merged: Rows[] = Array.from({ length: after }, () => this.#takeRows());
    const stepsBefore = this.steps;
    this.#onlyTies = true;
    for (let situation = 0; situation < this.#lists.length; situation++) {
      for (let option = 0; option < options; option++) {
        const next = level.network === undefined ? 0 : moves[situation * options + option]!;
        if (next < 0 || this.#lists[situation]!.count === 0) continue;
        const stream = this.#expand(situation, option, level, next);
        merged[next] = this.#merge(merged[next]!, stream, depth);
      }
    }
    for (let next = 0; next < after; next++) this.#narrow(merged[next]!, level, next);
    this.#spare.push(...this.#lists);
    this.#lists = merged;
    this.#firsts = merged.map((rows) => this.#states.add(rows));
    if (level.network?.isLast !== false) this.#lookForBest(depth);
    if (this.#onlyTies) this.#tieSteps += this.steps - stepsBefore;
    const { limits } = this.#search;
    if (depth + 1 === this.#search.levels.length) return;
    const isSpent = this.steps > limits.steps || this.#tieSteps > limits.tieSteps;
    if (isSpent || limits.isLate?.() || this.#isGoodEnough(level)) this.#stop(level);
  }

  answer(): ListAnswer {
    const { levels } = this.#search;
    let found = this.#found;
    if (this.isOpen && !this.#isCut) {
      // Of equals the lists kept the better ones, so what is in the last list is the answer.
      const last = this.#lists[0]!;
      for (let i = 0; i < last.count; i++) {
        if (last.values[i] === this.#value && last.tokens[i] === this.#tokens)
          found = { state: this.#firsts[0]! + i, levels: levels.length };
      }
    }
    return {
      options: found && this.#optionsOf(found),
      tokens: this.#tokens,
      value: this.#value,
      bound: Math.max(this.#value, this.#bound),
      isComplete: this.isOpen && !this.#isCut,
      steps: this.steps,
    };
  }

  /** The entries of a list with an option, without those that can neither beat nor equal the best. */
  #expand(situation: number, option: number, level: Level, next: number): Rows {
    const rows = this.#lists[situation]!;
    const first = this.#firsts[situation]!;
    const stream = this.#takeRows();
    const { capacity, slop } = this.#search;
    const { up, down } = level;
    const dt = level.tokens[option]!;
    const dv = level.values[option]!;
    const loss = (level.network?.losses[next] ?? 0) - slop;
    const better = this.#value + 1;
    for (let i = 0; i < rows.count; i++) {
      const tokens = rows.tokens[i]! + dt;
      const value = rows.values[i]! + dv;
      const most = value - loss;
      const room = capacity - tokens;
      const roomOfBest = this.#tokens - tokens;
      const beats =
        most + room * (room >= 0 ? up : down) >= better ||
        most + (roomOfBest - 1) * (roomOfBest >= 1 ? up : down) >= this.#value;
      if (beats) this.#onlyTies = false;
      else if (most + roomOfBest * (roomOfBest >= 0 ? up : down) < this.#value) continue;
      stream.push(tokens, value, first + i, option);
    }
    this.steps += rows.count;
    return stream;
  }

  #merge(a: Rows, b: Rows, depth: number): Rows {
    const [emptied, result] = a.count === 0 ? [a, b] : [b, a];
    if (emptied.count === 0) {
      this.#spare.push(emptied);
      return result;
    }
    const merged = this.#takeRows();
    mergeRows(a, b, merged, (parentA, optionA, parentB, optionB) =>
      this.#isBetter(depth, [parentA, optionA], [parentB, optionB]),
    );
    this.#spare.push(a, b);
    return merged;
  }

  /** Rows that are used no more are used again: to allocate them anew for each option would cost more than to fill them. */
  #takeRows(): Rows {
    const rows = this.#spare.pop() ?? new Rows();
    rows.count = 0;
    return rows;
  }

  /** Goes back from two equal entries to the state that both came from, and finds the earliest thing in which they differ. */
  #isBetter(depth: number, a: readonly [number, number], b: readonly [number, number]): boolean {
    const { levels, order } = this.#search;
    if (order === undefined) return true;
    let [parentA, optionA] = a;
    let [parentB, optionB] = b;
    let earliest = -1;
    let firstHolds = true;
    for (let level = depth; ; level--) {
      if (optionA !== optionB) {
        const { ids } = levels[level]!;
        const found = order.firstDifference(ids[optionA]!, ids[optionB]!);
        if (found.place >= 0 && (earliest < 0 || order.comparePlaces(found.place, earliest) < 0)) {
          earliest = found.place;
          firstHolds = found.firstHolds;
        }
      }
      this.steps++;
      if (parentA === parentB) return firstHolds;
      optionA = this.#states.optionOf(parentA);
      optionB = this.#states.optionOf(parentB);
      parentA = this.#states.parentOf(parentA);
      parentB = this.#states.parentOf(parentB);
    }
  }

  #boundOf(rows: Rows, i: number, { up, down, network }: Level, next: number): number {
    const room = this.#search.capacity - rows.tokens[i]!;
    return rows.values[i]! - (network?.losses[next] ?? 0) + (room >= 0 ? room * up : room * down) + this.#search.slop;
  }

  /** Cuts a list to the width allowed, and remembers the best bound among what is cut. */
  #narrow(rows: Rows, level: Level, next: number): void {
    const { width } = this.#search.limits;
    if (rows.count <= width) return;
    this.#isCut = true;
    const bounds = new Float64Array(rows.count);
    for (let i = 0; i < rows.count; i++) bounds[i] = this.#boundOf(rows, i, level, next);
    const least = keyAtRank(bounds.slice(), rows.count - width);
    const flags = new Uint8Array(rows.count);
    let free = width;
    for (let i = 0; i < rows.count; i++) {
      if (bounds[i]! <= least) continue;
      flags[i] = 1;
      free--;
    }
    for (let i = 0; i < rows.count; i++) {
      if (bounds[i] === least && free > 0) {
        flags[i] = 1;
        free--;
      }
      if (flags[i] === 0 && bounds[i]! > this.#bound) this.#bound = bounds[i]!;
    }
    rows.keep(flags);
  }

  #lookForBest(depth: number): void {
    const rows = this.#lists[0]!;
    const { capacity } = this.#search;
    // Values rise with the tokens, so the last that fits is the best.
    let i = rows.count - 1;
    while (i >= 0 && rows.tokens[i]! > capacity) i--;
    if (i < 0) return;
    const value = rows.values[i]!;
    const tokens = rows.tokens[i]!;
    if (value < this.#value || (value === this.#value && tokens >= this.#tokens)) return;
    this.#value = value;
    this.#tokens = tokens;
    this.#found = { state: this.#firsts[0]! + i, levels: depth + 1 };
  }

  #stop(level: Level): void {
    this.isOpen = false;
    this.#bound = Math.max(this.#bound, this.#openBound(level));
  }

  #openBound(level: Level): number {
    let bound = Number.NEGATIVE_INFINITY;
    this.#lists.forEach((rows, next) => {
      for (let i = 0; i < rows.count; i++) bound = Math.max(bound, this.#boundOf(rows, i, level, next));
    });
    return bound;
  }

  #isGoodEnough(level: Level): boolean {
    if (this.steps < this.#nextLook) return false;
    this.#nextLook = this.steps + PATIENCE;
    return Math.max(this.#bound, this.#openBound(level)) <= this.#value + this.#search.limits.goodEnough;
  }

  #optionsOf({ state, levels }: Found): Int32Array {
    const options = new Int32Array(this.#search.levels.length);
    for (let level = levels - 1, at = state; level >= 0; level--) {
      options[level] = this.#states.optionOf(at);
      at = this.#states.parentOf(at);
    }
    return options;
  }
}

const FREE = { moves: new Int32Array(1), after: 1 };
