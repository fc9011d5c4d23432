/** The sets that a small component allows, as the choices of one class. */
import type { Component, Option } from "./variables.js";

/** What a set of options adds up to. */
export interface ClosedSet {
  readonly fragments: readonly number[];
  readonly tokens: number;
  readonly value: number;
}

/** Below 0 where the first of two sets holds the earliest fragment in which they differ. */
export type CompareSets = (a: readonly number[], b: readonly number[]) => number;

/**
 * Lists the sets in which every need is met, without those that another one dominates, fewest tokens first; the empty set is not among
 * them. Exponential in the number of variables, so only for components with few options.
 */
export function closedSetsOf({ variables }: Component, compare: CompareSets): ClosedSet[] {
  const taken = new Array<number>(variables.length).fill(0);
  const needing = neededBy({ variables });
  const sets: ClosedSet[] = [];
  const chosen: Option[] = [];
  const decide = (variable: number): void => {
    if (variable === variables.length) {
      if (chosen.length > 0 && isWanted({ variables }, taken)) sets.push(sumOf(chosen));
      return;
    }
    const options = variables[variable]!;
    for (let number = 0; number <= options.length; number++) {
      const option = options[number - 1];
      taken[variable] = number;
      const isMet = (option?.needs ?? []).every(
        (need) => need.variable > variable || need.options.includes(taken[need.variable]!),
      );
      const suffices = needing[variable]!.every(
        (by) => by.variable >= variable || taken[by.variable] !== by.option || by.options.includes(number),
      );
      if (!isMet || !suffices) continue;
      if (option !== undefined) chosen.push(option);
      decide(variable + 1);
      if (option !== undefined) chosen.pop();
    }
    taken[variable] = 0;
  };
  decide(0);
  return undominated(sets, compare);
}

interface NeededBy {
  readonly variable: number;
  readonly option: number;
  /** The options of the needed variable that are enough. */
  readonly options: readonly number[];
}

/** By variable: who needs an option of it. */
export function neededBy({ variables }: Component): NeededBy[][] {
  const by: NeededBy[][] = variables.map(() => []);
  variables.forEach((options, variable) => {
    options.forEach(({ needs }, at) => {
      for (const need of needs) by[need.variable]!.push({ variable, option: at + 1, options: need.options });
    });
  });
  return by;
}

/** True where everything that was taken is wanted, or needed by something that is. */
export function isWanted({ variables }: Component, taken: readonly number[]): boolean {
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

function sumOf(options: readonly Option[]): ClosedSet {
  return {
    fragments: options.flatMap(({ fragments }) => fragments),
    tokens: options.reduce((sum, { tokens }) => sum + tokens, 0),
    value: options.reduce((sum, { value }) => sum + value, 0),
  };
}

function undominated(sets: ClosedSet[], compare: CompareSets): ClosedSet[] {
  sets.sort((a, b) => a.tokens - b.tokens || b.value - a.value || compare(a.fragments, b.fragments));
  let best = -1;
  return sets.filter(({ tokens, value }) => {
    if (value <= best || (tokens > 0 && value === 0)) return false;
    best = value;
    return true;
  });
}
