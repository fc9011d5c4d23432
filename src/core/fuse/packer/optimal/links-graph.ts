/**
 * What needs what, as a graph: nodes are the linked fragments, by input position, and after them one for each group. A node needs all of
 * some nodes, and one of each of some lists of alternatives. Arrays by node, not maps: at ten thousand fragments they would cost more
 * than the search.
 */
import type { Fragment } from "../../../model/fragment.js";
import { appended } from "./appended.js";
import type { Pool } from "./pool.js";

export interface LinksGraph {
  /** The nodes from which a set that is worth having can be made: they may enter, and a wanted fragment is or needs them. */
  readonly nodes: readonly number[];
  /** By node: 1 where it is among them. */
  readonly isNode: Uint8Array;
  /** By node: 1 where it needs what cannot enter. */
  readonly isLost: Uint8Array;
  /** By node: the nodes that it needs, all of them. */
  readonly needs: readonly (readonly number[] | undefined)[];
  /** By node: lists of nodes of which it needs one each; what cannot enter is not among them. */
  readonly alternatives: readonly (readonly (readonly number[])[] | undefined)[];
  /** The first number that stands for a group. */
  readonly firstGroup: number;
}

interface Needs {
  readonly all: (number[] | undefined)[];
  readonly oneOf: (number[][] | undefined)[];
}

/** Compiles the graph; nothing where no fragment that may enter is linked. Yields between parts of a few milliseconds. */
export function* compileLinks(pool: Pool): Generator<void, LinksGraph | undefined> {
  const { input, possible } = pool;
  if (!input.links.any) return undefined;
  const needs = yield* gatherNeeds(pool);
  yield;
  const isLost = findLost(needs, possible);
  yield;
  for (const parts of needs.oneOf) {
    parts?.forEach((part, at) => {
      if (part.some((node) => !mayEnter(node, possible, isLost)))
        parts[at] = part.filter((node) => mayEnter(node, possible, isLost));
    });
  }
  const nodes = reachable(pool, needs, isLost);
  if (nodes.length === 0 && !isLost.includes(1)) return undefined;
  const isNode = new Uint8Array(isLost.length);
  for (const node of nodes) isNode[node] = 1;
  return { nodes, isNode, isLost, needs: needs.all, alternatives: needs.oneOf, firstGroup: possible.length };
}

const NOTHING: never[] = [];

function positionsOf(fragments: readonly Fragment[]): number[] {
  return fragments.map(({ inputIndex }) => inputIndex);
}

/** So many fragments are read between two turns of others. */
const FRAGMENTS_PER_SLICE = 2_048;

function mayEnter(node: number, possible: Uint8Array, isLost: Uint8Array): boolean {
  return isLost[node] === 0 && (node >= possible.length || possible[node] === 1);
}

/** The needs of all linked fragments that are not committed; what a committed one meets is not among them. */
function* gatherNeeds({ input, possible }: Pool): Generator<void, Needs> {
  const { fragments, links, committed } = input;
  const all = new Array<number[] | undefined>(fragments.length).fill(undefined);
  const oneOf = new Array<number[][] | undefined>(fragments.length).fill(undefined);
  const groups = new Map<string, number>();
  for (let at = 0; at < links.tied.length; at++) {
    const fragment = links.tied[at]!;
    const { inputIndex, groupId, requires } = fragment;
    if (at % FRAGMENTS_PER_SLICE === FRAGMENTS_PER_SLICE - 1) yield;
    if (possible[inputIndex] === 0) continue;
    let own: number[] = NOTHING;
    if (requires.length > 0) {
      for (const required of links.requiredBy(fragment)) {
        if (!committed.has(required)) own = appended(own, required.inputIndex);
      }
    }
    if (groupId !== "" && links.groupOf(fragment).length > 1) {
      const known = groups.get(groupId);
      const group = known ?? all.length;
      if (known === undefined) {
        groups.set(groupId, group);
        addGroup(fragment, input, { all, oneOf });
      }
      own = appended(own, group);
    }
    if (own.length > 0) all[inputIndex] = own;
  }
  return { all, oneOf };
}

function addGroup(fragment: Fragment, { links, committed }: Pool["input"], needs: Needs): void {
  let all: number[] = NOTHING;
  let oneOf: number[][] = NOTHING;
  for (const part of links.partsOf(fragment)) {
    if (part.some((member) => committed.has(member))) continue;
    if (part.length === 1) all = appended(all, part[0]!.inputIndex);
    else oneOf = appended(oneOf, positionsOf(part));
  }
  needs.all.push(all);
  needs.oneOf.push(oneOf);
}

/** The nodes that need what cannot enter, and those that need these. */
function findLost({ all, oneOf }: Needs, possible: Uint8Array): Uint8Array {
  const isLost = new Uint8Array(all.length);
  const isGone = (node: number): boolean => !mayEnter(node, possible, isLost);
  const lacks = (node: number): boolean =>
    all[node]?.some(isGone) === true || oneOf[node]?.some((part) => part.every(isGone)) === true;
  const lost: number[] = [];
  const lose = (node: number): void => {
    if (isLost[node] === 1 || !lacks(node)) return;
    isLost[node] = 1;
    lost.push(node);
  };
  for (let node = 0; node < all.length; node++) lose(node);
  if (lost.length === 0) return isLost;
  const neededBy: (number[] | undefined)[] = [];
  const note = (needed: number, node: number): void => {
    const nodes = neededBy[needed];
    if (nodes === undefined) neededBy[needed] = [node];
    else nodes.push(node);
  };
  for (let node = 0; node < all.length; node++) {
    all[node]?.forEach((needed) => {
      note(needed, node);
    });
    for (const part of oneOf[node] ?? NOTHING) for (const needed of part) note(needed, node);
  }
  for (let node = lost.pop(); node !== undefined; node = lost.pop()) neededBy[node]?.forEach(lose);
  return isLost;
}

/** The wanted linked fragments that may enter, with all that they need and all that could meet a need. */
function reachable({ wanted, possible }: Pool, { all, oneOf }: Needs, isLost: Uint8Array): number[] {
  const isSeen = new Uint8Array(all.length);
  const nodes: number[] = [];
  const see = (node: number): void => {
    if (isSeen[node] === 1 || !mayEnter(node, possible, isLost)) return;
    isSeen[node] = 1;
    nodes.push(node);
  };
  for (let node = 0; node < wanted.length; node++) if (wanted[node] === 1 && all[node] !== undefined) see(node);
  for (let at = 0; at < nodes.length; at++) {
    all[nodes[at]!]?.forEach(see);
    oneOf[nodes[at]!]?.forEach((part) => {
      part.forEach(see);
    });
  }
  return nodes;
}
