/**
 * How many more tokens would have let a dropped unit in, for a filler that goes by order.
 *
 * Going back from the unit, `need` begins with its price. An earlier unit that is not larger than the need is bound to be taken at any
 * budget at which this one enters, so the need grows by its price; a larger one can be left out. What comes out at the first turn is the
 * least budget of all at which the unit enters. Where that is not above the budget that there was (the unit would enter at some smaller
 * one), the answer is found by going up from the budget: the room at the unit's turn never grows faster than the budget, so adding what
 * is still short jumps over no smaller answer.
 */
import type { Fragment } from "../../model/fragment.js";

/** The units of a filling in turn. */
export interface Turns {
  readonly count: number;
  /** Input position of the fragment of each unit that comes first. */
  readonly leads: Uint32Array;
  readonly prices: Float64Array;
  /** By turn: the variants of which the first that fits is taken. Absent: the unit is all that is tried, at every turn or at this one. */
  readonly choices: readonly (readonly Fragment[] | undefined)[] | undefined;
  /** So many first turns have prices that depend on nothing else. */
  readonly fixedPrices: number;
}

/** Steps for each turn that the search may take over all; past them the rest are estimates. Usual pools take 4 to 30. */
const STEPS_PER_TURN = 200;

export interface Search {
  /**
   * The least number of further tokens at which a choice of a turn is taken; infinite where no budget takes it, since a deeper variant is
   * always taken first; nothing where the step limit leaves it open.
   */
  leastFurther(turn: number, choice: number): number | undefined;
}

/** Prepares the search for a filling of so many tokens, in which the first `skipping` turns skip a miss and a later one ends at it. */
export function createSearch({ count, prices, choices }: Turns, skipping: number, budget: number): Search {
  const sums = new Float64Array(count + 1);
  const largest = new Float64Array(count + 1);
  for (let i = 0, sum = 0, most = 0; i < count; i++) {
    const dearest = choices?.[i] === undefined ? prices[i]! : dearestOf(choices[i]!);
    sum += prices[i]!;
    if (dearest > most) most = dearest;
    sums[i + 1] = sum;
    largest[i + 1] = most;
  }
  let steps = count * STEPS_PER_TURN;
  // At this budget and at every larger one, all turns before the first miss are taken.
  let sure = 0;
  while (sure < count && choices?.[sure] === undefined && sums[sure + 1]! <= budget) sure++;
  return {
    leastFurther: (turn, choice) => {
      if (steps <= 0) return undefined;
      // Where a miss ends the filling, all turns from there to this one must be taken.
      const start = Math.min(turn, skipping);
      const window = turn < skipping ? 0 : sums[turn]! - sums[skipping]!;
      const wanted = window + priceAt(turn, choice, prices, choices);
      const tooMuch = choice === 0 ? Number.POSITIVE_INFINITY : cheapestDeeper(choices![turn]!, choice);
      if (wanted >= tooMuch) return Number.POSITIVE_INFINITY;
      const { need, turnsLeft } = needBackwards(wanted, start, prices, choices, largest);
      steps -= start - turnsLeft;
      const least = need + sums[turnsLeft]!;
      if (least > budget) return least - budget;
      return goUp(start, wanted, tooMuch);
    },
  };

  /** The unit would be taken at some smaller budget, but is not at this one: tries budgets from here, jumping over none that is enough. */
  function goUp(start: number, wanted: number, tooMuch: number): number | undefined {
    let tokens = budget;
    for (;;) {
      const first = Math.min(sure, start);
      const room = roomAt(first, start, tokens - sums[first]!, prices, choices);
      steps -= start - first;
      if (room >= wanted && room < tooMuch) return tokens - budget;
      if (steps <= 0) return undefined;
      // Room for a deeper variant: the next budget at which there is less is not known, so the answer is left open.
      if (room >= tooMuch) return tokens >= budget + sums[count]! ? Number.POSITIVE_INFINITY : undefined;
      tokens += wanted - room;
    }
  }
}

function priceAt(turn: number, choice: number, prices: Float64Array, choices: Turns["choices"]): number {
  return choices?.[turn]?.[choice]?.tokenCount ?? prices[turn]!;
}

function dearestOf(variants: readonly Fragment[]): number {
  return variants.reduce((most, { tokenCount }) => Math.max(most, tokenCount), 0);
}

function cheapestDeeper(variants: readonly Fragment[], choice: number): number {
  return Math.min(...variants.slice(0, choice).map(({ tokenCount }) => tokenCount));
}

/** Goes back from a turn until the need reaches the largest price before it: from there on everything is taken at its deepest. */
function needBackwards(
  wanted: number,
  turn: number,
  prices: Float64Array,
  choices: Turns["choices"],
  largest: Float64Array,
): { need: number; turnsLeft: number } {
  let need = wanted;
  let before = turn;
  while (before > 0 && need < largest[before]!) {
    before--;
    const variants = choices === undefined ? undefined : choices[before];
    if (variants !== undefined) need += leastSpent(variants, need);
    else if (prices[before]! <= need) need += prices[before]!;
  }
  return { need, turnsLeft: before };
}

/** What a turn with variants spends of the least room that leaves so much: nothing, or the price of the one that it then takes. */
function leastSpent(variants: readonly Fragment[], need: number): number {
  let least = Number.POSITIVE_INFINITY;
  let cheapest = Number.POSITIVE_INFINITY;
  for (const { tokenCount } of variants) {
    if (need + tokenCount < cheapest) least = Math.min(least, tokenCount);
    cheapest = Math.min(cheapest, tokenCount);
  }
  return need < cheapest ? 0 : least;
}

/** The tokens that are left at a turn, of so many at an earlier one. */
function roomAt(from: number, turn: number, tokens: number, prices: Float64Array, choices: Turns["choices"]): number {
  let room = tokens;
  for (let i = from; i < turn; i++) {
    const variants = choices === undefined ? undefined : choices[i];
    if (variants === undefined) {
      if (prices[i]! <= room) room -= prices[i]!;
    } else {
      const taken = variants.find(({ tokenCount }) => tokenCount <= room);
      if (taken !== undefined) room -= taken.tokenCount;
    }
  }
  return room;
}
