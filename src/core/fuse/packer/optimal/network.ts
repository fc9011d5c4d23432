/**
 * A component too large for its sets to be listed, as a network: its variables in an order in which few stay open, and for every turn the
 * situations that the open ones can be in. A hub that many need is a situation with two states, a tree has a handful. So the best set at
 * a price comes from one pass, and the lists of the exact search are kept apart by situation.
 */
import type { Slices } from "../../../run-in-slices.js";
import { EMPTY } from "./classes.js";
import { neighboursOf, orderVariables } from "./network-order.js";
import { type Scratch, Situations } from "./situations.js";
import type { Component, Option, Variable } from "./variables.js";
import { buildWeb, type Web } from "./web.js";

/** One variable's turn. Plain lists: there are tens of thousands, and typed arrays of a few numbers cost more to make. */
export interface Turn {
  /** Tokens and value by option; option 0 is none. */
  readonly tokens: readonly number[];
  readonly values: ArrayLike<number>;
  /** What each option stands for, in the words of the tie order. */
  readonly ids: readonly number[];
  /** How many situations there are before and after. */
  readonly before: number;
  readonly after: number;
  /** By situation and option: the situation after; -1: impossible. */
  readonly moves: readonly number[];
}

export interface Network {
  readonly turns: readonly Turn[];
  /** True where every option may enter for its own sake. */
  readonly areAllWanted: boolean;
  /** Where the situations are too many to be listed: what ties the turns. Then each turn has one situation before it and one after. */
  readonly web?: Web;
}

/** The most situations of a turn, the most moves from them, and the most situations of all turns of a network. */
interface MostSituations {
  readonly ofTurn: number;
  readonly moves: number;
  readonly inAll: number;
}

const MOST: MostSituations = { ofTurn: 256, moves: 8_192, inAll: 20_000 };

/** The same beside further limits, where the bound of a web says little: of components that are not too large. */
const MOST_BESIDE_LIMITS: MostSituations = { ofTurn: 4_096, moves: 16_384, inAll: 60_000 };
const MOST_VARIABLES = 200;

const SITUATIONS_PER_SLICE = 1_000;

/** How networks are built. */
export interface Building {
  /** Networks may share it, one after the other. */
  readonly scratch?: Scratch;
  /** True where sets are limited in more than their tokens. */
  readonly isBesideLimits?: boolean;
}

/** Builds the network of a component. `idOf` gives each option its id. Yields between parts of a few milliseconds. */
export function* buildNetwork(
  component: Component,
  idOf: (option: Option) => number,
  { scratch, isBesideLimits = false }: Building = {},
): Generator<void, Network> {
  const { variables } = component;
  const neighbours = neighboursOf(component);
  const order = yield* orderVariables(neighbours);
  const areAllWanted = variables.every((options) => options.every(({ isWanted }) => isWanted));
  const plain = order.map((variable) => plainTurn(variables[variable]!, idOf));
  const situations = new Situations(component, neighbours, scratch);
  const most = isBesideLimits && variables.length <= MOST_VARIABLES ? MOST_BESIDE_LIMITS : MOST;
  const turns: Turn[] = [];
  let total = 0;
  let nextSlice = SITUATIONS_PER_SLICE;
  for (const variable of order) {
    if (total > nextSlice) {
      nextSlice = total + SITUATIONS_PER_SLICE;
      yield;
    }
    const before = situations.count;
    const moveCount = before * plain[turns.length]!.values.length;
    const isWide = before > most.ofTurn || moveCount > most.moves || total > most.inAll;
    if (isWide) return yield* asWeb(component, order, { turns: plain, areAllWanted });
    const moves = situations.decide(variable);
    const { tokens, values, ids } = plain[turns.length]!;
    turns.push({ tokens, values, ids, before, after: situations.count, moves });
    total += before;
  }
  return { turns, areAllWanted };
}

/** The options of a variable, none of them first. */
function plainTurn(variable: Variable, idOf: (option: Option) => number): Pick<Turn, "tokens" | "values" | "ids"> {
  const width = variable.length + 1;
  const tokens = new Array<number>(width).fill(0);
  const values = new Array<number>(width).fill(0);
  const ids = new Array<number>(width).fill(EMPTY);
  for (let at = 0; at < variable.length; at++) {
    const option = variable[at]!;
    tokens[at + 1] = option.tokens;
    values[at + 1] = option.value;
    ids[at + 1] = idOf(option);
  }
  return { tokens, values, ids };
}

/** The same component with free turns, and what ties them. */
function* asWeb(
  component: Component,
  order: readonly number[],
  { turns, areAllWanted }: { turns: readonly Omit<Turn, "before" | "after" | "moves">[]; areAllWanted: boolean },
): Slices<Network> {
  const web = yield* buildWeb(component, order);
  yield;
  const free = turns.map((turn, at) => {
    const moves = Array.from(web.isPossible[at]!, (possible) => possible - 1);
    return { ...turn, before: 1, after: 1, moves };
  });
  return { turns: free, areAllWanted, web };
}
