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

/** A set as it is found. */
interface Found {
  readonly tokens: number;
  readonly value: number;
  /** By variable: the option taken. */
  readonly taken: readonly number[];
}

/**
 * Lists the sets in which every need is met, without those that another one dominates, fewest tokens first; what costs and is worth
 * nothing is not among them. Exponential in the number of variables, so only for components with few options.
 */
export function closedSetsOf(component: Component, compare: CompareSets): ClosedSet[] {
  const { variables } = component;
  const taken = new Array<number>(variables.length).fill(0);
  const areAllWanted = variables.every((options) => options.every(({ isWanted }) => isWanted));
  const found: Found[] = [];
  const decide = (variable: number, tokens: number, value: number): void => {
    if (variable === variables.length) {
      if (areAllWanted || isCalledFor(component, taken)) insert({ tokens, value, taken }, found, component, compare);
      return;
    }
    const options = variables[variable]!;
    for (let number = 0; number <= options.length; number++) {
      taken[variable] = number;
      if (!agrees(component, taken, variable)) continue;
      const option = options[number - 1];
      decide(variable + 1, tokens + (option?.tokens ?? 0), value + (option?.value ?? 0));
    }
    taken[variable] = 0;
  };
  decide(0, 0, 0);
  const sets = found.map((set) => ({ ...set, fragments: fragmentsOf(component, set.taken) }));
  return sets.filter(({ tokens, value, fragments }) => fragments.length > 0 && (tokens === 0 || value > 0));
}

/** True where no need between a variable and those before it is left open. */
function agrees({ variables }: Component, taken: readonly number[], variable: number): boolean {
  const number = taken[variable]!;
  if (number > 0) {
    for (const need of variables[variable]![number - 1]!.needs) {
      if (need.variable <= variable && !need.options.includes(taken[need.variable]!)) return false;
    }
  }
  for (let before = 0; before < variable; before++) {
    if (taken[before] === 0) continue;
    for (const need of variables[before]![taken[before]! - 1]!.needs) {
      if (need.variable === variable && !need.options.includes(number)) return false;
    }
  }
  return true;
}

/** True where everything that was taken is wanted, or needed by something that is. */
function isCalledFor({ variables }: Component, taken: readonly number[]): boolean {
  const reached = taken.map((number, variable) => number > 0 && variables[variable]![number - 1]!.isWanted);
  const waiting = reached.flatMap((isReached, variable) => (isReached ? [variable] : []));
  for (let variable = waiting.pop(); variable !== undefined; variable = waiting.pop()) {
    for (const need of variables[variable]![taken[variable]! - 1]!.needs) {
      if (reached[need.variable]) continue;
      reached[need.variable] = true;
      waiting.push(need.variable);
    }
  }
  return taken.every((number, variable) => number === 0 || reached[variable]);
}

/** Keeps the list in order of tokens, its values rising. Of equals the one that holds the earliest fragment stays. */
function insert(set: Found, list: Found[], component: Component, compare: CompareSets): void {
  let at = list.length;
  while (at > 0 && list[at - 1]!.tokens > set.tokens) at--;
  const before = list[at - 1];
  if (before !== undefined && before.value >= set.value) {
    const isEqual = before.value === set.value && before.tokens === set.tokens;
    if (!isEqual || compare(fragmentsOf(component, before.taken), fragmentsOf(component, set.taken)) <= 0) return;
  }
  if (before?.tokens === set.tokens) at--;
  let next = at;
  while (next < list.length && list[next]!.value <= set.value) next++;
  list.splice(at, next - at, { ...set, taken: set.taken.slice() });
}

function fragmentsOf({ variables }: Component, taken: readonly number[]): number[] {
  const fragments: number[] = [];
  taken.forEach((number, variable) => {
    if (number > 0) fragments.push(...variables[variable]![number - 1]!.fragments);
  });
  return fragments;
}
