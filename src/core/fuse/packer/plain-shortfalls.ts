/**
 * Shortfalls of a filling in which every unit is a fragment of its own: one ranking or window, no links, no variants, no sections. The
 * numbers are those of the search in shortfall-search.ts, taken straight from rows of numbers, which for most requests is all there is.
 */
import type { Slices } from "../../run-in-slices.js";
import type { PackingInput, Shortfalls } from "../packing.js";
import type { Ledger } from "./fill.js";
import { createSearch, type Further, type Search, STEPS_PER_TURN } from "./shortfall-search.js";
import { type TurnOrder, turnOrder } from "./turns.js";

/** True where every unit of a filling is one fragment, whose price depends on nothing else. */
export function isPlain({ nominations, links, variants, sections, committed, out }: PackingInput): boolean {
  const isAlone = !links.any && variants.members.length === 0 && committed.size === 0;
  return isAlone && nominations.length === 1 && sections === undefined && !out.includes(1);
}

/** Computes the shortfalls of a plain filling. */
export function* plainShortfalls(input: PackingInput, ledger: Ledger): Slices<Shortfalls> {
  const plain = new PlainShortfalls(input, ledger, turnOrder(input.nominations[0]!, input));
  while (!plain.isAtEnd()) {
    const open = plain.goOn();
    if (open === undefined) yield;
    else plain.note(yield* open);
  }
  return plain;
}

/** Looks at turns between two yields. */
const LOOKS_PER_SLICE = 65_536;

/** Looks for one unit that are not worth a search that can yield. */
const MOST_LOOKS = 4_096;

class PlainShortfalls implements Shortfalls {
  readonly tokens: Float64Array;
  readonly estimates = new Set<number>();
  readonly #chosenBy: Uint8Array;
  readonly #left: number;
  readonly #budget: number;
  readonly #leads: Uint32Array;
  readonly #skipping: number;
  /** By turn: its price; and before each turn, the sum of the prices and the largest of them. */
  readonly #prices: Float64Array;
  readonly #sums: Float64Array;
  readonly #largest: Float64Array;
  /** At this budget and at every larger one so many first turns are taken. */
  readonly #sure: number;
  #search: Search | undefined;
  #turn = 0;
  #looked = 0;
  /** Where a miss ends the filling, nothing enters before what missed earlier does. */
  #least = 0;

  constructor(input: PackingInput, { chosenBy, tokens }: Ledger, { leads, skipping }: TurnOrder) {
    const count = leads.length;
    this.tokens = new Float64Array(chosenBy.length).fill(-1);
    this.#chosenBy = chosenBy;
    this.#left = tokens;
    this.#budget = input.tokens;
    this.#leads = leads;
    this.#skipping = skipping;
    const prices = new Float64Array(count);
    const sums = new Float64Array(count + 1);
    const largest = new Float64Array(count + 1);
    const { tokenCounts } = input;
    let sum = 0;
    let most = 0;
    let sure = 0;
    for (let turn = 0; turn < count; turn++) {
      const price = tokenCounts[leads[turn]!]!;
      prices[turn] = price;
      sum += price;
      if (sum <= input.tokens) sure = turn + 1;
      if (price > most) most = price;
      sums[turn + 1] = sum;
      largest[turn + 1] = most;
    }
    this.#prices = prices;
    this.#sums = sums;
    this.#largest = largest;
    this.#sure = sure;
  }

  isAtEnd(): boolean {
    return this.#turn === this.#leads.length;
  }

  /** Goes on until a search must be waited for, which it answers, or it is time to yield. */
  goOn(): Slices<Further> | undefined {
    const leads = this.#leads;
    const chosenBy = this.#chosenBy;
    const budget = this.#budget;
    const end = this.#looked + LOOKS_PER_SLICE;
    for (; this.#turn < leads.length; this.#turn++) {
      if (chosenBy[leads[this.#turn]!] !== 0) continue;
      const least = this.#leastBudget(this.#turn);
      if (least > budget) {
        this.#put(least - budget);
      } else {
        const further = least < 0 ? undefined : this.#furtherAt(this.#turn);
        if (typeof further === "object") return further;
        this.#put(further);
      }
      if (this.#looked < end) continue;
      this.#turn++;
      break;
    }
    return undefined;
  }

  /** Notes what the search came to that `goOn` answered. */
  note(further: Further): void {
    this.#put(further);
    this.#turn++;
  }

  /** The least budget of all at which the unit of a turn is taken; -1 where too much was looked at already to find it out. */
  #leastBudget(turn: number): number {
    if (this.#looked >= this.#leads.length * STEPS_PER_TURN) return -1;
    const prices = this.#prices;
    const largest = this.#largest;
    const sums = this.#sums;
    // Where a miss ends the filling, all turns from there to this one must be taken.
    const start = Math.min(turn, this.#skipping);
    let need = sums[turn]! - sums[start]! + prices[turn]!;
    let before = start;
    while (before > 0 && need < largest[before]!) {
      before--;
      if (prices[before]! <= need) need += prices[before]!;
    }
    this.#looked += start - before;
    return need + sums[before]!;
  }

  /** The further tokens for a unit that would be taken at some smaller budget, but is not at this one. */
  #furtherAt(turn: number): Further | Slices<Further> {
    const start = Math.min(turn, this.#skipping);
    const sums = this.#sums;
    return this.#goUp(start, sums[turn]! - sums[start]! + this.#prices[turn]!) ?? this.#searchAt(turn);
  }

  /** Tries larger budgets, jumping over none that is enough. Nothing where that takes long. */
  #goUp(turn: number, wanted: number): number | undefined {
    const prices = this.#prices;
    const first = Math.min(this.#sure, turn);
    let budget = this.#budget;
    for (const end = this.#looked + MOST_LOOKS; this.#looked < end; this.#looked += turn - first) {
      let room = budget - this.#sums[first]!;
      for (let before = first; before < turn; before++) if (prices[before]! <= room) room -= prices[before]!;
      if (room >= wanted) return budget - this.#budget;
      budget += wanted - room;
    }
    return undefined;
  }

  #searchAt(turn: number): Further | Slices<Further> {
    const count = this.#leads.length;
    const turns = { count, leads: this.#leads, prices: this.#prices, choices: undefined, fixedPrices: count };
    this.#search ??= createSearch(turns, this.#skipping, this.#budget);
    return this.#search.leastFurther(turn, 0);
  }

  #put(exact: Further): void {
    const lead = this.#leads[this.#turn]!;
    const further = exact ?? Math.max(this.#least, 1, this.#prices[this.#turn]! - this.#left);
    if (exact === undefined) this.estimates.add(lead);
    if (this.#turn >= this.#skipping) this.#least = further;
    if (further !== Number.POSITIVE_INFINITY) this.tokens[lead] = further;
  }
}
