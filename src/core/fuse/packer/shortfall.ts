/** How many more tokens dropped units would have needed, for fillings that go by turns. */
import type { Fragment } from "../../model/fragment.js";
import { Reason } from "../../model/payload.js";
import type { Slices } from "../../run-in-slices.js";
import { SLICE_STEPS, Slice, STEPS_PER_WALKED } from "../../slice.js";
import type { PackingInput, Shortfalls } from "../packing.js";
import { growsWithBudget } from "../sections.js";
import type { Turn } from "./candidates.js";
import type { Ledger } from "./fill.js";
import type { Goal } from "./fill-by-turns.js";
import { isPlain, plainShortfalls } from "./plain-shortfalls.js";
import { ShortfallBook } from "./shortfall-book.js";
import type { Turns } from "./shortfall-search.js";
import { recordTurns } from "./shortfall-turns.js";
import { type Sweep, type Swept, sweepBudgets } from "./swept-budgets.js";
import { turnOrder } from "./turns.js";

/** A filling that is done, and how to do it with another goal. */
export interface Filling {
  readonly input: PackingInput;
  readonly ledger: Ledger;
  readonly unreachable: ReadonlyMap<Fragment, Reason>;
  /** What thresholds keep from having a turn, and what something with a turn may bring nevertheless. Absent: nothing. */
  readonly below?: ReadonlyMap<Fragment, unknown>;
  refill(goal: Goal): Slices<Ledger>;
  /**
   * With what further tokens a filling may differ from this one: with those that something that missed lacked, or with any. Absent: the
   * filling of a larger budget is not known.
   */
  readonly sweepsBy?: "miss" | "token" | undefined;
}

/** Units that are listed between two yields, each with its variants and its group. */
const LISTED_PER_SLICE = 1_024;

/** Computes the shortfalls of a filling in the order of the nominations. */
export function* fillShortfalls(filling: Filling): Slices<Shortfalls> {
  const { input, ledger } = filling;
  if (isPlain(input) && filling.unreachable.size === 0) return yield* plainShortfalls(input, ledger);
  const found = new ShortfallBook(input, ledger);
  for (const nomination of input.nominations) {
    const { leads, skipping } = turnOrder(nomination, input);
    const listed = createListing(input, leads.length);
    yield* listAll(leads.subarray(0, skipping), listed);
    const skipped = listed.turns().count;
    yield* listAll(leads.subarray(skipping), listed);
    const turns = listed.turns();
    // Shares, floors and caps make the answer depend on more than the order: then it is an estimate.
    const isExact = input.nominations.length === 1 && input.sections === undefined;
    yield* recordTurns(found, turns, { skipping: skipped, isExact });
  }
  return yield* withoutUnreachable(found, filling, yield* sweepFillings(found, filling));
}

function* listAll(leads: Uint32Array, listed: Listing): Slices<void> {
  for (let turn = 0; turn < leads.length; turn += LISTED_PER_SLICE) {
    listed.addAll(leads.subarray(turn, turn + LISTED_PER_SLICE));
    if (turn + LISTED_PER_SLICE < leads.length) yield;
  }
}

/** Computes the shortfalls of a filling by turns in which a miss is skipped. */
export function* turnShortfalls(filling: Filling, turns: readonly Turn[]): Slices<Shortfalls> {
  const { input, ledger } = filling;
  const found = new ShortfallBook(input, ledger);
  const listed = createListing(input, turns.length);
  const slice = new Slice(found.steps);
  for (const { choices } of turns) {
    listed.addChoices(choices);
    if (slice.isOver(SLICE_STEPS / LISTED_PER_SLICE)) yield;
  }
  yield* recordTurns(found, listed.turns(), { skipping: turns.length, isExact: input.sections === undefined });
  for (const fragment of filling.below?.keys() ?? []) {
    if (!filling.unreachable.has(fragment)) found.put(fragment.inputIndex, found.estimate(fragment), false);
    if (slice.isOver()) yield;
  }
  return yield* withoutUnreachable(found, filling, yield* sweepFillings(found, { ...filling, sweepsBy: "miss" }));
}

/** What all fillings of a sweep may take, in looks at fragments: one or two milliseconds. */
const MOST_LOOKS = 16_384;
/** A sweep of fewer fillings finds little, and shares take too long to split for one of more. */
const FILLINGS = { fewest: 32, most: 512 };

/**
 * Makes estimates exact by filling again with larger budgets, where it is known what shares, caps and floors these have. What is not
 * reached lacks at least what was tried.
 */
function* sweepFillings(found: ShortfallBook, filling: Filling): Slices<Sweep | undefined> {
  const { input, refill, sweepsBy } = filling;
  const { sections, tokens, tokenCounts } = input;
  const mostFillings = Math.min(FILLINGS.most, Math.floor(MOST_LOOKS / tokenCounts.length));
  const grows = sections?.list.some(growsWithBudget) === true;
  const isKnown = sweepsBy !== undefined && (!grows || input.sectionsAt !== undefined);
  if (!isKnown || mostFillings < FILLINGS.fewest) return undefined;
  // What fills floors is filled beside the rest, so any token may matter.
  const isByToken = sweepsBy === "token" || grows || sections?.floors.some((floor) => floor > 0);
  let left = MOST_LOOKS;
  const packWith = function* (further: number): Slices<Swept | undefined> {
    const { chosenBy, steps } = yield* refill({ tokens: tokens + further });
    left -= STEPS_PER_WALKED * steps.walked;
    if (steps.left < 0 || left < 0) return undefined;
    // Where nothing missed, no share of the tokens can bring more in; but a cap that grows may.
    const isAtEnd = steps.shortBy === Number.POSITIVE_INFINITY && !grows;
    return { chosenBy, shortBy: isByToken && !isAtEnd ? 1 : steps.shortBy };
  };
  const sweep = yield* sweepBudgets(openIn(found, filling), packWith, mostFillings);
  for (const [i, least] of sweep.entries) found.settle(i, least);
  for (const i of found.estimates) {
    if (sweep.swept < Number.POSITIVE_INFINITY) found.tokens[i] = Math.max(found.tokens[i]!, sweep.swept);
  }
  return sweep;
}

/** Input positions of what was nominated, is not in, and has no exact number; what had no turn is known from its reason. */
function* openIn(found: ShortfallBook, { input, ledger, unreachable }: Filling): Generator<number> {
  for (const { inputIndex } of unreachable.keys()) yield inputIndex;
  for (const { positions } of input.nominations) {
    for (const i of positions) {
      const isExact = found.tokens[i]! >= 0 && !found.estimates.has(i);
      if (ledger.chosenBy[i] === 0 && input.out[i] === 0 && !isExact) yield i;
    }
  }
}

/** How many estimates for variants are tried, each by one more filling. */
const MAX_TRIALS = 16;

/**
 * What no budget lets in has no number. A variant may enter at a middle budget though not at a plentiful one, where a deeper one does: it
 * has a number where that is exact, or where a filling with so many more tokens lets it in.
 */
function* withoutUnreachable(found: ShortfallBook, filling: Filling, sweep: Sweep | undefined): Slices<Shortfalls> {
  const { input, ledger, unreachable } = filling;
  const slice = new Slice();
  let trials = MAX_TRIALS;
  for (const [fragment, reason] of unreachable) {
    if (slice.isOver()) yield;
    const i = fragment.inputIndex;
    if (sweep?.entries.has(i)) continue;
    const isExact = !found.estimates.has(i);
    if (reason === Reason.OTHER_VARIANT && isExact) continue;
    const isOpen =
      sweep?.swept !== Number.POSITIVE_INFINITY &&
      reason === Reason.OTHER_VARIANT &&
      !ledger.holders.has(input.variants.keys[i]!);
    const isTried = isOpen && found.tokens[i]! > 0 && trials-- > 0;
    if (isTried) yield;
    if (isTried && (yield* entersAt(fragment, input.tokens + found.tokens[i]!, filling))) continue;
    found.tokens[i] = -1;
  }
  return found;
}

/** True where a filling of so many tokens lets a fragment in. */
function* entersAt(asked: Fragment, tokens: number, { refill }: Filling): Slices<boolean> {
  const { chosenBy } = yield* refill({ tokens, asked });
  return chosenBy[asked.inputIndex] !== 0;
}

/** By number of a variant key: 1 where something requires a variant of it. */
function requiredKeys({ links, variants }: PackingInput): Uint8Array {
  const isRequired = new Uint8Array(variants.members.length);
  for (const fragment of isRequired.length === 0 ? [] : links.tied) {
    for (const { inputIndex } of links.requiredBy(fragment)) {
      const key = variants.keys[inputIndex]!;
      if (key >= 0) isRequired[key] = 1;
    }
  }
  return isRequired;
}

type Listing = ReturnType<typeof createListing>;

/** Lists the units of a filling in turn, without what is committed. */
function createListing(input: PackingInput, most: number) {
  const { fragments, links, committed, tokenCounts, variants, out } = input;
  const isRequired = requiredKeys(input);
  const leads = new Uint32Array(most);
  const prices = new Float64Array(most);
  const listed = new Uint8Array(fragments.length);
  const choices: (readonly Fragment[] | undefined)[] = [];
  for (const { inputIndex } of committed) {
    listed[inputIndex] = 1;
    // A key that something committed holds is closed to its other variants.
    for (const { inputIndex: other } of variants.members[variants.keys[inputIndex]!] ?? []) listed[other] = 1;
  }
  let count = 0;
  let fixedPrices = most;
  const add = (i: number, hasRivals: boolean): void => {
    if (listed[i] === 1 || out[i] === 1) return;
    leads[count] = i;
    // A variant that something requires has a turn beside the deepest, and they hinder each other, which no price says.
    if (hasRivals) fixedPrices = Math.min(fixedPrices, count);
    if (!links.any || links.isAlone(fragments[i]!)) {
      prices[count] = tokenCounts[i]!;
    } else {
      for (const part of links.partsOf(fragments[i]!)) {
        for (const member of part) listed[member.inputIndex] = 1;
        prices[count]! += part[0]!.tokenCount;
        if (part.length > 1 || part[0]!.requires.length > 0) fixedPrices = Math.min(fixedPrices, count);
      }
    }
    count++;
  };
  return {
    addAll: (leads: Uint32Array): void => {
      for (let k = 0; k < leads.length; k++) add(leads[k]!, isRequired[variants.keys[leads[k]!]!] === 1);
    },
    addChoices: (variants: readonly Fragment[]): void => {
      if (variants.length > 1) {
        choices[count] = variants;
        if (variants.some(({ requires }) => requires.length > 0)) fixedPrices = Math.min(fixedPrices, count);
      }
      add(variants[0]!.inputIndex, false);
    },
    turns: (): Turns => ({
      count,
      leads,
      prices: prices.subarray(0, count),
      choices: choices.length === 0 ? undefined : choices,
      fixedPrices,
    }),
  };
}
