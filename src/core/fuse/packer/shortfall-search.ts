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
import type { Slices } from "../../run-in-slices.js";

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
export const STEPS_PER_TURN = 200;

export interface Search {
  /**
   * The least number of further tokens at which a choice of a turn is taken; infinite where no budget takes it, since a deeper variant is
   * always taken first; nothing where the step limit leaves it open. In slices where many budgets must be tried.
   */
  leastFurther(turn: number, choice: number): Further | Slices<Further>;
  /** How many turns were looked at so far. */
  looked(): number;
}

/** Further tokens; infinitely many are none, and nothing leaves it open. */
export type Further = number | undefined;

/** Prepares the search for a filling of so many tokens, in which the first `skipping` turns skip a miss and a later one ends at it. */
export function createSearch(turns: Turns, skipping: number, budget: number): Search {
  const { count } = turns;
  const row = listPrices(turns);
  const { starts, prices } = row;
  const sums = new Float64Array(count + 1);
  const largest = new Float64Array(count + 1);
  for (let i = 0, sum = 0, most = 0; i < count; i++) {
    for (let at = starts[i]!; at < starts[i + 1]!; at++) most = Math.max(most, prices[at]!);
    sum += turns.prices[i]!;
    sums[i + 1] = sum;
    largest[i + 1] = most;
  }
  const most = count * STEPS_PER_TURN;
  let looked = 0;
  let rooms: Float64Array | undefined;
  // At this budget and at every larger one, all turns before the first miss are taken.
  let sure = 0;
  while (sure < count && starts[sure + 1]! - starts[sure]! === 1 && sums[sure + 1]! <= budget) sure++;
  return {
    looked: () => looked,
    leastFurther: (turn, choice) => {
      if (looked >= most) return undefined;
      // Where a miss ends the filling, all turns from there to this one must be taken.
      const start = Math.min(turn, skipping);
      const window = turn < skipping ? 0 : sums[turn]! - sums[skipping]!;
      const wanted = window + prices[starts[turn]! + choice]!;
      const tooMuch = cheapestOf(prices, starts[turn]!, starts[turn]! + choice);
      if (wanted >= tooMuch) return Number.POSITIVE_INFINITY;
      const { need, turnsLeft } = needBackwards(wanted, start, row, largest);
      looked += start - turnsLeft;
      const least = need + sums[turnsLeft]!;
      if (least > budget) return least - budget;
      rooms ??= roomsAt(budget, row, count);
      const tried = { start, wanted, tooMuch, tokens: budget };
      const judged = judge(tried, rooms[start]!) ?? goUp(tried);
      return judged === undefined ? goOnUp(tried) : judged.further;
    },
  };

  /** What the room at a unit's turn says of a budget; nothing where a larger one must be tried, which the trial then has. */
  function judge(tried: Trial, room: number): { further: Further } | undefined {
    const { start, wanted, tooMuch, tokens } = tried;
    looked += start - Math.min(sure, start);
    if (room >= wanted && room < tooMuch) return { further: tokens - budget };
    if (looked >= most) return { further: undefined };
    // Room for a deeper variant: the next budget at which there is less is not known, so the answer is left open.
    if (room >= tooMuch) {
      return { further: tokens >= budget + sums[count]! ? Number.POSITIVE_INFINITY : undefined };
    }
    tried.tokens += wanted - room;
    return undefined;
  }

  /** The unit would be taken at some smaller budget, but is not at this one: tries larger ones, jumping over none that is enough. */
  function goUp(tried: Trial): { further: Further } | undefined {
    const first = Math.min(sure, tried.start);
    for (const end = looked + LOOKS_PER_SLICE; looked < end; ) {
      const judged = judge(tried, roomAt(first, tried.start, tried.tokens - sums[first]!, row));
      if (judged !== undefined) return judged;
    }
    return undefined;
  }

  function* goOnUp(tried: Trial): Slices<Further> {
    for (;;) {
      yield;
      const judged = goUp(tried);
      if (judged !== undefined) return judged.further;
    }
  }
}

/** A budget that is tried for a unit, which is taken where there is so much room at its turn, but less than a deeper variant takes. */
interface Trial {
  readonly start: number;
  readonly wanted: number;
  readonly tooMuch: number;
  tokens: number;
}

/** Looks between two yields. */
const LOOKS_PER_SLICE = 65_536;

/** The prices of what the turns try, one turn behind another: of turn t those from `starts[t]` to `starts[t + 1]`. */
interface PriceRow {
  readonly starts: Int32Array;
  readonly prices: Float64Array;
}

function listPrices({ count, prices, choices }: Turns): PriceRow {
  const starts = new Int32Array(count + 1);
  if (choices === undefined) {
    for (let turn = 0; turn < count; turn++) starts[turn + 1] = turn + 1;
    return { starts, prices };
  }
  for (let turn = 0; turn < count; turn++) starts[turn + 1] = starts[turn]! + (choices[turn]?.length ?? 1);
  const row = new Float64Array(starts[count]!);
  for (let turn = 0; turn < count; turn++) {
    const variants = choices[turn];
    if (variants === undefined) row[starts[turn]!] = prices[turn]!;
    else for (let k = 0; k < variants.length; k++) row[starts[turn]! + k] = variants[k]!.tokenCount;
  }
  return { starts, prices: row };
}

/** The least of the prices from one to before another; infinite where there are none. */
function cheapestOf(prices: Float64Array, from: number, to: number): number {
  let cheapest = Number.POSITIVE_INFINITY;
  for (let at = from; at < to; at++) if (prices[at]! < cheapest) cheapest = prices[at]!;
  return cheapest;
}

/** Goes back from a turn until the need reaches the largest price before it: from there on everything is taken at its deepest. */
function needBackwards(
  wanted: number,
  turn: number,
  { starts, prices }: PriceRow,
  largest: Float64Array,
): { need: number; turnsLeft: number } {
  let need = wanted;
  let before = turn;
  while (before > 0 && need < largest[before]!) {
    before--;
    const from = starts[before]!;
    const to = starts[before + 1]!;
    if (to - from > 1) need += leastSpent(prices, from, to, need);
    else if (prices[from]! <= need) need += prices[from]!;
  }
  return { need, turnsLeft: before };
}

/** What a turn with variants spends of the least room that leaves so much: nothing, or the price of the one that it then takes. */
function leastSpent(prices: Float64Array, from: number, to: number, need: number): number {
  let least = Number.POSITIVE_INFINITY;
  let cheapest = Number.POSITIVE_INFINITY;
  for (let at = from; at < to; at++) {
    const price = prices[at]!;
    if (need + price < cheapest && price < least) least = price;
    if (price < cheapest) cheapest = price;
  }
  return need < cheapest ? 0 : least;
}

/** By turn: the tokens that are left at it, of so many at the first. */
function roomsAt(tokens: number, { starts, prices }: PriceRow, count: number): Float64Array {
  const rooms = new Float64Array(count + 1);
  let room = tokens;
  for (let turn = 0, at = 0; turn < count; turn++) {
    rooms[turn] = room;
    const end = starts[turn + 1]!;
    while (at < end && prices[at]! > room) at++;
    if (at < end) room -= prices[at]!;
    at = end;
  }
  rooms[count] = room;
  return rooms;
}

/** The tokens that are left at a turn, of so many at an earlier one. */
function roomAt(from: number, turn: number, tokens: number, { starts, prices }: PriceRow): number {
  let room = tokens;
  let at = starts[from]!;
  for (let i = from; i < turn; i++) {
    const end = starts[i + 1]!;
    for (; at < end; at++) {
      if (prices[at]! > room) continue;
      room -= prices[at]!;
      break;
    }
    at = end;
  }
  return room;
}
