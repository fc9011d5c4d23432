/**
 * Linked fragments as variables: of each variable one option is taken or none. The variants of a key are the options of one variable;
 * what stands or falls together (a group, a cycle of requirements) is one option. What an option needs of other variables is a list of the
 * options there that are enough.
 */
import { appended } from "./appended.js";
import type { LinksGraph } from "./links-graph.js";
import type { Pool } from "./pool.js";
import { type Seats, seatNodes } from "./seats.js";

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
  /** Counted within the component, whose variables may be numbered anew. */
  variable: number;
  readonly options: readonly number[];
}

/** Variables that are tied together by needs, numbered from 0 within their component. */
export interface Component {
  readonly variables: readonly Variable[];
}

const NOTHING: readonly never[] = [];

/** Finds the components of a graph. Yields between parts of a few milliseconds. */
export function* openComponents(pool: Pool, graph: LinksGraph): Generator<void, Components> {
  const seats = seatNodes(pool, graph);
  yield;
  return new Components(pool, graph, seats);
}

/** The components, each compiled when it is asked for, so that what is made of one need not outlive it. */
export class Components {
  readonly #pool: Pool;
  readonly #graph: LinksGraph;
  readonly #seats: Seats;
  /** By component, and one past the last: its first variable in the row of all; and that row. */
  readonly #firsts: Int32Array;
  readonly #variables: Int32Array;

  constructor(pool: Pool, graph: LinksGraph, seats: Seats) {
    this.#pool = pool;
    this.#graph = graph;
    this.#seats = seats;
    const { firsts, variables } = tieTogether(this.#seats, graph);
    this.#firsts = firsts;
    this.#variables = variables;
  }

  get count(): number {
    return this.#firsts.length - 1;
  }

  /** How many options a component has. */
  optionsOf(component: number): number {
    return this.#reduce(component, 0, (sum, options) => sum + options);
  }

  /** How many sets a component has at most. */
  setsOf(component: number): number {
    return this.#reduce(component, 1, (product, options) => product * (options + 1));
  }

  /** How many variables a component has. */
  variablesOf(component: number): number {
    return this.#firsts[component + 1]! - this.#firsts[component]!;
  }

  /** Compiles a component; once for each. */
  compile(component: number): Component {
    const { firstOptions, firstNodes, nodes } = this.#seats;
    const first = this.#firsts[component]!;
    const count = this.variablesOf(component);
    // From here on its variables are counted within the component.
    for (let number = 0; number < count; number++) {
      const variable = this.#variables[first + number]!;
      const last = firstNodes[firstOptions[variable + 1]!]!;
      for (let at = firstNodes[firstOptions[variable]!]!; at < last; at++) this.#seats.variables[nodes[at]!] = number;
    }
    const variables = new Array<Variable>(count);
    for (let number = 0; number < count; number++) {
      const variable = this.#variables[first + number]!;
      const seat = firstOptions[variable]!;
      const options = new Array<Option>(firstOptions[variable + 1]! - seat);
      for (let at = 0; at < options.length; at++) options[at] = this.#optionAt(seat + at);
      variables[number] = options;
    }
    return { variables };
  }

  #optionAt(seat: number): Option {
    const { firstNodes, nodes } = this.#seats;
    const first = firstNodes[seat]!;
    const last = firstNodes[seat + 1]!;
    const own = last === first + 1 ? [nodes[first]!] : [...nodes.subarray(first, last)];
    return optionOf(own, this.#pool, this.#graph, this.#seats);
  }

  #reduce(component: number, start: number, step: (result: number, options: number) => number): number {
    const { firstOptions } = this.#seats;
    let result = start;
    for (let at = this.#firsts[component]!; at < this.#firsts[component + 1]!; at++) {
      const variable = this.#variables[at]!;
      result = step(result, firstOptions[variable + 1]! - firstOptions[variable]!);
    }
    return result;
  }
}

/** The variables of each component, end to end, and where those of each begin. */
function tieTogether(
  { variables, count }: Seats,
  graph: LinksGraph,
): { readonly firsts: Int32Array; readonly variables: Int32Array } {
  const parents = new Int32Array(count).map((_, variable) => variable);
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
  const sizes = new Int32Array(count);
  for (let variable = 0; variable < count; variable++) sizes[find(variable)]!++;
  const next = new Int32Array(count);
  const firsts = [0];
  for (let root = 0, sum = 0; root < count; root++) {
    next[root] = sum;
    sum += sizes[root]!;
    if (sizes[root]! > 0) firsts.push(sum);
  }
  const row = new Int32Array(count);
  for (let variable = 0; variable < count; variable++) row[next[find(variable)]!++] = variable;
  return { firsts: Int32Array.from(firsts), variables: row };
}

function optionOf(nodes: readonly number[], pool: Pool, graph: LinksGraph, seats: Seats): Option {
  const { tokenCounts } = pool.input;
  const { variables, options } = seats;
  let fragments = nodes;
  let needs: readonly Need[] = NOTHING;
  let tokens = 0;
  let value = 0;
  let isWanted = false;
  for (const node of nodes) {
    if (node < graph.firstGroup) {
      tokens += tokenCounts[node]!;
      value += pool.worths.values[node]!;
      isWanted ||= pool.wanted[node] === 1;
    } else {
      if (fragments === nodes) fragments = nodes.filter((member) => member < graph.firstGroup);
      isWanted ||= areMembersWanted(node, pool, graph);
    }
    for (const needed of graph.needs[node] ?? NOTHING) {
      const isOwn = variables[needed] === variables[node] && options[needed] === options[node];
      if (!isOwn) needs = withNeed(needs, variables[needed]!, listOf(options[needed]!));
    }
    for (const part of graph.alternatives[node] ?? NOTHING) {
      const numbers = part.map((needed) => options[needed]!);
      const isOwn = variables[part[0]!] === variables[node] && numbers.includes(options[node]!);
      if (!isOwn) needs = withNeed(needs, variables[part[0]!]!, numbers);
    }
  }
  return { fragments, tokens, value, needs, isWanted };
}

/** Lists of one option, by that option: nearly all needs have one, and there are tens of thousands. */
const ONES: readonly (readonly number[])[] = Array.from({ length: 64 }, (_, option) => [option]);

function listOf(option: number): readonly number[] {
  return ONES[option] ?? [option];
}

/** True where whatever a group enters with is wanted, so that its tie need not be called for by any of it. */
function areMembersWanted(group: number, { wanted }: Pool, { needs, alternatives }: LinksGraph): boolean {
  const isWanted = (member: number): boolean => wanted[member] === 1;
  return (
    (needs[group] ?? NOTHING).every(isWanted) && (alternatives[group] ?? NOTHING).every((part) => part.every(isWanted))
  );
}

function withNeed(needs: readonly Need[], variable: number, options: readonly number[]): readonly Need[] {
  const isKnown = needs.some((need) => need.variable === variable && areEqual(need.options, options));
  return isKnown ? needs : appended(needs, { variable, options });
}

function areEqual(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((number, at) => number === b[at]);
}

/**
 * The same component with its variables in an order that the input does not decide: each stands where the earliest of its fragments does,
 * and one without any just after the first that it needs. The needs of the component given are numbered anew.
 */
export function inOrder(
  { variables }: Component,
  compareFragments: (a: number, b: number) => number,
): Component & { readonly earliest: number } {
  const own = variables.map((options) => earliestOf(options, compareFragments));
  const places = own.map((first, variable) => first ?? earliestNeeded(variables[variable]!, own, compareFragments));
  const order = Uint32Array.from(own.keys());
  order.sort(
    (a, b) =>
      (places[a] === places[b] ? 0 : compareFragments(places[a]!, places[b]!)) ||
      Number(own[a] === undefined) - Number(own[b] === undefined),
  );
  const numbers = new Int32Array(variables.length);
  order.forEach((variable, number) => {
    numbers[variable] = number;
  });
  for (const options of variables) {
    for (const { needs } of options) for (const need of needs) need.variable = numbers[need.variable]!;
  }
  return { variables: Array.from(order, (variable) => variables[variable]!), earliest: places[order[0]!]! };
}

/** The earliest fragment of some options; nothing where they have none. */
function earliestOf(options: Variable, compareFragments: (a: number, b: number) => number): number | undefined {
  // The variants of a key stand in its order.
  if (options.length > 1) return options[0]!.fragments[0];
  let earliest: number | undefined;
  for (const { fragments } of options) {
    for (const i of fragments) if (earliest === undefined || compareFragments(i, earliest) < 0) earliest = i;
  }
  return earliest;
}

/** The earliest of what stands first in the variables that some options need. */
function earliestNeeded(
  options: Variable,
  own: readonly (number | undefined)[],
  compareFragments: (a: number, b: number) => number,
): number {
  let earliest = -1;
  for (const { needs } of options) {
    for (const { variable } of needs) {
      const first = own[variable];
      if (first !== undefined && (earliest < 0 || compareFragments(first, earliest) < 0)) earliest = first;
    }
  }
  return earliest;
}
