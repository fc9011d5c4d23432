/** The situations in which the open variables of a network can be, turn by turn. */
import { type Clusters, findClusters } from "./clusters.js";
import type { Component, Option } from "./variables.js";

/**
 * By open variable: the option that it took, or one that means the same to those still to come. By open cluster, under the number below
 * -1 that stands for it: `ENTERED` or `CALLED`.
 */
type Situation = ReadonlyMap<number, number>;

/** Something of a cluster entered, and nothing has called for it yet. */
const ENTERED = 1;
/** Something outside of a cluster needs it. */
const CALLED = 2;

export class Situations {
  readonly #component: Component;
  readonly #clusters: Clusters;
  /** By variable: those with which it has needs that are still to be looked at; of an open one those to come, of others all. */
  readonly #ties: Set<number>[];
  readonly #undecided: Set<number>;
  #situations: Situation[] = [new Map()];

  constructor(component: Component, neighbours: readonly ReadonlySet<number>[]) {
    this.#component = component;
    this.#clusters = findClusters(component);
    this.#ties = neighbours.map((near) => new Set(near));
    this.#undecided = new Set(neighbours.keys());
  }

  get count(): number {
    return this.#situations.length;
  }

  /** Decides a variable; answers, by situation and option, the situation that results, or -1. */
  decide(variable: number): Int32Array {
    const options = this.#component.variables[variable]!;
    const before = this.#situations;
    const results: (Situation | undefined)[] = [];
    for (const situation of before) {
      for (let number = 0; number <= options.length; number++) results.push(this.#take(situation, variable, number));
    }
    this.#undecided.delete(variable);
    for (const near of [...this.#ties[variable]!]) {
      if (this.#undecided.has(near)) continue;
      this.#ties[near]!.delete(variable);
      this.#ties[variable]!.delete(near);
    }
    return this.#number(results);
  }

  /** The situation with one more variable decided; nothing where a need is not met. */
  #take(situation: Situation, variable: number, number: number): Situation | undefined {
    const needs = this.#optionOf(variable, number)?.needs ?? [];
    if (needs.some((need) => need.variable === variable)) return undefined;
    for (const near of this.#ties[variable]!) {
      const taken = situation.get(near);
      if (taken === undefined) continue;
      if (needs.some((need) => need.variable === near && !need.options.includes(taken))) return undefined;
      const others = this.#optionOf(near, taken)?.needs ?? [];
      if (others.some((need) => need.variable === variable && !need.options.includes(number))) return undefined;
    }
    const next = new Map(situation).set(variable, number);
    const own = this.#clusters.clusterOf(variable, number);
    if (own >= 0) next.set(-2 - own, next.get(-2 - own) ?? ENTERED);
    for (const cluster of this.#clusters.calledBy(variable, number)) next.set(-2 - cluster, CALLED);
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
    const moves = new Int32Array(results.length).fill(-1);
    for (let i = 0; i < results.length; i++) {
      const reduced = results[i] && this.#reduce(results[i]!, meanings);
      if (reduced === undefined) continue;
      let key = "";
      for (const [open, state] of reduced) key += `${open}:${state},`;
      let number = numbers.get(key);
      if (number === undefined) {
        number = situations.length;
        numbers.set(key, number);
        situations.push(reduced);
      }
      moves[i] = number;
    }
    this.#situations = situations;
    return moves;
  }

  /** Leaves out what has no ties left, and stands equal options for one another; nothing where a cluster was never called for. */
  #reduce(situation: Situation, meanings: Map<string, number>): Situation | undefined {
    const reduced = new Map<number, number>();
    const clusters: [number, number][] = [];
    for (const [open, state] of situation) {
      if (open >= 0) {
        if (this.#ties[open]!.size > 0) reduced.set(open, this.#standInFor(open, state, meanings));
        continue;
      }
      const isOpen = [...this.#clusters.variables[-2 - open]!].some((variable) => this.#undecided.has(variable));
      if (isOpen) clusters.push([open, state]);
      else if (state === ENTERED) return undefined;
    }
    // Variables come in the order of their turns, clusters as they happen to.
    for (const [cluster, state] of clusters.sort(([a], [b]) => a - b)) reduced.set(cluster, state);
    return reduced;
  }

  /** The first option that was met and means the same to the variables still to come. */
  #standInFor(variable: number, number: number, meanings: Map<string, number>): number {
    if (this.#component.variables[variable]!.length === 1) return number;
    const id = `${variable}:${number}`;
    const known = meanings.get(id);
    if (known !== undefined) return known;
    const ties = this.#ties[variable]!;
    const own = (this.#optionOf(variable, number)?.needs ?? []).filter((need) => ties.has(need.variable));
    const needs = own.map((need) => `${need.variable}=${need.options.join("|")}`).sort();
    const serves = Array.from(ties, (near) =>
      this.#component.variables[near]!.map(({ needs: others }) =>
        others.some((need) => need.variable === variable && !need.options.includes(number)) ? 0 : 1,
      ).join(""),
    );
    const meaning = `${variable} ${needs.join()} ${serves.join()}`;
    const standIn = meanings.get(meaning) ?? number;
    meanings.set(meaning, standIn);
    meanings.set(id, standIn);
    return standIn;
  }
}
