/** The situations in which the open variables of a network can be, turn by turn. */
import type { Component, Option } from "./variables.js";

/** What one open variable took: an option that stands for all that mean the same to those still to come. */
interface Taken {
  readonly option: number;
  /** False while an option that is not wanted itself has not been needed by another. */
  readonly isCalledFor: boolean;
}

/** By open variable. */
type Situation = ReadonlyMap<number, Taken>;

export class Situations {
  /** False once needs were left out. */
  isExact = true;
  readonly #component: Component;
  /** By variable: those with which it has needs that are still to be looked at; of an open one those to come, of others all. */
  readonly #ties: Set<number>[];
  #situations: Situation[] = [new Map()];

  constructor(component: Component, neighbours: readonly ReadonlySet<number>[]) {
    this.#component = component;
    this.#ties = neighbours.map((near) => new Set(near));
  }

  get count(): number {
    return this.#situations.length;
  }

  /** Decides a variable; answers, by situation and option, the situation that results, or -1. */
  decide(variable: number, most: number): Int32Array {
    const options = this.#component.variables[variable]!;
    const width = options.length + 1;
    const before = this.#situations;
    const results: (Situation | undefined)[] = [];
    for (const situation of before) {
      for (let number = 0; number < width; number++) results.push(this.#take(situation, variable, number));
    }
    const open = before[0] ?? new Map();
    for (const near of [...this.#ties[variable]!]) {
      if (!open.has(near)) continue;
      this.#ties[near]!.delete(variable);
      this.#ties[variable]!.delete(near);
    }
    let moves = this.#number(results);
    while (this.#situations.length > most) {
      this.#letGo();
      moves = this.#number(results);
    }
    return moves;
  }

  /** The situation with one more variable decided; nothing where a need is not met. */
  #take(situation: Situation, variable: number, number: number): Situation | undefined {
    const ties = this.#ties[variable]!;
    const option = this.#optionOf(variable, number);
    const next = new Map(situation);
    let isCalledFor = option === undefined || option.isWanted;
    for (const near of ties) {
      const taken = situation.get(near);
      if (taken === undefined) continue;
      for (const need of option?.needs ?? []) {
        if (need.variable !== near) continue;
        if (!need.options.includes(taken.option)) return undefined;
        next.set(near, { option: taken.option, isCalledFor: true });
      }
      for (const need of this.#optionOf(near, taken.option)?.needs ?? []) {
        if (need.variable !== variable) continue;
        if (!need.options.includes(number)) return undefined;
        isCalledFor = true;
      }
    }
    if (option?.needs.some((need) => need.variable === variable) === true) return undefined;
    next.set(variable, { option: number, isCalledFor });
    return next;
  }

  #optionOf(variable: number, number: number): Option | undefined {
    return this.#component.variables[variable]![number - 1];
  }

  /** Gives equal situations one number. */
  #number(results: readonly (Situation | undefined)[]): Int32Array {
    const numbers = new Map<string, number>();
    const situations: Situation[] = [];
    const meanings = new Map<string, number>();
    const moves = Int32Array.from(results, (result) => {
      const reduced = result && this.#reduce(result, meanings);
      if (reduced === undefined) return -1;
      const key = Array.from(
        reduced,
        ([v, { option, isCalledFor }]) => `${v}:${option}${isCalledFor ? "" : "?"}`,
      ).join();
      const known = numbers.get(key);
      if (known !== undefined) return known;
      numbers.set(key, situations.length);
      situations.push(reduced);
      return situations.length - 1;
    });
    this.#situations = situations;
    return moves;
  }

  /** Leaves out what has no ties left, and stands equal options for one another; nothing where an option was never called for. */
  #reduce(situation: Situation, meanings: Map<string, number>): Situation | undefined {
    const reduced = new Map<number, Taken>();
    for (const [variable, taken] of situation) {
      const ties = this.#ties[variable]!;
      if (ties.size === 0) {
        if (!taken.isCalledFor && this.isExact) return undefined;
        continue;
      }
      const id = `${variable}:${taken.option}`;
      let option = meanings.get(id);
      if (option === undefined) {
        const meaning = this.#meaningOf(variable, taken.option, ties);
        option = meanings.get(meaning) ?? taken.option;
        meanings.set(meaning, option);
        meanings.set(id, option);
      }
      reduced.set(variable, { option, isCalledFor: taken.isCalledFor });
    }
    return reduced;
  }

  /** What an option means to the variables that are still to come: what it needs of them, and which of their options it is enough for. */
  #meaningOf(variable: number, number: number, ties: ReadonlySet<number>): string {
    const own = (this.#optionOf(variable, number)?.needs ?? []).filter((need) => ties.has(need.variable));
    const needs = own.map((need) => `${need.variable}=${need.options.join("|")}`);
    const serves = Array.from(ties, (near) =>
      this.#component.variables[near]!.map(({ needs: others }) =>
        others.some((need) => need.variable === variable && !need.options.includes(number)) ? 0 : 1,
      ).join(""),
    );
    const calls = number === 0 ? "" : "+";
    return `${variable} ${needs.sort().join()} ${serves.join()} ${calls}`;
  }

  /** Leaves out the needs of the open variable that has most of them, so that situations which differ in it alone become one. */
  #letGo(): void {
    this.isExact = false;
    let most = -1;
    for (const variable of this.#situations[0]!.keys()) {
      if (most < 0 || this.#ties[variable]!.size > this.#ties[most]!.size) most = variable;
    }
    for (const near of this.#ties[most]!) this.#ties[near]!.delete(most);
    this.#ties[most]!.clear();
  }
}
