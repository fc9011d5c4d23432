/**
 * A component too large for its sets to be listed, as a network: its variables in an order in which few stay open, and for every turn the
 * situations that the open ones can be in. A hub that many need is a situation with two states, a tree has a handful. So the best set at
 * a price comes from one pass, and the lists of the exact search are kept apart by situation.
 */
import { EMPTY } from "./classes.js";
import { neighboursOf, orderVariables } from "./network-order.js";
import { Situations } from "./situations.js";
import type { Component, Option, Variable } from "./variables.js";

/** One variable's turn. */
export interface Turn {
  readonly variable: number;
  /** Tokens and value by option; option 0 is none. */
  readonly tokens: Float64Array;
  readonly values: Float64Array;
  /** What each option stands for, in the words of the tie order. */
  readonly ids: Int32Array;
  /** How many situations there are before and after. */
  readonly before: number;
  readonly after: number;
  /** By situation and option: the situation after; -1: impossible. */
  readonly moves: Int32Array;
}

export interface Network {
  readonly variables: readonly Variable[];
  readonly turns: readonly Turn[];
  /** False where needs had to be left out to keep the situations few: then it allows more sets than there are, and is only good for bounds. */
  readonly isExact: boolean;
  /** True where every option may enter for its own sake. */
  readonly areAllWanted: boolean;
}

/** The most situations of a turn; past them the variable that is tied to most others is let go. */
const MAX_SITUATIONS = 256;

/** Builds the network of a component. `idOf` gives each option its id. */
export function buildNetwork(component: Component, idOf: (option: Option) => number): Network {
  const { variables } = component;
  const neighbours = neighboursOf(component);
  const order = orderVariables(neighbours);
  const situations = new Situations(component, neighbours);
  const turns: Turn[] = [];
  for (const variable of order) {
    const options = variables[variable]!;
    const before = situations.count;
    const moves = situations.decide(variable, MAX_SITUATIONS);
    turns.push({
      variable,
      tokens: Float64Array.from([0, ...options.map(({ tokens }) => tokens)]),
      values: Float64Array.from([0, ...options.map(({ value }) => value)]),
      ids: Int32Array.from([EMPTY, ...options.map(idOf)]),
      before,
      after: situations.count,
      moves,
    });
  }
  const areAllWanted = variables.every((options) => options.every(({ isWanted }) => isWanted));
  return { variables, turns, isExact: situations.isExact, areAllWanted };
}
