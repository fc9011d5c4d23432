/** How many more tokens dropped units would have needed, for fillings that go by turns. */
import type { Fragment } from "../../model/fragment.js";
import { Reason } from "../../model/payload.js";
import { cheapestClosure, priceOf, type Surroundings, wantedAtTurn } from "../closure.js";
import type { PackingInput, Shortfalls } from "../packing.js";
import type { Turn } from "./candidates.js";
import type { Ledger } from "./fill.js";
import { createSearch, type Turns } from "./shortfall-search.js";
import { turnOrder } from "./turns.js";

/** Steps that the estimates of one request may take; past them a fragment's own price stands for that of all it needs. */
const ESTIMATE_STEPS = 1_000_000;

/** A filling that is done, and how to do it with another number of tokens. */
export interface Filling {
  readonly input: PackingInput;
  readonly ledger: Ledger;
  readonly unreachable: ReadonlyMap<Fragment, Reason>;
  /** What thresholds keep from having a turn, and what something with a turn may bring nevertheless. Absent: nothing. */
  readonly below?: ReadonlyMap<Fragment, unknown>;
  refill(tokens: number): Ledger;
}

/** Computes the shortfalls of a filling in the order of the nominations. */
export function fillShortfalls(filling: Filling): Shortfalls {
  const { input, ledger } = filling;
  const found = openShortfalls(input, ledger);
  for (const nomination of input.nominations) {
    const { leads, skipping } = turnOrder(nomination, input);
    const listed = createListing(input, leads.length);
    for (let turn = 0; turn < skipping; turn++) listed.add(leads[turn]!);
    const skipped = listed.turns().count;
    for (let turn = skipping; turn < leads.length; turn++) listed.add(leads[turn]!);
    // Shares, floors and caps make the answer depend on more than the order: then it is an estimate.
    found.record(listed.turns(), skipped, input.nominations.length === 1 && input.sections === undefined);
  }
  return withoutUnreachable(found, filling);
}

/** Computes the shortfalls of a filling by turns in which a miss is skipped. */
export function turnShortfalls(filling: Filling, turns: readonly Turn[]): Shortfalls {
  const { input, ledger } = filling;
  const found = openShortfalls(input, ledger);
  const listed = createListing(input, turns.length);
  for (const { choices } of turns) listed.addChoices(choices);
  found.record(listed.turns(), turns.length, input.sections === undefined);
  for (const fragment of filling.below?.keys() ?? []) {
    if (!filling.unreachable.has(fragment)) found.recordTurnless(fragment);
  }
  return withoutUnreachable(found, filling);
}

/** How many estimates for variants are tried, each by one more filling. */
const MAX_TRIALS = 16;

/**
 * What no budget lets in has no number. A variant may enter at a middle budget though not at a plentiful one, where a deeper one does: it
 * has a number where that is exact, or where a filling with so many more tokens lets it in.
 */
function withoutUnreachable(found: Shortfalls, { input, ledger, unreachable, refill }: Filling): Shortfalls {
  let trials = MAX_TRIALS;
  for (const [{ inputIndex: i }, reason] of unreachable) {
    const isExact = !found.estimates.has(i);
    if (reason === Reason.OTHER_VARIANT && isExact) continue;
    const isOpen = reason === Reason.OTHER_VARIANT && !ledger.holders.has(input.variants.keys[i]!);
    const enters =
      isOpen && found.tokens[i]! > 0 && trials-- > 0 && refill(input.tokens + found.tokens[i]!).chosenBy[i] !== 0;
    if (!enters) found.tokens[i] = -1;
  }
  return found;
}

/** Lists the units of a filling in turn, without what is committed. */
function createListing({ fragments, links, committed, tokenCounts, variants, out }: PackingInput, most: number) {
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
    add: (i: number): void => add(i, links.any && variants.keys[i]! >= 0),
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

/** Shortfalls as they are found, each fragment with the least that was found for it. */
function openShortfalls(input: PackingInput, ledger: Ledger) {
  const { links, fragments } = input;
  const { chosenBy } = ledger;
  const tokens = new Float64Array(chosenBy.length).fill(-1);
  const estimates = new Set<number>();
  const put = (i: number, further: number, isExact: boolean): void => {
    if (chosenBy[i] !== 0 || further === Number.POSITIVE_INFINITY) return;
    if (tokens[i]! >= 0 && tokens[i]! <= further) return;
    tokens[i] = further;
    if (!isExact) estimates.add(i);
  };
  const steps = { left: ESTIMATE_STEPS };
  const estimate = (fragment: Fragment): number => {
    const around: Surroundings = { links, isPresent: isIn, isOut: () => false, steps };
    const closure = cheapestClosure(wantedAtTurn(fragment, links), around) ?? [fragment];
    const further = Math.max(1, priceOf(closure) - ledger.tokens);
    return Math.max(further, ledger.tally?.furtherFor(closure) ?? 0);
  };
  const isIn = ({ inputIndex }: Fragment): boolean => chosenBy[inputIndex] !== 0;
  /** In a group that is in, the deeper alternatives lack what they cost more. */
  const recordDeeper = (lead: Fragment): void => {
    for (const part of links.partsOf(lead)) {
      const chosen = part.findIndex(isIn);
      for (const variant of part.slice(0, Math.max(0, chosen))) {
        put(variant.inputIndex, Math.max(1, variant.tokenCount - part[chosen]!.tokenCount - ledger.tokens), false);
      }
    }
  };
  return {
    tokens,
    estimates,
    /** Estimates what is missing for what has no turn. */
    recordTurnless: (fragment: Fragment): void => put(fragment.inputIndex, estimate(fragment), false),
    /** Records what is missing at each turn; the first so many turns skip a miss, one after them ends at it. */
    record: (turns: Turns, skipping: number, isExact: boolean): void => {
      const search = createSearch(turns, skipping, input.tokens);
      const exactTurns = isExact ? turns.fixedPrices : 0;
      // Where a miss ends the filling, nothing enters before what missed earlier does.
      let least = 0;
      for (let turn = 0; turn < turns.count; turn++) {
        const lead = turns.leads[turn]!;
        const variants = turns.choices === undefined ? undefined : turns.choices[turn];
        if (variants !== undefined) {
          variants.forEach((variant, choice) => {
            if (isIn(variant)) return;
            const exact = turn < exactTurns ? search.leastFurther(turn, choice) : undefined;
            if (exact !== Number.POSITIVE_INFINITY)
              put(variant.inputIndex, exact ?? estimate(variant), exact !== undefined);
          });
          continue;
        }
        if (chosenBy[lead] !== 0 || (links.any && links.groupOf(fragments[lead]!).some(isIn))) {
          if (links.any) recordDeeper(fragments[lead]!);
          continue;
        }
        const exact = turn < exactTurns ? search.leastFurther(turn, 0) : undefined;
        const further = exact ?? Math.max(least, estimate(fragments[lead]!));
        if (turn >= skipping) least = further;
        if (!links.any) put(lead, further, exact !== undefined);
        else {
          for (const { inputIndex } of links.groupOf(fragments[lead]!)) put(inputIndex, further, exact !== undefined);
        }
      }
    },
  };
}
