import { appended } from "./appended.js";
import type { Component } from "./variables.js";

const NOBODY: never[] = [];

/** By variable: the others with which it has a need, either way, by number. */
export function neighboursOf({ variables }: Component): (readonly number[])[] {
  const neighbours: number[][] = variables.map(() => NOBODY);
  variables.forEach((options, variable) => {
    for (const { needs } of options) {
      for (const need of needs) {
        if (need.variable === variable) continue;
        neighbours[variable] = appended(neighbours[variable]!, need.variable);
        neighbours[need.variable] = appended(neighbours[need.variable]!, variable);
      }
    }
  });
  return neighbours.map(sortedOnce);
}

/** Longer lists than this are left to `sort`, which copies what it sorts. */
const SHORT = 16;

/** Sorts a list in place and takes out what stands twice. */
function sortedOnce(numbers: number[]): number[] {
  if (numbers.length > SHORT) numbers.sort((a, b) => a - b);
  else insertionSort(numbers);
  let count = 0;
  for (let at = 0; at < numbers.length; at++) {
    if (at === 0 || numbers[at] !== numbers[count - 1]) numbers[count++] = numbers[at]!;
  }
  if (count < numbers.length) numbers.length = count;
  return numbers;
}

function insertionSort(numbers: number[]): void {
  for (let at = 1; at < numbers.length; at++) {
    const number = numbers[at]!;
    let place = at;
    for (; place > 0 && numbers[place - 1]! > number; place--) numbers[place] = numbers[place - 1]!;
    numbers[place] = number;
  }
}

/** The most variables that are compared for each place of the order, and the most neighbours that are looked at for it. */
const MAX_COMPARED = 64;
const MAX_LOOKED_AT = 512;
const VARIABLES_PER_SLICE = 500;

/**
 * An order of the variables in which few stay open at any time: a variable is open from its turn until its last neighbour's. Next is
 * always the one among the neighbours of open ones that opens the fewest, itself included, beyond those that it closes; the first is one
 * with the fewest neighbours. Yields between parts of a few milliseconds.
 */
export function* orderVariables(neighbours: readonly (readonly number[])[]): Generator<void, number[]> {
  const undecided = neighbours.map((near) => near.length);
  const isDecided = neighbours.map(() => false);
  const border = new Set<number>();
  const order: number[] = [];
  let first = 0;
  for (let v = 1; v < neighbours.length; v++) if (undecided[v]! < undecided[first]!) first = v;
  border.add(first);
  while (order.length < neighbours.length) {
    if (order.length % VARIABLES_PER_SLICE === VARIABLES_PER_SLICE - 1) yield;
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
  neighbours: readonly (readonly number[])[],
  undecided: readonly number[],
  isDecided: readonly boolean[],
): number {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  let compared = 0;
  let lookedAt = 0;
  for (const v of border) {
    let opens = undecided[v]! > 0 ? 1 : 0;
    for (const near of neighbours[v]!) if (isDecided[near] && undecided[near] === 1) opens--;
    const cost = opens + undecided[v]! / 1_000;
    if (cost < least) {
      least = cost;
      best = v;
    }
    lookedAt += neighbours[v]!.length;
    if (++compared === MAX_COMPARED || lookedAt > MAX_LOOKED_AT) break;
  }
  return best;
}
