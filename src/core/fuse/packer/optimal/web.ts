/**
 * A web: a component in which so many variables stay open at a time that its situations cannot be listed. For bounds its needs are priced
 * instead: each tie between two variables moves value from one to the other, and then every variable is free. What is moved is found by
 * sequential message passing on the dual of the linear relaxation (Kolmogorov, "Convergent tree-reweighted message passing for energy
 * minimization", 2006); after any number of sweeps the bound is valid, and it never gets worse.
 */
import type { Slices } from "../../../run-in-slices.js";
import { Slice } from "../../../slice.js";
import { neighboursOf } from "./network-order.js";
import type { Component } from "./variables.js";

/**
 * What ties two variables, by their turns: what options of the one need of the other. Most options need nothing of most variables, so a
 * tie holds lists and no table: work on it grows with the needs, not with the pairs of options.
 */
export interface Tie {
  /** Its place among the ties of its web. */
  readonly number: number;
  readonly first: number;
  readonly second: number;
  /** By option of the first: the options of the second beside which alone it can stand; absent: beside any. */
  readonly ofSecond: Asks;
  /** By option of the second: the options of the first beside which alone it can stand; absent: beside any. */
  readonly ofFirst: Asks;
}

/** By option: what it asks of another variable. */
export type Asks = ReadonlyMap<number, ReadonlySet<number>>;

/** True where two options go together. */
export function goTogether({ ofSecond, ofFirst }: Tie, a: number, b: number): boolean {
  return (ofSecond.get(a)?.has(b) ?? true) && (ofFirst.get(b)?.has(a) ?? true);
}

export interface Web {
  readonly ties: readonly Tie[];
  /** By turn: its ties to later turns, and to earlier ones. */
  readonly ahead: readonly (readonly Tie[])[];
  readonly behind: readonly (readonly Tie[])[];
  /** By turn: 1 for each option that can be taken at all. */
  readonly isPossible: readonly Uint8Array[];
}

/** A tie has lists of its own, which are made and gone through. */
const STEPS_PER_TIE = 16;

/** Builds the web of a component whose variables have their turns in an order. */
export function* buildWeb(component: Component, order: readonly number[]): Slices<Web> {
  const { variables } = component;
  const turnOf = new Int32Array(order.length);
  order.forEach((variable, turn) => {
    turnOf[variable] = turn;
  });
  const neighbours = neighboursOf(component);
  const ahead: Tie[][] = order.map(() => []);
  const behind: Tie[][] = order.map(() => []);
  const ties: Tie[] = [];
  const slice = new Slice();
  yield;
  for (const [first, variable] of order.entries()) {
    const later = [...neighbours[variable]!].filter((other) => turnOf[other]! > first);
    for (const other of later.sort((a, b) => turnOf[a]! - turnOf[b]!)) {
      const second = turnOf[other]!;
      const ofSecond = asksOf(component, variable, other);
      const tie = { number: ties.length, first, second, ofSecond, ofFirst: asksOf(component, other, variable) };
      ties.push(tie);
      ahead[first]!.push(tie);
      behind[second]!.push(tie);
    }
    if (slice.isOver(STEPS_PER_TIE * (1 + later.length))) yield;
  }
  const isPossible = order.map((variable) =>
    Uint8Array.from([
      1,
      ...variables[variable]!.map(({ needs }) => (needs.some((need) => need.variable === variable) ? 0 : 1)),
    ]),
  );
  yield;
  yield* loseImpossible(ties, { ahead, behind, isPossible });
  return { ties, ahead, behind, isPossible };
}

function asksOf({ variables }: Component, one: number, other: number): Asks {
  const asks = new Map<number, ReadonlySet<number>>();
  variables[one]!.forEach(({ needs }, at) => {
    for (const { variable, options } of needs) {
      if (variable !== other) continue;
      const before = asks.get(at + 1);
      asks.set(at + 1, new Set(before === undefined ? options : options.filter((option) => before.has(option))));
    }
  });
  return asks;
}

/**
 * Takes out the options with which no option of some other variable goes together, until all that are left have one everywhere. A tie is
 * looked at again only where an option of one of its ends went.
 */
function* loseImpossible(ties: readonly Tie[], around: Pick<Web, "ahead" | "behind" | "isPossible">): Slices<void> {
  const { ahead, behind, isPossible } = around;
  const waiting = new Set(ties);
  const slice = new Slice();
  for (const tie of waiting) {
    if (slice.isOver(STEPS_PER_TIE)) yield;
    waiting.delete(tie);
    for (const turn of loseUnsupported(tie, isPossible)) {
      for (const other of ahead[turn]!) waiting.add(other);
      for (const other of behind[turn]!) waiting.add(other);
    }
  }
}

/** Takes out the options of either end that go together with none of the other; answers the ends that lost some. */
function loseUnsupported(tie: Tie, isPossible: readonly Uint8Array[]): number[] {
  const { first, second, ofSecond, ofFirst } = tie;
  const lost = new Set<number>();
  const look = (turn: number, partners: readonly [asks: Asks, their: Asks, turn: number]): void => {
    const [asks, theirs, other] = partners;
    const mayTake = isPossible[other]!;
    for (let option = 0; option < isPossible[turn]!.length; option++) {
      if (isPossible[turn]![option] === 0) continue;
      const isPartner = (b: number): boolean => mayTake[b] === 1 && (theirs.get(b)?.has(option) ?? true);
      const asked = asks.get(option);
      // Option 0 asks nothing of anybody, so what asks for nothing can always stand beside it.
      if (asked === undefined ? isPartner(0) : [...asked].some(isPartner)) continue;
      isPossible[turn]![option] = 0;
      lost.add(turn);
    }
  };
  look(first, [ofSecond, ofFirst, second]);
  look(second, [ofFirst, ofSecond, first]);
  return [...lost];
}
