/**
 * How many more tokens dropped fragments would have needed. Under a packer for value that depends on everything else, so at first these are
 * estimates: what all steps take that pay at least as much per token, or, for what is tied to others, what it brings less what was left.
 * Small pools are packed again at one larger budget after the other, which makes them exact as far as that comes, and the rest are tried.
 */
import type { Fragment } from "../../../model/fragment.js";
import { Reason } from "../../../model/payload.js";
import { sortInSlices } from "../../../order/sort-in-slices.js";
import type { Slices } from "../../../run-in-slices.js";
import { Slice } from "../../../slice.js";
import { cheapestClosure, priceOf, wantedByName } from "../../closure.js";
import { type Surroundings, type WalkSteps, walkSteps } from "../../closure-walk.js";
import type { Shortfalls } from "../../packing.js";
import { type Ledger, lacksAtLeast } from "../fill.js";
import { type Swept, sweepBudgets } from "../swept-budgets.js";
import { tryEstimates } from "../tried-estimates.js";
import { type Compiled, choicesOf } from "./compile.js";
import { findHulls } from "./hull.js";
import type { Pool } from "./pool.js";
import { reachableSums } from "./reachable-sums.js";

/** A packing that is done, and how to do it with other tokens. */
export interface Packed {
  readonly pool: Pool;
  readonly compiled: Compiled;
  readonly ledger: Ledger;
  readonly unreachable: ReadonlyMap<Fragment, Reason>;
  /** True: the packing is the best of all. */
  readonly isBest: boolean;
  /** Packs with so many tokens, in at most so many steps. Absent: it would take too long, or not be the same packing. */
  readonly repack?: ((tokens: number, steps: number) => Slices<Repacked>) | undefined;
}

/** What a packing that is tried came to, and what it took. */
export interface Repacked {
  readonly chosenBy: Uint8Array;
  readonly steps: number;
}

export function* valueShortfalls(packed: Packed): Slices<Shortfalls> {
  const { pool, compiled, ledger, unreachable } = packed;
  const { input, wanted } = pool;
  const tokens = new Float64Array(wanted.length).fill(-1);
  const estimates = new Set<number>();
  const ofSteps = yield* stepTotals(compiled, wanted.length);
  const around = {
    links: input.links,
    isPresent: ({ inputIndex }: Fragment) => ledger.chosenBy[inputIndex] !== 0,
    isOut: ({ inputIndex }: Fragment) => input.out[inputIndex] === 1,
    steps: walkSteps(ESTIMATE_STEPS),
  };
  const slice = new Slice(around.steps);
  for (let i = 0; i < wanted.length; i++) {
    if (slice.isOver()) yield;
    const fragment = input.fragments[i]!;
    const isBrought = wanted[i] === 0 && pool.below.has(fragment) && !unreachable.has(fragment);
    if ((wanted[i] === 0 && !isBrought) || ledger.chosenBy[i] !== 0) continue;
    const total = ofSteps[i]!;
    if (unreachable.has(fragment)) {
      // A shallower variant enters at a middle budget, unless that is behind already; what a cap keeps out never does.
      if (total <= input.tokens || unreachable.get(fragment) === Reason.SECTION_CAP) continue;
      tokens[i] = total - input.tokens;
    } else if (total > input.tokens) {
      tokens[i] = total - input.tokens;
    } else {
      const closure = closureOf(fragment, around);
      if (closure !== undefined) tokens[i] = Math.max(1, priceOf(closure) - ledger.tokens);
    }
    if (tokens[i]! >= 0) {
      if (around.steps.left < 0) tokens[i] = Math.max(tokens[i]!, lacksAtLeast(fragment, ledger));
      tokens[i] = Math.max(tokens[i]!, ledger.tally?.furtherFor([fragment]) ?? 0);
      if (tokens[i] === Number.POSITIVE_INFINITY) tokens[i] = -1;
      else estimates.add(i);
    }
  }
  const found = { tokens, estimates };
  yield* tryPacking(found, packed);
  return found;
}

/** Shortfalls that are still being found. */
interface Found {
  readonly tokens: Float64Array;
  readonly estimates: Set<number>;
}

/** A search looks at each choice several times. */
const LOOKS_PER_CHOICE = 4;

/** What all searches of trials may take together, in steps: some milliseconds. */
const TRIAL_STEPS = 100_000;
/** What all packings of a sweep may look at, in choices, and how many there may be; a sweep of fewer finds little. */
const SWEEP = { looks: 8_192, fewest: 16, most: 64 };

/**
 * Makes estimates exact by packing again at one larger budget after the other; where the sweep does not come so far, they become numbers
 * that were seen to be enough.
 */
function* tryPacking(found: Found, packed: Packed): Slices<void> {
  const { pool, compiled, repack } = packed;
  if (repack === undefined) return;
  const { tokens, tokenCounts } = pool.input;
  const looks = LOOKS_PER_CHOICE * choicesOf(compiled);
  let left = TRIAL_STEPS;
  const nextDifferent = differencesOf(packed);
  const packWith = function* (further: number): Slices<Swept | undefined> {
    const { chosenBy, steps } = yield* repack(tokens + further, left);
    left -= steps;
    return left > 0 ? { chosenBy, shortBy: nextDifferent(tokens + further) - (tokens + further) } : undefined;
  };
  const packings = Math.min(SWEEP.most, Math.floor(SWEEP.looks / looks));
  const { entries } = yield* sweepBudgets(openIn(packed), packWith, packings < SWEEP.fewest ? 0 : packings);
  for (const [i, least] of entries) {
    found.tokens[i] = least;
    found.estimates.delete(i);
  }
  yield* tryEstimates(found, {
    looks,
    plenty: tokenCounts.reduce((sum, price) => sum + price, 0),
    *enters(inputIndex, further) {
      if (left <= 0) return undefined;
      const { chosenBy, steps } = yield* repack(tokens + further, left);
      left -= steps;
      return left > 0 ? chosenBy[inputIndex] !== 0 : undefined;
    },
  });
}

/** Input positions of what was nominated, is not in, and could be. */
function* openIn({ pool, ledger }: Packed): Generator<number> {
  const { nominations, out } = pool.input;
  for (const { positions } of nominations) {
    for (const i of positions) if (ledger.chosenBy[i] === 0 && out[i] === 0) yield i;
  }
}

/**
 * The least number of tokens above another at which a packing may differ. The best set is one of those that fit, so it goes by their sums;
 * what goes by the price at which the budget is full may differ with any token.
 */
function differencesOf({ pool: { input }, isBest }: Packed): (tokens: number) => number {
  const prices: number[] = [];
  for (let i = 0; i < input.tokenCounts.length; i++) {
    if (input.out[i] === 0 && !input.committed.has(input.fragments[i]!)) prices.push(input.tokenCounts[i]!);
  }
  if (isBest) return reachableSums(prices);
  const plenty = prices.reduce((sum, price) => sum + price, 0);
  return (tokens) => (tokens < plenty ? tokens + 1 : Number.POSITIVE_INFINITY);
}

/** Steps that the estimates of one request may take; past them a fragment's own price stands for that of all it needs. */
const ESTIMATE_STEPS = 1_000_000;

/** What must enter with a fragment; nothing where that cannot. */
function closureOf(
  fragment: Fragment,
  around: Surroundings & { readonly steps: WalkSteps },
): readonly Fragment[] | undefined {
  const closure = around.steps.left < 0 ? undefined : cheapestClosure(wantedByName(fragment), around);
  return around.steps.left < 0 ? [fragment] : closure;
}

/** By input position: the tokens of all steps that pay at least as much as the one to this fragment; 0 where no step leads to it. */
function* stepTotals(
  { problem: { classes }, fragmentsOf, places }: Compiled,
  fragmentCount: number,
): Slices<Float64Array> {
  const totals = new Float64Array(fragmentCount);
  const hulls = findHulls(classes);
  yield;
  const order = new Uint32Array(hulls.slopes.length).map((_, step) => step);
  const leadOf = (step: number): number => fragmentsOf(classes.ids[hulls.choices[step]!]!)[0] ?? 0;
  yield* sortInSlices(
    order,
    (a, b) =>
      hulls.slopes[b]! - hulls.slopes[a]! ||
      hulls.tokens[a]! - hulls.tokens[b]! ||
      places.compareFragments(leadOf(a), leadOf(b)),
  );
  let sum = 0;
  for (const step of order) {
    sum += hulls.tokens[step]!;
    const id = classes.ids[hulls.choices[step]!]!;
    if (id >= 0 && id < fragmentCount) totals[id] = sum;
  }
  return totals;
}
