/**
 * The exact part of the search: the classes that the price leaves open, one after the other, each with the list of all partial sets that
 * no other dominates and that may still become the best (the expanding core of Pisinger's mcknap, "A minimal algorithm for the
 * multiple-choice knapsack problem", 1995). Entries are whole sets, what is to come standing at its baseline, so every entry that fits is
 * an answer. A search that is cut short answers with the best found and with a bound on what was not looked at.
 */
import { differenceBetween, type LastStep } from "./equals.js";
import type { Level, ListAnswer, ListSearch } from "./list-search.js";
import { mergeRows, Rows, States } from "./rows.js";
import { keyAtRank } from "./select.js";

/** Yields now and then, so that others may have a turn. */
export function* searchLists(search: ListSearch): Generator<void, ListAnswer> {
  const run = new Lists(search);
  let steps = 0;
  for (let depth = 0; depth < search.levels.length && run.isOpen; depth++) {
    if (!run.affords(depth)) break;
    run.decide(depth);
    if (run.steps - steps < STEPS_PER_SLICE) continue;
    steps = run.steps;
    yield;
  }
  return run.answer();
}

const STEPS_PER_SLICE = 20_000;

/** How often the limit of steps the last level may take. */
const OVERRUN = 2;

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
  /** By situation. */
  #lists: (Rows | undefined)[] = [new Rows()];
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

  /**
   * False, and the search ends, where a level would go far beyond the limit of steps: a level is decided whole or not at all, since only
   * then is there a bound on what was not looked at.
   */
  affords(depth: number): boolean {
    const { levels, limits } = this.#search;
    const { tokens, network } = levels[depth]!;
    if (depth === 0 || limits.steps === Number.POSITIVE_INFINITY) return true;
    const entries = this.#lists.reduce((sum, rows) => sum + (rows?.count ?? 0), 0);
    const steps = entries * tokens.length * (network?.weight ?? 1);
    if (this.steps + steps <= limits.steps * OVERRUN) return true;
    this.#stop(levels[depth - 1]!);
    return false;
  }

  /** Decides one level: every list with every option, merged by the situation that results. */
  decide(depth: number): void {
    const level = this.#search.levels[depth]!;
    const { network } = level;
    const options = level.tokens.length;
    const merged: (Rows | undefined)[] = [];
    const stepsBefore = this.steps;
    this.#onlyTies = true;
    for (let situation = 0; situation < this.#lists.length; situation++) {
      const rows = this.#lists[situation];
      if (rows === undefined || rows.count === 0) continue;
      for (let option = 0; option < options; option++) {
        const next = network === undefined ? 0 : network.move(situation, option);
        if (next < 0) continue;
        const stream = this.#expand(situation, option, level, next);
        const other = merged[next];
        merged[next] = other === undefined ? stream : this.#merge(other, stream, depth);
      }
    }
    this.#narrow(merged, level);
    for (const rows of this.#lists) if (rows !== undefined) this.#spare.push(rows);
    this.#lists = merged;
    this.#firsts = Array.from(merged, (rows) => (rows === undefined ? 0 : this.#states.add(rows)));
    if (network?.isLast !== false) this.#lookForBest(depth);
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
      const last = this.#lists[0];
      for (let i = 0; last !== undefined && i < last.count; i++) {
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
    const loss = (level.network?.lossOf(next) ?? 0) - slop;
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
    this.steps += rows.count * (level.network?.weight ?? 1);
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

  #isBetter(depth: number, a: LastStep, b: LastStep): boolean {
    const { levels, order } = this.#search;
    if (order === undefined) return true;
    const { firstHolds, steps } = differenceBetween([a, b], depth, { states: this.#states, levels, order });
    this.steps += steps;
    return firstHolds;
  }

  /** By list and entry: the most that it may become. */
  *#bounds(lists: readonly (Rows | undefined)[], { up, down, network }: Level): Generator<[Rows, Float64Array]> {
    const { capacity, slop } = this.#search;
    for (let situation = 0; situation < lists.length; situation++) {
      const rows = lists[situation];
      if (rows === undefined) continue;
      const loss = (network?.lossOf(situation) ?? 0) - slop;
      const bounds = new Float64Array(rows.count);
      for (let i = 0; i < rows.count; i++) {
        const room = capacity - rows.tokens[i]!;
        bounds[i] = rows.values[i]! - loss + room * (room >= 0 ? up : down);
      }
      yield [rows, bounds];
    }
  }

  /** Cuts the lists of a level to the widths allowed, and remembers the best bound among what is cut. */
  #narrow(lists: readonly (Rows | undefined)[], level: Level): void {
    const { width, totalWidth } = this.#search.limits;
    let total = 0;
    let widest = 0;
    for (const rows of lists) {
      if (rows === undefined) continue;
      total += Math.min(rows.count, width);
      widest = Math.max(widest, rows.count);
    }
    if (widest <= width && total <= totalWidth) return;
    this.#isCut = true;
    const bounded = [...this.#bounds(lists, level)];
    for (const part of bounded) if (part[0].count > width) this.#cut([part], width);
    if (total > totalWidth) this.#cut(bounded, totalWidth);
  }

  /** Keeps so many entries of some lists, those with the highest bounds, and their bounds with them. */
  #cut(bounded: [Rows, Float64Array][], most: number): void {
    const all = new Float64Array(bounded.reduce((sum, [rows]) => sum + rows.count, 0));
    let end = 0;
    for (const [, bounds] of bounded) {
      all.set(bounds, end);
      end += bounds.length;
    }
    const least = keyAtRank(all.slice(), all.length - most);
    let free = most;
    for (const bound of all) if (bound > least) free--;
    for (const part of bounded) {
      const flags = part[1].map((bound) => {
        if (bound > least || (bound === least && free-- > 0)) return 1;
        if (bound > this.#bound) this.#bound = bound;
        return 0;
      });
      part[0].keep(flags);
      part[1] = part[1].filter((_, i) => flags[i] === 1);
    }
  }

  #lookForBest(depth: number): void {
    const rows = this.#lists[0];
    if (rows === undefined) return;
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
    let most = Number.NEGATIVE_INFINITY;
    for (const [, bounds] of this.#bounds(this.#lists, level)) for (const bound of bounds) most = Math.max(most, bound);
    return most;
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
