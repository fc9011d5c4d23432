/**
 * Searches the classes that the prices leave open: first for better sets, since the better the best is the fewer classes are open, and then
 * with lists of more and more partial sets, which lower the bound as well.
 */

import type { Steps } from "./block-list.js";
import { joinHalves } from "./join.js";
import type { Known } from "./known.js";
import { type OpenCore, openCore } from "./open-core.js";
import { searchBeam } from "./search-beam.js";

/** At first only choices are looked at that lose less than the share of so many classes in the bound: while no good set is known, the gap says little. */
const NEAR_CLASSES = 2;

/** Partial sets of a level, and classes of a part, with which a search begins. */
const FIRST = { width: 128, most: 64 };

/** Classes of a part, and partial sets of a list, of which sets are put together: before lists of all open classes, and after. */
const JOINS = [
  { most: 12, sets: 2_000, isDealt: false },
  { most: 24, sets: 4_000, isDealt: false },
];
const LARGE_JOINS = [
  { most: 40, sets: 8_000, isDealt: false },
  { most: 40, sets: 8_000, isDealt: true },
  { most: 80, sets: 8_000, isDealt: false },
];

/** The same where the bound of the prices is enough. */
const FIRST_OF_FEW = { width: 32, most: 16 };
const JOINS_OF_FEW = [{ most: 24, sets: 1_000, isDealt: false }];

/** The parts of the steps for lists of partial sets, pass by pass, and how many of a level they hold at most. */
const SHARES = [1 / 8, 1 / 3, 1];
const MOST_WIDTH = 8_192;

/** Where networks are laid out: the parts of the steps, pass by pass, and of the gap. */
const TURN_PASSES = [
  { share: 0.3, part: 0.3 },
  { share: 0.5, part: 0.6 },
  { share: 1, part: 1 },
];

/** So near to the bound a better set is left to the lists of partial sets: what is put together of two lists costs more by then. */
const CLOSE = 1e-4;

/** A share of the value that is not worth a search: scores are not known so well. */
const GOOD_ENOUGH = 1e-9;

/** Improves the best set. */
export function* searchNear(known: Known, isQuick: boolean, steps: Steps): Generator<void, void> {
  const { width, most } = isQuick ? FIRST_OF_FEW : FIRST;
  if (isGoodEnough(known)) return;
  const { blocks, mixed } = known.problem;
  const classes = blocks.reduce((sum, block) => sum + block.classes.count, mixed.length);
  const gap = Math.min(known.gap, (known.priced.bound * NEAR_CLASSES) / classes);
  const core = yield* openCore(known, { gap, most });
  yield;
  yield* pass(known, core, { width, ties: false, steps });
  yield* join(known, isQuick ? JOINS_OF_FEW : JOINS, steps);
}

interface JoinSize {
  readonly most: number;
  readonly sets: number;
  readonly isDealt: boolean;
}

function* join(known: Known, sizes: readonly JoinSize[], steps: Steps): Generator<void, void> {
  for (const { isDealt, ...how } of sizes) {
    if (known.bound <= known.usage.value * (1 + CLOSE) || steps.left < 0 || steps.isLate?.()) return;
    yield;
    const { priced, prices, usage } = known;
    const near = yield* openCore(known, { gap: known.gap, most: how.most });
    const search = {
      core: near,
      prices,
      value: usage.value,
      bound: priced.bound / priced.scale,
      most: how.sets,
      isDealt,
    };
    const joined = yield* joinHalves(search);
    steps.left -= joined.steps;
    if (joined.options !== undefined) known.takeOptions(near, joined.options);
  }
}

/** Lists partial sets of all open classes, as many of a level as the steps allow; the last pass looks for equals too. */
export function* searchWide(known: Known, steps: Steps): Generator<void, void> {
  const all = steps.left;
  for (const [number, share] of SHARES.entries()) {
    const isLast = number === SHARES.length - 1;
    if (steps.left < 0 || steps.isLate?.()) return;
    if (known.isProven && !isLast) continue;
    const core = yield* openCore(known, { gap: known.gap, most: Number.POSITIVE_INFINITY });
    yield;
    const own: Steps = { left: isLast ? steps.left : Math.floor(all * share), isLate: steps.isLate };
    const before = own.left;
    yield* pass(known, core, { width: MOST_WIDTH, ties: isLast, steps: own });
    steps.left -= before - own.left;
    if (number === 0) yield* join(known, LARGE_JOINS, steps);
  }
}

/**
 * The same where networks are laid out, whose halves cannot be put together: first all sets that lose no more than a part of the gap, which
 * are fewer and among which the best nearly always is, then those that lose more.
 */
export function* searchTurns(known: Known, steps: Steps): Generator<void, void> {
  const all = steps.left;
  for (const [number, { share, part }] of TURN_PASSES.entries()) {
    const isLast = number === TURN_PASSES.length - 1;
    if (steps.left < 0 || steps.isLate?.()) return;
    if (known.isProven && !isLast) continue;
    const core = yield* openCore(known, { gap: Math.ceil(known.gap * part), most: Number.POSITIVE_INFINITY });
    yield;
    const own: Steps = { left: isLast ? steps.left : Math.floor(all * share), isLate: steps.isLate };
    const before = own.left;
    yield* pass(known, core, { width: MOST_WIDTH, ties: isLast, steps: own });
    steps.left -= before - own.left;
  }
}

function* pass(
  known: Known,
  core: OpenCore,
  { width, ties, steps }: { width: number; ties: boolean; steps: Steps },
): Generator<void, void> {
  const { problem, prices, slop, usage } = known;
  const { order } = problem;
  const found = yield* searchBeam({ core, prices, value: usage.value, ties, order, width, steps, slop });
  if (found.options !== undefined && (found.isComplete || found.value > usage.value)) {
    known.takeOptions(core, found.options);
  }
  known.lower(found.bound);
  known.isFirst ||= ties && found.isComplete && core.outerBound < known.usage.value;
}

function isGoodEnough({ bound, usage }: Known): boolean {
  return bound <= usage.value * (1 + GOOD_ENOUGH);
}
