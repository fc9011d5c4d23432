/**
 * How many more tokens would have let a dropped unit in, for a filler that goes by order.
 *
 * Going back from the unit, `need` begins with its price. An earlier unit that is not larger than the need is bound to be taken at any
 * budget at which this one enters, so the need grows by its price; a larger one can be left out. What comes out at the first turn is the
 * least budget of all at which the unit enters. Where that is not above the budget that there was (the unit would enter at some smaller
 * one), the answer is found by going up from the budget: the room at the unit's turn never grows faster than the budget, so adding what
 * is still short jumps over no smaller answer.
 */
import type { PlacedNomination } from "../../choose/execute-strategies.js";
import type { Fragment } from "../../model/fragment.js";
import type { Links } from "../links.js";
import type { PackingInput, Shortfalls } from "../packing.js";

/** Steps for each turn that the search may take over all; past them the rest are estimates. Usual pools take 4 to 30. */
const STEPS_PER_TURN = 200;

/** Computes the shortfalls of a filling that chose `chosenBy`, by input position (0: dropped), and left `leftTokens` unspent. */
export function fillShortfalls(input: PackingInput, chosenBy: Uint8Array, leftTokens: number): Shortfalls {
  const tokens = new Float64Array(chosenBy.length).fill(-1);
  const estimates = new Set<number>();
  for (const nomination of input.nominations) {
    const turns = listTurns(nomination, input);
    const search = createSearch(turns.prices, input.tokens, nomination.miss);
    // Shares, and prices that depend on what else is in, make the answer depend on more than the order: then it is an estimate.
    const exactTurns = input.nominations.length === 1 ? turns.fixedPrices : 0;
    for (let turn = 0; turn < turns.count; turn++) {
      const i = turns.leads[turn]!;
      if (chosenBy[i] !== 0) continue;
      const exact = turn < exactTurns ? search.leastFurther(turn) : undefined;
      if (exact !== undefined && !input.links.any) {
        tokens[i] = exact;
        continue;
      }
      const lead = input.fragments[i]!;
      const further = exact ?? Math.max(1, closurePrice(lead, input.links, chosenBy) - leftTokens);
      for (const { inputIndex } of input.links.groupOf(lead)) {
        const before = tokens[inputIndex]!;
        if (before >= 0 && before <= further) continue;
        tokens[inputIndex] = further;
        if (exact === undefined) estimates.add(inputIndex);
      }
    }
  }
  return { tokens, estimates };
}

/** The units of a nomination in turn, without what is committed. */
interface Turns {
  readonly count: number;
  /** Input position of the fragment of each unit that comes first. */
  readonly leads: Uint32Array;
  readonly prices: Float64Array;
  /** So many first turns have a price that depends on nothing else. */
  readonly fixedPrices: number;
}

function listTurns({ positions }: PlacedNomination, { fragments, links, committed, tokenCounts }: PackingInput): Turns {
  const n = positions.length;
  const leads = new Uint32Array(n);
  const prices = new Float64Array(n);
  const listed = new Uint8Array(tokenCounts.length);
  for (const { inputIndex } of committed) listed[inputIndex] = 1;
  let count = 0;
  let fixedPrices = n;
  for (let place = 0; place < n; place++) {
    const i = positions[place]!;
    if (listed[i] === 1) continue;
    leads[count] = i;
    if (!links.any || links.isAlone(fragments[i]!)) {
      prices[count] = tokenCounts[i]!;
    } else {
      for (const member of links.groupOf(fragments[i]!)) {
        listed[member.inputIndex] = 1;
        prices[count]! += member.tokenCount;
        if (member.requires.length > 0) fixedPrices = Math.min(fixedPrices, count);
      }
    }
    count++;
  }
  return { count, leads, prices: prices.subarray(0, count), fixedPrices };
}

function closurePrice(lead: Fragment, links: Links, chosenBy: Uint8Array): number {
  const isPresent = ({ inputIndex }: Fragment): boolean => chosenBy[inputIndex] !== 0;
  const entrants = links.entrants(lead, Number.POSITIVE_INFINITY, isPresent, () => false) ?? [];
  return entrants.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
}

interface Search {
  /** The least number of further tokens at which a turn that was missed is taken; nothing where the step limit leaves it open. */
  leastFurther(turn: number): number | undefined;
}

function createSearch(prices: Float64Array, budget: number, miss: "skip" | "end"): Search {
  const sums = new Float64Array(prices.length + 1);
  const largest = new Float64Array(prices.length + 1);
  for (let i = 0, sum = 0, most = 0; i < prices.length; i++) {
    const price = prices[i]!;
    sum += price;
    if (price > most) most = price;
    sums[i + 1] = sum;
    largest[i + 1] = most;
  }
  let steps = prices.length * STEPS_PER_TURN;
  return {
    leastFurther: (turn) => {
      // Where a miss ends the filling, all before must be taken.
      if (miss === "end") return sums[turn + 1]! - budget;
      if (steps <= 0) return undefined;
      const { need, turnsLeft } = needBackwards(prices, largest, turn);
      steps -= turn - turnsLeft;
      const least = need + sums[turnsLeft]!;
      if (least > budget) return least - budget;
      let tokens = budget;
      for (let short = shortAt(prices, tokens, turn); short > 0; short = shortAt(prices, tokens, turn)) {
        tokens += short;
        steps -= turn;
        if (steps <= 0) return undefined;
      }
      return tokens - budget;
    },
  };
}

/** Goes back from a turn until the need reaches the largest price before it: from there on everything is taken. */
function needBackwards(prices: Float64Array, largest: Float64Array, turn: number): { need: number; turnsLeft: number } {
  let need = prices[turn]!;
  let before = turn;
  while (before > 0 && need < largest[before]!) {
    before--;
    const price = prices[before]!;
    if (price <= need) need += price;
  }
  return { need, turnsLeft: before };
}

/** By how much a turn misses at a budget; 0 or less: it is taken. */
function shortAt(prices: Float64Array, tokens: number, turn: number): number {
  let room = tokens;
  for (let i = 0; i < turn; i++) if (prices[i]! <= room) room -= prices[i]!;
  return prices[turn]! - room;
}
