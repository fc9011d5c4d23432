/**
 * Linked fragments as variables: of each variable one option is taken or none. The variants of a key are the options of one variable;
 * what stands or falls together (a group, a cycle of requirements) is one option. What an option needs of other variables is a list of the
 * options there that are enough.
 */
import { componentsOf } from "./cycles.js";
import type { LinksGraph } from "./links-graph.js";
import type { Pool } from "./pool.js";

/** A variable, by its options. Option numbers begin at 1; 0 stands for none of them. */
export type Variable = readonly Option[];

export interface Option {
  /** Input positions; none for the bare tie of a group whose parts all have alternatives. */
  readonly fragments: readonly number[];
  readonly tokens: number;
  readonly value: number;
  readonly needs: readonly Need[];
  /** True where it holds a fragment that may enter for its own sake; else it enters only where another option needs it. */
  readonly isWanted: boolean;
}

/** One of some options of a variable. */
export interface Need {
  readonly variable: number;
  readonly options: readonly number[];
}

/** Variables that are tied together by needs, numbered from 0 within their component. */
export interface Component {
  readonly variables: readonly Variable[];
}

/** The nodes of each option of one variable. */
type Seats = readonly (readonly number[])[];

/** Where each node stands: the number of its variable within the component, and its option. */
interface Seating {
  readonly variables: Int32Array;
  readonly options: Int32Array;
}

const NOTHING: readonly never[] = [];

/** So many variables are compiled between two turns of others. */
const VARIABLES_PER_SLICE = 1_000;

/**
 * Compiles the components. A fragment of a key that has linked variants stands with them, though it is not linked itself. Yields between
 * parts of a few milliseconds.
 */
export function* compileVariables(pool: Pool, graph: LinksGraph): Generator<void, Component[]> {
  const seats = seatNodes(pool, graph);
  yield;
  const seating = { variables: new Int32Array(graph.isNode.length), options: new Int32Array(graph.isNode.length) };
  seats.forEach((options, variable) => {
    options.forEach((nodes, at) => {
      for (const node of nodes) {
        seating.variables[node] = variable;
        seating.options[node] = at + 1;
      }
    });
  });
  const components: Component[] = [];
  let compiled = 0;
  for (const tied of tieTogether(seats, graph, seating)) {
    compiled += tied.length;
    if (compiled > VARIABLES_PER_SLICE) {
      compiled = 0;
      yield;
    }
    // From here on variables are counted within their component.
    tied.forEach((variable, number) => {
      for (const nodes of seats[variable]!) for (const node of nodes) seating.variables[node] = number;
    });
    components.push({
      variables: tied.map((variable) => seats[variable]!.map((nodes) => optionOf(nodes, pool, graph, seating))),
    });
  }
  return components;
}

function seatNodes({ input, wanted }: Pool, graph: LinksGraph): Seats[] {
  const { keys, members } = input.variants;
  const { needs, isNode, isLost } = graph;
  const cycles = componentsOf({ nodes: graph.nodes, size: isNode.length, edgesOf: (node) => needs[node] ?? NOTHING });
  const seats: Seats[] = [];
  const togetherIn: (number[] | undefined)[] = [];
  const isSeated = new Uint8Array(members.length);
  const mayStand = (i: number): boolean => isNode[i] === 1 || (wanted[i] === 1 && isLost[i] === 0);
  for (const node of graph.nodes) {
    const key = node < graph.firstGroup ? keys[node]! : -1;
    if (key >= 0) {
      if (isSeated[key] === 1) continue;
      const variants = members[key]!.map(({ inputIndex }) => inputIndex).filter(mayStand);
      if (variants.length > 1) {
        isSeated[key] = 1;
        seats.push(variants.map((variant) => [variant]));
        continue;
      }
    }
    const together = togetherIn[cycles[node]!];
    if (together !== undefined) {
      together.push(node);
      continue;
    }
    const opened = [node];
    togetherIn[cycles[node]!] = opened;
    seats.push([opened]);
  }
  return seats;
}

/** The variables of each component. */
function tieTogether(seats: readonly Seats[], graph: LinksGraph, { variables }: Seating): number[][] {
  const parents = new Int32Array(seats.length).map((_, variable) => variable);
  const find = (variable: number): number => {
    let root = variable;
    while (parents[root] !== root) {
      parents[root] = parents[parents[root]!]!;
      root = parents[root]!;
    }
    return root;
  };
  const tie = (node: number, needed: number): void => {
    parents[find(variables[node]!)] = find(variables[needed]!);
  };
  for (const node of graph.nodes) {
    for (const needed of graph.needs[node] ?? NOTHING) tie(node, needed);
    for (const part of graph.alternatives[node] ?? NOTHING) for (const needed of part) tie(node, needed);
  }
  const byRoot: (number[] | undefined)[] = new Array(seats.length).fill(undefined);
  for (let variable = 0; variable < seats.length; variable++) {
    const root = find(variable);
    const tied = byRoot[root];
    if (tied === undefined) byRoot[root] = [variable];
    else tied.push(variable);
  }
  return byRoot.filter((tied) => tied !== undefined);
}

function optionOf(nodes: readonly number[], pool: Pool, graph: LinksGraph, seating: Seating): Option {
  const { tokenCounts } = pool.input;
  const { variables, options } = seating;
  const fragments: number[] = [];
  const needs: Need[] = [];
  let tokens = 0;
  let value = 0;
  let isWanted = false;
  for (const node of nodes) {
    if (node < graph.firstGroup) {
      fragments.push(node);
      tokens += tokenCounts[node]!;
      value += pool.worths.values[node]!;
      isWanted ||= pool.wanted[node] === 1;
    } else {
      isWanted ||= areMembersWanted(node, pool, graph);
    }
    for (const needed of graph.needs[node] ?? NOTHING) {
      const isOwn = variables[needed] === variables[node] && options[needed] === options[node];
      if (!isOwn) addNeed(needs, variables[needed]!, [options[needed]!]);
    }
    for (const part of graph.alternatives[node] ?? NOTHING) {
      const numbers = part.map((needed) => options[needed]!);
      const isOwn = variables[part[0]!] === variables[node] && numbers.includes(options[node]!);
      if (!isOwn) addNeed(needs, variables[part[0]!]!, numbers);
    }
  }
  return { fragments, tokens, value, needs, isWanted };
}

/** True where whatever a group enters with is wanted, so that its tie need not be called for by any of it. */
function areMembersWanted(group: number, { wanted }: Pool, { needs, alternatives }: LinksGraph): boolean {
  const isWanted = (member: number): boolean => wanted[member] === 1;
  return (
    (needs[group] ?? NOTHING).every(isWanted) && (alternatives[group] ?? NOTHING).every((part) => part.every(isWanted))
  );
}

function addNeed(needs: Need[], variable: number, options: readonly number[]): void {
  const isKnown = needs.some((need) => need.variable === variable && need.options.join() === options.join());
  if (!isKnown) needs.push({ variable, options });
}

/**
 * The same component with its variables in an order that the input does not decide: each stands where the earliest of its fragments does,
 * and one without any just after the first that it needs.
 */
export function inOrder(
  { variables }: Component,
  compareFragments: (a: number, b: number) => number,
): Component & { readonly earliest: number } {
  const earliestOf = (options: Variable): number | undefined =>
    options
      .flatMap(({ fragments }) => fragments)
      .reduce<number | undefined>((a, b) => (a === undefined || compareFragments(b, a) < 0 ? b : a), undefined);
  const own = variables.map(earliestOf);
  const places = variables.map((options, variable) => {
    const needed = options.flatMap(({ needs }) => needs.flatMap((need) => own[need.variable] ?? []));
    return own[variable] ?? needed.reduce((a, b) => (compareFragments(b, a) < 0 ? b : a));
  });
  const order = variables.map((_, variable) => variable);
  order.sort(
    (a, b) =>
      (places[a] === places[b] ? 0 : compareFragments(places[a]!, places[b]!)) ||
      Number(own[a] === undefined) - Number(own[b] === undefined),
  );
  const numbers = new Int32Array(variables.length);
  order.forEach((variable, number) => {
    numbers[variable] = number;
  });
  const renumbered = (option: Option): Option => ({
    ...option,
    needs: option.needs.map((need) => ({ ...need, variable: numbers[need.variable]! })),
  });
  return { variables: order.map((variable) => variables[variable]!.map(renumbered)), earliest: places[order[0]!]! };
}
