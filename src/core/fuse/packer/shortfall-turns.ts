/** What is missing at each turn of a filling, in slices: a function that is no generator goes through the turns, which is faster. */
import type { Fragment } from "../../model/fragment.js";
import type { Slices } from "../../run-in-slices.js";
import { Slice } from "../../slice.js";
import type { ShortfallBook } from "./shortfall-book.js";
import { createSearch, type Further, type Search, type Turns } from "./shortfall-search.js";

/** How misses count: the first so many turns skip one, one after them ends at it; where not exact, all numbers are estimates. */
export interface Misses {
  readonly skipping: number;
  readonly isExact: boolean;
}

/** Notes in a book what is missing at each turn. */
export function* recordTurns(book: ShortfallBook, turns: Turns, misses: Misses): Slices<void> {
  const search = createSearch(turns, misses.skipping, book.input.tokens);
  yield;
  const place = new Place(book, turns, misses, search);
  while (!place.isAtEnd()) {
    const open = place.goOn();
    if (open === undefined) yield;
    else place.note(yield* open);
  }
}

/** Looks at turns in the search that are as dear as a look at a fragment. */
const LOOKS_PER_STEP = 4;

/** The choice of a turn that is looked at, and what is known from those before it. */
class Place {
  readonly #book: ShortfallBook;
  readonly #turns: Turns;
  readonly #search: Search;
  readonly #skipping: number;
  /** So many first turns have exact numbers. */
  readonly #exactTurns: number;
  readonly #slice: Slice;
  #turn = 0;
  #choice = 0;
  #looked = 0;
  /** Where a miss ends the filling, nothing enters before what missed earlier does. */
  #least = 0;

  constructor(book: ShortfallBook, turns: Turns, { skipping, isExact }: Misses, search: Search) {
    this.#book = book;
    this.#turns = turns;
    this.#search = search;
    this.#skipping = skipping;
    this.#exactTurns = isExact ? turns.fixedPrices : 0;
    this.#slice = new Slice(book.steps);
  }

  isAtEnd(): boolean {
    return this.#turn >= this.#turns.count;
  }

  /** Goes on until a search must be waited for, which it answers, or the slice is over. */
  goOn(): Slices<Further> | undefined {
    const { count } = this.#turns;
    while (this.#turn < count) {
      const variants = this.#variants();
      const choices = variants === undefined ? 1 : variants.length;
      for (; this.#choice < choices; this.#choice++) {
        if (this.#isIn(variants)) continue;
        const further = this.#turn < this.#exactTurns ? this.#search.leastFurther(this.#turn, this.#choice) : undefined;
        if (typeof further === "object") return further;
        this.#put(variants, further);
      }
      this.#turn++;
      this.#choice = 0;
      const looks = this.#search.looked() - this.#looked;
      this.#looked += looks;
      if (this.#slice.isOver(1 + looks / LOOKS_PER_STEP)) return undefined;
    }
    return undefined;
  }

  /** Notes what the search came to that `goOn` answered. */
  note(further: Further): void {
    this.#put(this.#variants(), further);
    this.#choice++;
  }

  #variants(): readonly Fragment[] | undefined {
    const { choices } = this.#turns;
    return choices === undefined ? undefined : choices[this.#turn];
  }

  #isIn(variants: readonly Fragment[] | undefined): boolean {
    if (variants !== undefined) return this.#book.isIn(variants[this.#choice]!);
    const lead = this.#turns.leads[this.#turn]!;
    const isIn = this.#book.isUnitIn(lead);
    if (isIn) this.#book.recordDeeper(lead);
    return isIn;
  }

  #put(variants: readonly Fragment[] | undefined, exact: Further): void {
    if (variants !== undefined) {
      const variant = variants[this.#choice]!;
      this.#book.put(variant.inputIndex, exact ?? this.#book.estimate(variant), exact !== undefined);
      return;
    }
    const lead = this.#turns.leads[this.#turn]!;
    const further = exact ?? Math.max(this.#least, this.#book.estimate(this.#book.input.fragments[lead]!));
    if (this.#turn >= this.#skipping) this.#least = further;
    this.#book.putUnit(lead, further, exact !== undefined);
  }
}
