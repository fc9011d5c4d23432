/** The sets that a small component allows, as the choices of one class. */
import type { Component, Need, Option } from "./variables.js";

const NO_NEEDS: readonly number[] = [];

/** What a set of options adds up to. */
export interface ClosedSet {
  readonly fragments: readonly number[];
  readonly tokens: number;
  readonly value: number;
}

/** All sets of a component that no other dominates. */
export interface ClosedSets {
  readonly sets: readonly ClosedSet[];
  /** The fragments that are in some of them. */
  readonly members: readonly number[];
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
export function closedSetsOf(component: Component, compare: CompareSets, demandOf?: DemandOf): ClosedSets {
  const bits = new Bits(component);
  const compareBits = (a: number, b: number): number => compare(bits.fragmentsOf(a), bits.fragmentsOf(b));
  const found =
    demandOf === undefined
      ? new Frontier(compareBits)
      : new WideFrontier(compareBits, (set) => demandOf(bits.fragmentsOf(set)));
  const { options, ends } = bits;
  const decide = (variable: number, set: number, tokens: number, value: number): void => {
    if (variable === ends.length) {
      if (set !== 0 && (tokens === 0 || value > 0) && bits.isCalledFor(set)) found.add(set, tokens, value);
      return;
    }
    if (bits.agrees(set, variable)) decide(variable + 1, set, tokens, value);
    for (let option = variable === 0 ? 0 : ends[variable - 1]!; option < ends[variable]!; option++) {
      const next = set | (1 << option);
      if (!bits.agrees(next, variable)) continue;
      decide(variable + 1, next, tokens + options[option]!.tokens, value + options[option]!.value);
    }
  };
  decide(0, 0, 0, 0);
  const sets = new Array<ClosedSet>(found.sets.length);
  let union = 0;
  for (let i = 0; i < sets.length; i++) {
    const set = found.sets[i]!;
    union |= set;
    sets[i] = { fragments: bits.fragmentsOf(set), tokens: found.tokens[i]!, value: found.values[i]! };
  }
  return { sets, members: bits.fragmentsOf(union) };
}

/** The options of a component in one row, so that a set of them is a number, and so is what is enough for a need. */
class Bits {
  readonly options: readonly Option[];
  /** By variable: one past its last option. */
  readonly ends: readonly number[];
  /** By variable: what is decided with it, two numbers a need: the option that has it, and the bits of which one is enough. */
  readonly #needs: (readonly number[])[];
  readonly #wanted: number;
  /** True where something could be in a set that nothing calls for. */
  readonly #hasUnwanted: boolean;

  constructor({ variables }: Component) {
    const options: Option[] = [];
    const ends = new Array<number>(variables.length);
    for (let variable = 0; variable < variables.length; variable++) {
      for (const option of variables[variable]!) options.push(option);
      ends[variable] = options.length;
    }
    this.options = options;
    this.ends = ends;
    this.#needs = new Array<readonly number[]>(variables.length).fill(NO_NEEDS);
    let wanted = 0;
    for (let variable = 0, bit = 0; variable < variables.length; variable++) {
      for (; bit < ends[variable]!; bit++) {
        if (options[bit]!.isWanted) wanted |= 1 << bit;
        for (const need of options[bit]!.needs) this.#addNeed(bit, need, Math.max(variable, need.variable));
      }
    }
    this.#wanted = wanted;
    this.#hasUnwanted = options.some(({ isWanted }) => !isWanted);
  }

  #addNeed(bit: number, { variable, options }: Need, decidedBy: number): void {
    const first = variable === 0 ? 0 : this.ends[variable - 1]!;
    let enough = 0;
    for (const number of options) enough |= 1 << (first + number - 1);
    const known = this.#needs[decidedBy]!;
    this.#needs[decidedBy] = known.length === 0 ? [bit, enough] : [...known, bit, enough];
  }

  /** True where every need that a variable decides is met. */
  agrees(set: number, variable: number): boolean {
    const needs = this.#needs[variable]!;
    for (let i = 0; i < needs.length; i += 2) {
      if (((set >>> needs[i]!) & 1) === 1 && (set & needs[i + 1]!) === 0) return false;
    }
    return true;
  }

  /** True where everything in a set is wanted, or needed by something that is. */
  isCalledFor(set: number): boolean {
    if (!this.#hasUnwanted) return true;
    let called = set & this.#wanted;
    for (let before = -1; called !== set && called !== before; ) {
      before = called;
      for (const needs of this.#needs) {
        for (let i = 0; i < needs.length; i += 2) {
          if (((called >>> needs[i]!) & 1) === 1) called |= needs[i + 1]! & set;
        }
      }
    }
    return called === set;
  }

  fragmentsOf(set: number): number[] {
    let count = 0;
    for (let rest = set; rest !== 0; rest &= rest - 1) count += this.options[lowestBit(rest)]!.fragments.length;
    const fragments = new Array<number>(count);
    let at = 0;
    for (let rest = set; rest !== 0; rest &= rest - 1) {
      for (const fragment of this.options[lowestBit(rest)]!.fragments) fragments[at++] = fragment;
    }
    return fragments;
  }
}

function lowestBit(set: number): number {
  return 31 - Math.clz32(set & -set);
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
    replace(this.sets, at, next, set);
    replace(this.tokens, at, next, tokens);
    replace(this.values, at, next, value);
  }
}

/** Puts a number in the place of those from one position to before another; `splice` would make a list of what it takes out. */
function replace(numbers: number[], from: number, to: number, number: number): void {
  if (to === from) {
    numbers.push(number);
    for (let i = numbers.length - 1; i > from; i--) numbers[i] = numbers[i - 1]!;
  } else if (to > from + 1) {
    numbers.copyWithin(from + 1, to);
    numbers.length -= to - from - 1;
  }
  numbers[from] = number;
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
