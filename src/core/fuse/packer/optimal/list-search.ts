/** What the exact part of the search is asked, and what it answers. */
import type { TieOrder } from "./classes.js";

/** One class, or one variable of a network, in the order in which they are decided. Option 0 is the baseline. */
export interface Level {
  /** What each option adds to the baseline; may be below 0. */
  readonly tokens: Float64Array;
  readonly values: Float64Array;
  /** What each option stands for, in the words of the tie order. */
  readonly ids: Int32Array;
  /** The most value that a further token brings in the levels after this one, and the least that one token less costs there. */
  readonly up: number;
  readonly down: number;
  /** Absent: options are free. */
  readonly network?: LevelNetwork;
}

/** What the options of a level depend on: the situation that earlier levels of its network leave. A network begins with situation 0. */
export interface LevelNetwork {
  /** The situation after an option is taken in a situation before; -1 where that is impossible. */
  move(situation: number, option: number): number;
  /** What its network still loses in a situation after, against the baseline at the price, at the least. */
  lossOf(situation: number): number;
  /** How many steps one entry counts for. */
  readonly weight: number;
  /** True where the network ends with this level; then situation 0 is the only one. */
  readonly isLast: boolean;
}

/** What is sought. */
export interface ListSearch {
  readonly levels: readonly Level[];
  readonly capacity: number;
  /** Tokens and value of the set in which every level is at its baseline. */
  readonly tokens: number;
  readonly value: number;
  /** The best set that is known. */
  readonly best: { readonly tokens: number; readonly value: number };
  /** Absent: equals need not be told apart. */
  readonly order: TieOrder | undefined;
  readonly limits: ListLimits;
  /** Bounds may be too low by so much, for rounding. */
  readonly slop: number;
}

export interface ListLimits {
  /** The most entries that are looked at. */
  readonly steps: number;
  /** Asked after each level: true once the time for the search is over. Absent: never. */
  readonly isLate?: () => boolean;
  /** The most entries that are looked at once only ties are open. */
  readonly tieSteps: number;
  /** The search ends, after some patience, once no set that is left can be better than the best by more than this. */
  readonly goodEnough: number;
  /** The most entries of a list, and of all lists of a level; the ones with the lowest bounds are cut. */
  readonly width: number;
  readonly totalWidth: number;
}

export interface ListAnswer {
  /** By level: the option taken. Absent: nothing better than the best known, and no better one of its equals. */
  readonly options: Int32Array | undefined;
  readonly tokens: number;
  readonly value: number;
  /** No set that was left out has a greater value. */
  readonly bound: number;
  /** True where everything was looked at, equals too. */
  readonly isComplete: boolean;
  readonly steps: number;
}
