/** The situations in which the open variables of a network can be, turn by turn. */
import { type Clusters, findClusters } from "./clusters.js";
import type { Component, Option } from "./variables.js";

/**
 * A row of states: of each open variable the option that it took, or one that means the same to those still to come; then of each open
 * cluster `UNTOUCHED`, `ENTERED` or `CALLED`.
 */
type Situation = Int32Array;

const UNTOUCHED = 0;
/** Something of a cluster entered, and nothing has called for it yet. */
const ENTERED = 1;
/** Something outside of a cluster needs it. */
const CALLED = 2;

/** What a turn does to a row, by option of its variable. */
interface Effect {
  readonly isPossible: boolean;
  /** The place of the option's own cluster among the clusters, or -1, and those of the clusters that it calls for. */
  readonly own: number;
  readonly called: readonly number[];
}

export class Situations {
  readonly #component: Component;
  readonly #clusters: Clusters;
  /** By variable: those with which it has needs that are still to be looked at; of an open one those to come, of others all. */
  readonly #ties: Set<number>[];
  readonly #undecided: Set<number>;
  /** The open variables in the order of their turns, and the open clusters. */
  #open: readonly number[] = [];
  #openClusters: readonly number[] = [];
  #situations: Situation[] = [new Int32Array()];

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
    const open = this.#open;
    const width = this.#component.variables[variable]!.length + 1;
    const nears = open.flatMap((near, place) => (this.#ties[variable]!.has(near) ? [place] : []));
    const goTogether = nears.map((place) => this.#createTest(open[place]!, variable, width));
    const { clusters, effects } = this.#effectsOf(variable, width);
    this.#close(variable);
    // What an open variable's options mean changes only where a tie of it was looked at.
    const kept = open.flatMap((_, place) => (this.#ties[open[place]!]!.size > 0 ? [place] : []));
    const standIns = kept.map((place) => (nears.includes(place) ? this.#standIns(open[place]!) : undefined));
    const own = this.#ties[variable]!.size > 0 ? this.#standIns(variable) : undefined;
    const openClusters = clusters.flatMap((cluster, place) => (this.#isOpen(cluster) ? [place] : []));
    const closed = clusters.flatMap((cluster, place) => (this.#isOpen(cluster) ? [] : [place]));

    const states = new Int32Array(clusters.length);
    const rows = new Rows(kept.length + (own === undefined ? 0 : 1) + openClusters.length);
    const moves = new Int32Array(this.#situations.length * width).fill(-1);
    let move = 0;
    for (const situation of this.#situations) {
      for (let number = 0; number < width; number++, move++) {
        const { isPossible, own: ownCluster, called } = effects[number]!;
        if (!isPossible || !nears.every((place, i) => goTogether[i]!(situation[place]!, number))) continue;
        for (let i = 0; i < states.length; i++) states[i] = situation[open.length + i] ?? UNTOUCHED;
        if (ownCluster >= 0 && states[ownCluster] === UNTOUCHED) states[ownCluster] = ENTERED;
        for (const place of called) states[place] = CALLED;
        if (closed.some((place) => states[place] === ENTERED)) continue;
        const row = rows.draft;
        let at = 0;
        for (let i = 0; i < kept.length; i++) {
          const state = situation[kept[i]!]!;
          row[at++] = standIns[i] === undefined ? state : standIns[i]![state]!;
        }
        if (own !== undefined) row[at++] = own[number]!;
        for (const place of openClusters) row[at++] = states[place]!;
        moves[move] = rows.numberOfDraft();
      }
    }
    this.#situations = rows.all;
    this.#open = [...kept.map((place) => open[place]!), ...(own === undefined ? [] : [variable])];
    this.#openClusters = openClusters.map((place) => clusters[place]!);
    return moves;
  }

  #optionOf(variable: number, number: number): Option | undefined {
    return this.#component.variables[variable]![number - 1];
  }

  /** Tests, once for each pair, whether an option of an open variable and one of the variable at its turn go together. */
  #createTest(near: number, variable: number, width: number): (taken: number, number: number) => boolean {
    const known = new Int8Array((this.#component.variables[near]!.length + 1) * width).fill(-1);
    return (taken, number) => {
      const at = taken * width + number;
      if (known[at] === -1) {
        const needs = this.#optionOf(variable, number)?.needs ?? [];
        const others = this.#optionOf(near, taken)?.needs ?? [];
        const isLacking =
          needs.some((need) => need.variable === near && !need.options.includes(taken)) ||
          others.some((need) => need.variable === variable && !need.options.includes(number));
        known[at] = isLacking ? 0 : 1;
      }
      return known[at] === 1;
    };
  }

  /** What each option does to the clusters: the open ones, and after them those that it touches first. */
  #effectsOf(variable: number, width: number): { clusters: readonly number[]; effects: readonly Effect[] } {
    const clusters = [...this.#openClusters];
    const placeOf = (cluster: number): number => {
      const place = clusters.indexOf(cluster);
      return place >= 0 ? place : clusters.push(cluster) - 1;
    };
    const effects = Array.from({ length: width }, (_, number) => {
      const own = this.#clusters.clusterOf(variable, number);
      return {
        isPossible: this.#optionOf(variable, number)?.needs.some((need) => need.variable === variable) !== true,
        own: own < 0 ? -1 : placeOf(own),
        called: this.#clusters.calledBy(variable, number).map(placeOf),
      };
    });
    return { clusters, effects };
  }

  /** The variable is decided: the ties between it and others that are need not be looked at any more. */
  #close(variable: number): void {
    this.#undecided.delete(variable);
    for (const near of [...this.#ties[variable]!]) {
      if (this.#undecided.has(near)) continue;
      this.#ties[near]!.delete(variable);
      this.#ties[variable]!.delete(near);
    }
  }

  #isOpen(cluster: number): boolean {
    for (const variable of this.#clusters.variables[cluster]!) if (this.#undecided.has(variable)) return true;
    return false;
  }

  /** By option: the first that means the same to the variables still to come. */
  #standIns(variable: number): Int32Array {
    const options = this.#component.variables[variable]!;
    const standIns = Int32Array.from({ length: options.length + 1 }, (_, number) => number);
    if (options.length === 1) return standIns;
    const ties = [...this.#ties[variable]!];
    const meanings = new Map<string, number>();
    for (let number = 0; number < standIns.length; number++) {
      const own = (this.#optionOf(variable, number)?.needs ?? []).filter((need) => ties.includes(need.variable));
      const needs = own.map((need) => `${need.variable}=${need.options.join("|")}`).sort();
      const serves = ties.map((near) =>
        this.#component.variables[near]!.map(({ needs: others }) =>
          others.some((need) => need.variable === variable && !need.options.includes(number)) ? 0 : 1,
        ).join(""),
      );
      const meaning = `${needs.join()} ${serves.join()}`;
      standIns[number] = meanings.get(meaning) ?? number;
      if (standIns[number] === number) meanings.set(meaning, number);
    }
    return standIns;
  }
}

/** Rows of one length, equal ones once. */
class Rows {
  readonly all: Int32Array[] = [];
  /** The row that is being made. */
  readonly draft: Int32Array;
  readonly #numbers = new Map<string, number>();

  constructor(length: number) {
    this.draft = new Int32Array(length);
  }

  /** The number of the row that was made: a new one, or that of its equal. */
  numberOfDraft(): number {
    let key = "";
    for (let i = 0; i < this.draft.length; i++) key += String.fromCharCode(this.draft[i]!);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.all.length);
    return this.all.push(this.draft.slice()) - 1;
  }
}
