import type { Component } from "./variables.js";

/** By variable: the others with which it has a need, either way. */
export function neighboursOf({ variables }: Component): ReadonlySet<number>[] {
  const neighbours = variables.map(() => new Set<number>());
  variables.forEach((options, variable) => {
    for (const { needs } of options) {
      for (const need of needs) {
        if (need.variable === variable) continue;
        neighbours[variable]!.add(need.variable);
        neighbours[need.variable]!.add(variable);
      }
    }
  });
  return neighbours;
}

/** The most variables that are compared for each place of the order. */
const MAX_COMPARED = 64;

/**
 * An order of the variables in which few stay open at any time: a variable is open from its turn until its last neighbour's. Next is
 * always the one among the neighbours of open ones that opens the fewest, itself included, beyond those that it closes; the first is one
 * with the fewest neighbours.
 */
export function orderVariables(neighbours: readonly ReadonlySet<number>[]): number[] {
  const undecided = neighbours.map((near) => near.size);
  const isDecided = neighbours.map(() => false);
  const border = new Set<number>();
  const order: number[] = [];
  let first = 0;
  for (let v = 1; v < neighbours.length; v++) if (undecided[v]! < undecided[first]!) first = v;
  border.add(first);
  while (order.length < neighbours.length) {
    const next = bestOf(border, neighbours, undecided, isDecided);
    border.delete(next);
    isDecided[next] = true;
    order.push(next);
    for (const near of neighbours[next]!) {
      undecided[near]!--;
      if (!isDecided[near]) border.add(near);
    }
  }
  return order;
}

function bestOf(
  border: ReadonlySet<number>,
  neighbours: readonly ReadonlySet<number>[],
  undecided: readonly number[],
  isDecided: readonly boolean[],
): number {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  let compared = 0;
  for (const v of border) {
    let opens = undecided[v]! > 0 ? 1 : 0;
    for (const near of neighbours[v]!) if (isDecided[near] && undecided[near] === 1) opens--;
    const cost = opens + undecided[v]! / 1_000;
    if (cost < least) {
      least = cost;
      best = v;
    }
    if (++compared === MAX_COMPARED) break;
  }
  return best;
}
