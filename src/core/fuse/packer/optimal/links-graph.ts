/**
 * What needs what, as a graph: nodes are the linked fragments, by input position, and after them one for each group. A node needs all of
 * some nodes, and one of each of some lists of alternatives.
 */
import type { Fragment } from "../../../model/fragment.js";
import type { Pool } from "./pool.js";

export interface LinksGraph {
  /** The nodes from which a set that is worth having can be made: they may enter, and a wanted fragment is or needs them. */
  readonly nodes: readonly number[];
  /** True for a node among them. */
  has(node: number): boolean;
  /** True for a node that needs what cannot enter. */
  isLost(node: number): boolean;
  /** The nodes that a node needs, all of them. */
  needsOf(node: number): readonly number[];
  /** Lists of nodes of which a node needs one each. */
  needsOneOf(node: number): readonly (readonly number[])[];
  /** The first number that stands for a group. */
  readonly firstGroup: number;
}

interface Needs {
  readonly all: number[];
  readonly oneOf: (readonly number[])[];
}

const NOTHING: Needs = { all: [], oneOf: [] };

/** Compiles the graph; nothing where no fragment that may enter is linked. */
export function compileLinks(pool: Pool): LinksGraph | undefined {
  const { input, possible } = pool;
  if (!input.links.any) return undefined;
  const needs = gatherNeeds(pool);
  if (needs.size === 0) return undefined;
  const dead = findDead(needs, (node) => node < possible.length && possible[node] === 0);
  const living = (node: number): boolean => !dead.has(node) && (node >= possible.length || possible[node] === 1);
  const nodes = reachable(pool, needs, living);
  const kept = new Set(nodes);
  return {
    nodes,
    has: (node) => kept.has(node),
    isLost: (node) => dead.has(node),
    needsOf: (node) => (needs.get(node) ?? NOTHING).all,
    needsOneOf: (node) => (needs.get(node) ?? NOTHING).oneOf.map((nodes) => nodes.filter(living)),
    firstGroup: possible.length,
  };
}

/** The needs of all linked fragments that are not committed; what a committed one meets is not among them. */
function gatherNeeds({ input, possible }: Pool): Map<number, Needs> {
  const { fragments, links, committed } = input;
  const needs = new Map<number, Needs>();
  const groups = new Map<string, number>();
  let next = fragments.length;
  for (const fragment of fragments) {
    const { inputIndex, groupId, requires } = fragment;
    if ((groupId === "" && requires.length === 0) || possible[inputIndex] === 0 || links.isAlone(fragment)) continue;
    const own: Needs = { all: [], oneOf: [] };
    needs.set(inputIndex, own);
    for (const required of links.requiredBy(fragment)) {
      if (!committed.has(required)) own.all.push(required.inputIndex);
    }
    if (links.groupOf(fragment).length === 1) continue;
    let group = groups.get(groupId);
    if (group === undefined) {
      group = next++;
      groups.set(groupId, group);
      needs.set(group, needsOfGroup(fragment, input));
    }
    own.all.push(group);
  }
  return needs;
}

function needsOfGroup(fragment: Fragment, { links, committed }: Pool["input"]): Needs {
  const needs: Needs = { all: [], oneOf: [] };
  for (const part of links.partsOf(fragment)) {
    if (part.some((member) => committed.has(member))) continue;
    if (part.length === 1) needs.all.push(part[0]!.inputIndex);
    else needs.oneOf.push(part.map(({ inputIndex }) => inputIndex));
  }
  return needs;
}

/** The nodes that need what cannot enter, and those that need these. */
function findDead(needs: ReadonlyMap<number, Needs>, isImpossible: (node: number) => boolean): ReadonlySet<number> {
  const neededBy = new Map<number, number[]>();
  const note = (needed: number, node: number): void => {
    const nodes = neededBy.get(needed);
    if (nodes === undefined) neededBy.set(needed, [node]);
    else nodes.push(node);
  };
  for (const [node, { all, oneOf }] of needs) {
    for (const needed of all) note(needed, node);
    for (const part of oneOf) for (const needed of part) note(needed, node);
  }
  const dead = new Set<number>();
  const isLost = (node: number): boolean => dead.has(node) || isImpossible(node);
  const waiting = [...neededBy.keys()].filter(isImpossible);
  for (let lost = waiting.pop(); lost !== undefined; lost = waiting.pop()) {
    for (const node of neededBy.get(lost) ?? []) {
      const { all, oneOf } = needs.get(node)!;
      if (dead.has(node) || (!all.includes(lost) && !oneOf.some((part) => part.every(isLost)))) continue;
      dead.add(node);
      waiting.push(node);
    }
  }
  return dead;
}

/** The wanted linked fragments that may enter, with all that they need and all that could meet a need. */
function reachable({ wanted }: Pool, needs: ReadonlyMap<number, Needs>, living: (node: number) => boolean): number[] {
  const seen = new Set<number>();
  const waiting: number[] = [];
  const see = (node: number): void => {
    if (seen.has(node) || !living(node)) return;
    seen.add(node);
    waiting.push(node);
  };
  for (const node of needs.keys()) if (node < wanted.length && wanted[node] === 1) see(node);
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const { all, oneOf } = needs.get(node) ?? NOTHING;
    all.forEach(see);
    for (const part of oneOf) part.forEach(see);
  }
  return [...seen];
}
