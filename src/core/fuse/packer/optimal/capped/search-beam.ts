/** Lists of partial sets of the open classes, class by class, with a bound on what was cut (beam search). */
import type { TieOrder } from "../classes.js";
import { Beam } from "./beam.js";
import type { Steps } from "./block-list.js";
import type { OpenCore } from "./open-core.js";

export interface BeamSearch {
  readonly core: OpenCore;
  /** Of the budget and of each cap. */
  readonly prices: Float64Array;
  /** The value of the best set that is known: no worse one is of use; with `ties` its equals are. */
  readonly value: number;
  readonly ties: boolean;
  readonly order: TieOrder;
  /** How many partial sets are kept of a level. */
  readonly width: number;
  readonly steps: Steps;
  /** What bounds may lack for rounding. */
  readonly slop: number;
}

export interface BeamAnswer {
  /** By level: the option; absent where nothing of use was found. */
  readonly options: Int32Array | undefined;
  readonly value: number;
  /** No set has a greater value than this and the best that is known. */
  readonly bound: number;
  /** True where nothing was cut. */
  readonly isComplete: boolean;
}

const STEPS_PER_SLICE = 10_000;

/** Lists the partial sets of one level after the other. Yields between parts of a few milliseconds. */
export function* searchBeam(search: BeamSearch): Generator<void, BeamAnswer> {
  const run = new Beam(search);
  let next = search.steps.left - STEPS_PER_SLICE;
  for (let depth = 0; depth < search.core.levels.length; depth++) {
    if (!run.decide(depth)) break;
    if (search.steps.left > next) continue;
    next = search.steps.left - STEPS_PER_SLICE;
    if (search.steps.isLate?.()) {
      run.stop();
      break;
    }
    yield;
  }
  return run.answer();
}
