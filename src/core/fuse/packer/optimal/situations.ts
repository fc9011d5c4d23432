/** The situations in which the open variables of a network can be, turn by turn. */
import { appended } from "./appended.js";
import { type Clusters, findClusters } from "./clusters.js";
import { Compatibility } from "./compatibility.js";
import { RowNumbers } from "./row-numbers.js";
import type { Component } from "./variables.js";

/** States of a cluster in a situation. */
const UNTOUCHED = 0;
/** Something of a cluster entered, and nothing has called for it yet. */
const ENTERED = 1;
/** Something outside of a cluster needs it. */
const CALLED = 2;
const CLUSTER_STATES = 3;

/** What a turn does to the clusters, by option of its variable. */
interface Effect {
  /** The place of the option's own cluster among the clusters, or -1, and those of the clusters that it calls for. */
  readonly own: number;
  readonly called: readonly number[];
}

/** What a turn does to the clusters: first the open ones, after them those that it touches first. */
interface Effects {
  readonly clusters: readonly number[];
  readonly byOption: readonly Effect[];
}

const NO_EFFECTS: Effects = { clusters: [], byOption: [] };

/** What one network after the other can work with. */
export interface Scratch {
  readonly before: RowNumbers;
  readonly after: RowNumbers;
  readonly compatibility: Compatibility;
}

export function createScratch(): Scratch {
  return { before: new RowNumbers(), after: new RowNumbers(), compatibility: new Compatibility() };
}

/**
 * A situation is a row of states: of each open variable the option that it took, or the first that means the same to those still to
 * come; then of each open cluster `UNTOUCHED`, `ENTERED` or `CALLED`.
 */
export class Situations {
  readonly #component: Component;
  readonly #neighbours: readonly (readonly number[])[];
  readonly #clusters: Clusters;
  readonly #compatibility: Compatibility;
  readonly #isDecided: Uint8Array;
  readonly #hasImpossible: boolean;
  /** By variable: how many of its neighbours are not decided; it is open as long as there are some. */
  readonly #left: Int32Array;
  readonly #isNear: Uint8Array;
  /** By variable that is open: what each option is called. */
  readonly #names: (readonly number[] | undefined)[] = [];
  /** The open variables in the order of their turns, and the open clusters. */
  #open: readonly number[] = [];
  #openClusters: readonly number[] = [];
  #rows: RowNumbers;
  #nextRows: RowNumbers;

  /** `scratch` may be handed on to the next situations once these are done with. */
  constructor(component: Component, neighbours: readonly (readonly number[])[], scratch = createScratch()) {
    this.#component = component;
    this.#neighbours = neighbours;
    this.#clusters = findClusters(component);
    this.#compatibility = scratch.compatibility;
    this.#compatibility.clear(component);
    this.#isDecided = new Uint8Array(neighbours.length);
    this.#hasImpossible = component.variables.some((options, variable) =>
      options.some(({ needs }) => needs.some((need) => need.variable === variable)),
    );
    this.#left = Int32Array.from(neighbours, (near) => near.length);
    this.#isNear = new Uint8Array(neighbours.length);
    this.#rows = scratch.before;
    this.#nextRows = scratch.after;
    this.#rows.clear([]);
    this.#rows.numberOfDraft();
  }

  get count(): number {
    return this.#rows.count;
  }

  /** Decides a variable; answers, by situation and option, the situation that results, or -1. */
  decide(variable: number): number[] {
    const open = this.#open;
    const compatibility = this.#compatibility;
    const width = compatibility.widthOf(variable);
    const nears = this.#nearPlaces(variable);
    const tables = nears.map((place) => compatibility.tableOf(open[place]!, variable));
    const effects = this.#clusters.count === 0 ? NO_EFFECTS : this.#effectsOf(variable, width);
    this.#close(variable);
    const kept = this.#keptPlaces();
    // What a state means changes only where a tie of its variable was looked at.
    const names = kept.map((place) => (nears.includes(place) ? this.#nameAnew(open[place]!) : undefined));
    const own = this.#left[variable]! > 0 ? this.#nameAnew(variable) : undefined;
    const openClusters = placesWhere(effects.clusters, (cluster) => this.#isOpen(cluster));
    const closed = placesWhere(effects.clusters, (cluster) => !this.#isOpen(cluster));

    const before = this.#rows;
    const stillOpen = kept.map((place) => open[place]!);
    const nextOpen = own === undefined ? stillOpen : appended(stillOpen, variable);
    const after = this.#nextRows;
    const widths = nextOpen.map((near) => compatibility.widthOf(near));
    after.clear(openClusters.length === 0 ? widths : [...widths, ...openClusters.map(() => CLUSTER_STATES)]);
    const states: number[] = effects === NO_EFFECTS ? NOWHERE : effects.clusters.map(() => UNTOUCHED);
    const moves = new Array<number>(before.count * width).fill(-1);
    let move = 0;
    for (let situation = 0; situation < before.count; situation++) {
      for (let option = 0; option < width; option++, move++) {
        if (this.#hasImpossible && this.#isImpossible(variable, option)) continue;
        let goesWithAll = true;
        for (let i = 0; i < nears.length && goesWithAll; i++) {
          goesWithAll = compatibility.at(tables[i]! + before.at(situation, nears[i]!) * width + option) === 1;
        }
        if (!goesWithAll) continue;
        if (states.length > 0) {
          for (let i = 0; i < states.length; i++) {
            states[i] = i < this.#openClusters.length ? before.at(situation, open.length + i) : UNTOUCHED;
          }
          touch(states, effects.byOption[option]!);
          if (closed.some((place) => states[place] === ENTERED)) continue;
        }
        let at = 0;
        for (let i = 0; i < kept.length; i++) {
          const state = before.at(situation, kept[i]!);
          after.draft[at++] = names[i] === undefined ? state : names[i]![state]!;
        }
        if (own !== undefined) after.draft[at++] = own[option]!;
        for (const place of openClusters) after.draft[at++] = states[place]!;
        moves[move] = after.numberOfDraft();
      }
    }
    [this.#rows, this.#nextRows] = [after, before];
    this.#open = nextOpen;
    this.#openClusters = openClusters.length === 0 ? NOWHERE : openClusters.map((place) => effects.clusters[place]!);
    return moves;
  }

  /** The places of the open variables with which a variable is tied. */
  #nearPlaces(variable: number): readonly number[] {
    const isNear = this.#isNear;
    for (const near of this.#neighbours[variable]!) isNear[near] = 1;
    const places = placesWhere(this.#open, (open) => isNear[open] === 1);
    for (const near of this.#neighbours[variable]!) isNear[near] = 0;
    return places;
  }

  /** The places of the open variables that stay open. */
  #keptPlaces(): number[] {
    return placesWhere(this.#open, (variable) => this.#left[variable]! > 0);
  }

  /** True for an option that needs another one of its own variable. */
  #isImpossible(variable: number, option: number): boolean {
    const needs = this.#component.variables[variable]![option - 1]?.needs ?? [];
    return needs.length > 0 && needs.some((need) => need.variable === variable);
  }

  #effectsOf(variable: number, width: number): Effects {
    const clusters = [...this.#openClusters];
    const placeOf = (cluster: number): number => {
      const place = clusters.indexOf(cluster);
      return place >= 0 ? place : clusters.push(cluster) - 1;
    };
    const byOption = Array.from({ length: width }, (_, option) => {
      const own = this.#clusters.clusterOf(variable, option);
      return { own: own < 0 ? -1 : placeOf(own), called: this.#clusters.calledBy(variable, option).map(placeOf) };
    });
    return { clusters, byOption };
  }

  #close(variable: number): void {
    this.#isDecided[variable] = 1;
    for (const near of this.#neighbours[variable]!) this.#left[near]!--;
  }

  #isOpen(cluster: number): boolean {
    for (const variable of this.#clusters.variables[cluster]!) if (this.#isDecided[variable] === 0) return true;
    return false;
  }

  /**
   * By option of an open variable: the first that goes with just the same options of the variables still to come. What goes with the same
   * once does so for good, so only what had names of their own is compared.
   */
  #nameAnew(variable: number): readonly number[] {
    const known = this.#names[variable];
    const width = this.#compatibility.widthOf(variable);
    const names = known === undefined ? numbersBelow(width) : known.slice();
    this.#names[variable] = names;
    if (width === 2) return names;
    const ties = this.#neighbours[variable]!.filter((near) => this.#isDecided[near] === 0);
    for (let option = 1; option < width; option++) {
      if (names[option] !== option) {
        names[option] = names[names[option]!]!;
        continue;
      }
      for (let earlier = 0; earlier < option; earlier++) {
        if (names[earlier] !== earlier || !this.#meanTheSame(variable, earlier, option, ties)) continue;
        names[option] = earlier;
        break;
      }
    }
    return names;
  }

  #meanTheSame(variable: number, one: number, other: number, ties: readonly number[]): boolean {
    for (const near of ties) {
      const table = this.#compatibility.tableOf(variable, near);
      const width = this.#compatibility.widthOf(near);
      for (let option = 0; option < width; option++) {
        const isSame =
          this.#compatibility.at(table + one * width + option) ===
          this.#compatibility.at(table + other * width + option);
        if (!isSame) return false;
      }
    }
    return true;
  }
}

function numbersBelow(count: number): number[] {
  const numbers = new Array<number>(count);
  for (let i = 0; i < count; i++) numbers[i] = i;
  return numbers;
}

/** The places at which a short list holds what is asked for. */
function placesWhere(list: readonly number[], isAskedFor: (element: number) => boolean): number[] {
  let places: number[] = NOWHERE;
  for (let place = 0; place < list.length; place++) if (isAskedFor(list[place]!)) places = appended(places, place);
  return places;
}

const NOWHERE: never[] = [];

function touch(states: number[], { own, called }: Effect): void {
  if (own >= 0 && states[own] === UNTOUCHED) states[own] = ENTERED;
  for (const place of called) states[place] = CALLED;
}
