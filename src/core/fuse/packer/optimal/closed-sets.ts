/** The sets that a small component allows, as the choices of one class. */
import type { Component } from "./variables.js";

/** What a set of options adds up to. */
export interface ClosedSet {
  readonly fragments: readonly number[];
  readonly tokens: number;
  readonly value: number;
}

/** Below 0 where the first of two sets holds the earliest fragment in which they differ. */
export type CompareSets = (a: readonly number[], b: readonly number[]) => number;

/** The most options of a component whose sets can be listed: a set is then a whole number of so many bits. */
export const MAX_LISTED_OPTIONS = 12;

/** What a set takes of each of some limits beside that of the tokens. */
export type DemandOf = (fragments: readonly number[]) => Float64Array;

/**
 * Lists the sets in which every need is met, without those that another one dominates, fewest tokens first; what costs and is worth
 * nothing is not among them. Exponential in the number of variables, so only for components with few options.
 * Where there are further limits, a set dominates only those that take no less of any of them.
 */
export function closedSetsOf(component: Component, compare: CompareSets, demandOf?: DemandOf): ClosedSet[] {
  const bits = new Bits(component);
  const compareBits = (a: number, b: number): number => compare(bits.fragmentsOf(a), bits.fragmentsOf(b));
  const found =
    demandOf === undefined
      ? new Frontier(compareBits)
      : new WideFrontier(compareBits, (set) => demandOf(bits.fragmentsOf(set)));
  const decide = (variable: number, set: number, tokens: number, value: number): void => {
    if (variable === bits.ends.length) {
      if (set !== 0 && (tokens === 0 || value > 0) && bits.isCalledFor(set)) found.add(set, tokens, value);
      return;
    }
    if (bits.agrees(set, variable)) decide(variable + 1, set, tokens, value);
    for (let option = variable === 0 ? 0 : bits.ends[variable - 1]!; option < bits.ends[variable]!; option++) {
      const next = set | (1 << option);
      if (bits.agrees(next, variable)) {
        decide(variable + 1, next, tokens + bits.options[option]!.tokens, value + bits.options[option]!.value);
      }
    }
  };
  decide(0, 0, 0, 0);
  return found.sets.map((set, i) => ({
    fragments: bits.fragmentsOf(set),
    tokens: found.tokens[i]!,
    value: found.values[i]!,
  }));
}

/** The options of a component in one row, so that a set of them is a number, and so is what is enough for a need. */
class Bits {
  readonly options: Component["variables"][number];
  /** By variable: one past its last option. */
  readonly ends: readonly number[];
  /** What each option needs, and by which variable that is decided. */
  readonly #needs: { readonly option: number; readonly enough: number; readonly decidedBy: number }[] = [];
  readonly #wanted: number;

  constructor({ variables }: Component) {
    this.options = variables.flat();
    const ends: number[] = [];
    let wanted = 0;
    for (const variable of variables) ends.push((ends.at(-1) ?? 0) + variable.length);
    this.ends = ends;
    let bit = 0;
    variables.forEach((options, variable) => {
      for (const { needs, isWanted } of options) {
        if (isWanted) wanted |= 1 << bit;
        for (const need of needs) {
          const first = need.variable === 0 ? 0 : ends[need.variable - 1]!;
          let enough = 0;
          for (const number of need.options) enough |= 1 << (first + number - 1);
          this.#needs.push({ option: bit, enough, decidedBy: Math.max(variable, need.variable) });
        }
        bit++;
      }
    });
    this.#wanted = wanted;
  }

  /** True where every need that a variable decides is met. */
  agrees(set: number, variable: number): boolean {
    for (const { option, enough, decidedBy } of this.#needs) {
      if (decidedBy === variable && ((set >>> option) & 1) === 1 && (set & enough) === 0) return false;
    }
    return true;
  }

  /** True where everything in a set is wanted, or needed by something that is. */
  isCalledFor(set: number): boolean {
    let called = set & this.#wanted;
    for (let before = -1; called !== set && called !== before; ) {
      before = called;
      for (const { option, enough } of this.#needs) if (((called >>> option) & 1) === 1) called |= enough & set;
    }
    return called === set;
  }

  fragmentsOf(set: number): number[] {
    const fragments: number[] = [];
    this.options.forEach((option, bit) => {
      if (((set >>> bit) & 1) === 1) fragments.push(...option.fragments);
    });
    return fragments;
  }
}

/** Sets that do not dominate one another, in order of tokens, their values rising. Of equals the earlier one stays. */
class Frontier {
  readonly sets: number[] = [];
  readonly tokens: number[] = [];
  readonly values: number[] = [];

  constructor(readonly compare: (a: number, b: number) => number) {}

  add(set: number, tokens: number, value: number): void {
    let at = this.sets.length;
    while (at > 0 && this.tokens[at - 1]! > tokens) at--;
    if (at > 0 && this.values[at - 1]! >= value) {
      const isEqual = this.values[at - 1] === value && this.tokens[at - 1] === tokens;
      if (!isEqual || this.compare(this.sets[at - 1]!, set) <= 0) return;
    }
    if (at > 0 && this.tokens[at - 1] === tokens) at--;
    let next = at;
    while (next < this.sets.length && this.values[next]! <= value) next++;
    this.sets.splice(at, next - at, set);
    this.tokens.splice(at, next - at, tokens);
    this.values.splice(at, next - at, value);
  }
}

/** Sets that do not dominate one another, each being limited in more than its tokens. Of equals the earlier one stays. */
class WideFrontier {
  sets: number[] = [];
  tokens: number[] = [];
  values: number[] = [];
  #demands: Float64Array[] = [];

  constructor(
    readonly compare: (a: number, b: number) => number,
    readonly demandOf: (set: number) => Float64Array,
  ) {}

  add(set: number, tokens: number, value: number): void {
    const demand = this.demandOf(set);
    const isWithin = (a: Float64Array, b: Float64Array): boolean => a.every((taken, limit) => taken <= b[limit]!);
    // Of sets of equal tokens and value the earlier one may be the answer, whatever it takes of the other limits.
    const isEarlier = (a: number, b: number): boolean => this.compare(a, b) <= 0;
    const isEqual = (i: number): boolean => this.tokens[i] === tokens && this.values[i] === value;
    for (let i = 0; i < this.sets.length; i++) {
      if (this.tokens[i]! > tokens || this.values[i]! < value || !isWithin(this.#demands[i]!, demand)) continue;
      if (!isEqual(i) || isEarlier(this.sets[i]!, set)) return;
    }
    const kept = Array.from(
      this.sets,
      (known, i) =>
        this.tokens[i]! < tokens ||
        this.values[i]! > value ||
        !isWithin(demand, this.#demands[i]!) ||
        (isEqual(i) && isEarlier(known, set)),
    );
    this.sets = [...this.sets.filter((_, i) => kept[i]), set];
    this.tokens = [...this.tokens.filter((_, i) => kept[i]), tokens];
    this.values = [...this.values.filter((_, i) => kept[i]), value];
    this.#demands = [...this.#demands.filter((_, i) => kept[i]), demand];
  }
}
