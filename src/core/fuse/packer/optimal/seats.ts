/**
 * Where the nodes of the graph of links stand: in which option of which variable. Rows of numbers, not lists of lists: tens of thousands
 * of small lists that live as long as the compiling does keep the collector busy.
 */
import { componentsOf } from "./cycles.js";
import type { LinksGraph } from "./links-graph.js";
import type { Pool } from "./pool.js";

export interface Seats {
  /** How many variables there are. */
  readonly count: number;
  /** By node: its variable, and its option there, from 1. */
  readonly variables: Int32Array;
  readonly options: Int32Array;
  /** By variable, and one past the last: its first option in the row of all options. */
  readonly firstOptions: Int32Array;
  /** By option in that row, and one past the last: its first node in the row of nodes. */
  readonly firstNodes: Int32Array;
  readonly nodes: Int32Array;
}

const NOTHING: readonly never[] = [];

/**
 * The variants of a key are the options of one variable; what needs one another in a circle is one option of a variable of its own. A
 * fragment of a key that has linked variants stands with them, though it is not linked itself.
 */
export function seatNodes(pool: Pool, graph: LinksGraph): Seats {
  const { needs, isNode } = graph;
  const cycles = componentsOf({ nodes: graph.nodes, size: isNode.length, edgesOf: (node) => needs[node] ?? NOTHING });
  const seating = new Seating(isNode.length);
  const { keys, members } = pool.input.variants;
  const seatOfCycle = new Int32Array(graph.nodes.length).fill(-1);
  const isSeated = new Uint8Array(members.length);
  for (const node of graph.nodes) {
    const key = node < graph.firstGroup ? keys[node]! : -1;
    if (key >= 0 && isSeated[key] === 1) continue;
    if (key >= 0 && seating.seatVariants(members[key]!, pool, graph)) {
      isSeated[key] = 1;
      continue;
    }
    const cycle = cycles[node]!;
    if (seatOfCycle[cycle] === -1) seatOfCycle[cycle] = seating.open();
    seating.sit(node, seatOfCycle[cycle]!);
  }
  return seating.build();
}

class Seating {
  /** By node: the option in which it sits, in the row of all; -1: none. */
  readonly #seatOf: Int32Array;
  /** By option in the row of all: its variable. */
  readonly #variableOf: number[] = [];
  /** The nodes in the order in which they sat down. */
  readonly #order: number[] = [];
  #variables = 0;

  constructor(nodes: number) {
    this.#seatOf = new Int32Array(nodes).fill(-1);
  }

  /** Seats the variants that may enter, each as an option of one variable; false, and nothing is seated, where that is but one. */
  seatVariants(variants: readonly { readonly inputIndex: number }[], { wanted }: Pool, graph: LinksGraph): boolean {
    const mayStand = (i: number): boolean => graph.isNode[i] === 1 || (wanted[i] === 1 && graph.isLost[i] === 0);
    let standing = 0;
    for (const { inputIndex } of variants) if (mayStand(inputIndex)) standing++;
    if (standing < 2) return false;
    const variable = this.#variables++;
    for (const { inputIndex } of variants) {
      if (mayStand(inputIndex)) this.sit(inputIndex, this.#variableOf.push(variable) - 1);
    }
    return true;
  }

  /** Opens a variable with one option, and answers that. */
  open(): number {
    return this.#variableOf.push(this.#variables++) - 1;
  }

  sit(node: number, seat: number): void {
    this.#seatOf[node] = seat;
    this.#order.push(node);
  }

  build(): Seats {
    const seatCount = this.#variableOf.length;
    const variables = new Int32Array(this.#seatOf.length);
    const options = new Int32Array(this.#seatOf.length);
    const firstOptions = new Int32Array(this.#variables + 1);
    for (let seat = 0; seat < seatCount; seat++) firstOptions[this.#variableOf[seat]! + 1] = seat + 1;
    const firstNodes = new Int32Array(seatCount + 1);
    for (const node of this.#order) {
      const seat = this.#seatOf[node]!;
      firstNodes[seat + 1]!++;
      variables[node] = this.#variableOf[seat]!;
      options[node] = seat - firstOptions[variables[node]!]! + 1;
    }
    for (let seat = 0; seat < seatCount; seat++) firstNodes[seat + 1]! += firstNodes[seat]!;
    const nodes = new Int32Array(this.#order.length);
    const next = firstNodes.slice();
    for (const node of this.#order) nodes[next[this.#seatOf[node]!]!++] = node;
    return { count: this.#variables, variables, options, firstOptions, firstNodes, nodes };
  }
}
