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

/** Where a node stands among the variables. */
interface Seat {
  readonly variable: number;
  readonly option: number;
}

/** Compiles the components. A fragment of a key that has linked variants stands with them, though it is not linked itself. */
export function compileVariables(pool: Pool, graph: LinksGraph): Component[] {
  const nodesOf = seatNodes(pool, graph);
  const seats = new Map<number, Seat>();
  nodesOf.forEach((options, variable) => {
    options.forEach((nodes, at) => {
      for (const node of nodes) seats.set(node, { variable, option: at + 1 });
    });
  });
  const variables = nodesOf.map((options) => options.map((nodes) => optionOf(nodes, pool, graph, seats)));
  return splitIntoComponents(variables);
}

/** The nodes of each option of each variable. */
function seatNodes({ input, wanted }: Pool, graph: LinksGraph): number[][][] {
  const { keys, members } = input.variants;
  const cycles = componentsOf(graph.nodes, graph.needsOf);
  const variables: number[][][] = [];
  const byCycle = new Map<number, number[]>();
  const seatedKeys = new Set<number>();
  for (const node of graph.nodes) {
    const key = node < graph.firstGroup ? keys[node]! : -1;
    if (seatedKeys.has(key)) continue;
    const variants =
      key < 0
        ? []
        : members[key]!.map(({ inputIndex }) => inputIndex).filter(
            (i) => graph.has(i) || (wanted[i] === 1 && !graph.isLost(i)),
          );
    if (variants.length > 1) {
      seatedKeys.add(key);
      variables.push(variants.map((variant) => [variant]));
      continue;
    }
    const cycle = cycles.get(node)!;
    const together = byCycle.get(cycle);
    if (together !== undefined) {
      together.push(node);
      continue;
    }
    const opened = [node];
    byCycle.set(cycle, opened);
    variables.push([opened]);
  }
  return variables;
}

function optionOf(nodes: readonly number[], pool: Pool, graph: LinksGraph, seats: ReadonlyMap<number, Seat>): Option {
  const fragments = nodes.filter((node) => node < graph.firstGroup);
  const { tokenCounts } = pool.input;
  const own = new Set(nodes);
  const needs = new Map<string, Need>();
  const need = (alternatives: readonly number[]): void => {
    if (alternatives.some((node) => own.has(node))) return;
    const { variable } = seats.get(alternatives[0]!)!;
    const options = alternatives.map((node) => seats.get(node)!.option);
    needs.set(`${variable} ${options.join()}`, { variable, options });
  };
  for (const node of nodes) {
    for (const needed of graph.needsOf(node)) need([needed]);
    for (const part of graph.needsOneOf(node)) need(part);
  }
  return {
    fragments,
    tokens: fragments.reduce((sum, i) => sum + tokenCounts[i]!, 0),
    value: fragments.reduce((sum, i) => sum + pool.worths.values[i]!, 0),
    needs: [...needs.values()],
    isWanted: fragments.some((i) => pool.wanted[i] === 1),
  };
}

function splitIntoComponents(variables: readonly Variable[]): Component[] {
  const parents = variables.map((_, i) => i);
  const find = (i: number): number => {
    let root = i;
    while (parents[root] !== root) {
      parents[root] = parents[parents[root]!]!;
      root = parents[root]!;
    }
    return root;
  };
  variables.forEach((options, i) => {
    for (const { needs } of options) for (const { variable } of needs) parents[find(i)] = find(variable);
  });
  const byRoot = new Map<number, number[]>();
  variables.forEach((_, i) => {
    const members = byRoot.get(find(i));
    if (members === undefined) byRoot.set(find(i), [i]);
    else members.push(i);
  });
  return Array.from(byRoot.values(), (members) => componentFrom(members, variables));
}

function componentFrom(members: readonly number[], variables: readonly Variable[]): Component {
  const numbers = new Map(members.map((variable, number) => [variable, number]));
  const renumber = (need: Need): Need => ({ ...need, variable: numbers.get(need.variable)! });
  return {
    variables: members.map((i) => variables[i]!.map((option) => ({ ...option, needs: option.needs.map(renumber) }))),
  };
}
