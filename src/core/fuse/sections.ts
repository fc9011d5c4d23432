import { createFaults } from "../model/faults.js";
import type { Fragment } from "../model/fragment.js";
import { readSections, type Section } from "../model/sections.js";

/** The sections of a request's budget, and which of them hold each fragment. */
export interface Sections {
  readonly list: readonly Section[];
  /** By input position: the numbers of the sections that hold the fragment. */
  readonly holding: readonly (readonly number[])[];
  /** By section: the most tokens that it may take; infinite where it has no cap. */
  readonly caps: Float64Array;
  /** By section: tokens that it is filled with first. */
  readonly floors: Float64Array;
  /** The same sections at a plentiful budget: caps and floors that are shares of it are endless. */
  readonly atPlenty: Sections;
}

/** Compiles the sections; nothing where there are none. O(fragments x sections), of which there are at most 64. */
export function compileSections(list: readonly Section[], fragments: readonly Fragment[]): Sections | undefined {
  if (list.length === 0) return undefined;
  const known = new Map<string, readonly number[]>();
  const holding = fragments.map((fragment) => {
    const numbers = list.flatMap(({ holds }, number) => (holds(fragment) ? [number] : []));
    const key = numbers.join();
    const shared = known.get(key) ?? numbers;
    known.set(key, shared);
    return shared;
  });
  const endless = (share: number | undefined, tokens: number): number => (share ? Number.POSITIVE_INFINITY : tokens);
  const sections = {
    list,
    holding,
    caps: Float64Array.from(list, ({ capTokens }) => capTokens),
    floors: Float64Array.from(list, ({ floorTokens }) => floorTokens),
  };
  const plenty = {
    ...sections,
    caps: Float64Array.from(list, ({ capTokens, capShare }) => endless(capShare, capTokens)),
    floors: Float64Array.from(list, ({ floorTokens, draft }) => endless(draft.floorShare, floorTokens)),
  };
  const atPlenty: Sections = {
    ...plenty,
    get atPlenty() {
      return atPlenty;
    },
  };
  return { ...sections, atPlenty };
}

/** The sections as they are where so many tokens are available: floors and caps that are shares of them are others. */
export function sectionsWith(sections: Sections, availableTokens: number): Sections {
  if (!sections.list.some(growsWithBudget)) return sections;
  const drafts = sections.list.map(({ draft }) => draft);
  const list = readSections(drafts, availableTokens, createFaults());
  return {
    ...sections,
    caps: Float64Array.from(list, ({ capTokens }) => capTokens),
    floors: Float64Array.from(list, ({ floorTokens }) => floorTokens),
  };
}

/** True for a section of which a floor or cap is a share of the budget. */
export function growsWithBudget({ capShare, draft }: Section): boolean {
  return capShare !== undefined || (draft.floorShare ?? 0) > 0;
}

/** Tokens by section of some fragments. */
export function sectionTokens({ list, holding }: Sections, fragments: Iterable<Fragment>): Float64Array {
  const tokens = new Float64Array(list.length);
  for (const { inputIndex, tokenCount } of fragments) {
    for (const number of holding[inputIndex]!) tokens[number]! += tokenCount;
  }
  return tokens;
}

/** What the chosen fragments take of each section. */
export class SectionTally {
  readonly tokens: Float64Array;
  readonly #sections: Sections;

  constructor(sections: Sections, chosen: Iterable<Fragment>) {
    this.#sections = sections;
    this.tokens = sectionTokens(sections, chosen);
  }

  /** True where no cap keeps a fragment out. */
  fits({ inputIndex, tokenCount }: Fragment): boolean {
    const { holding, caps } = this.#sections;
    return holding[inputIndex]!.every((number) => this.tokens[number]! + tokenCount <= caps[number]!);
  }

  /** True where no cap keeps some fragments out, which enter together. */
  fitAll(unit: readonly Fragment[]): boolean {
    return this.weigh(unit).fits;
  }

  /** What some fragments, which enter together, would take beside what is chosen. */
  weigh(unit: readonly Fragment[]): UnitTally {
    return new UnitTally(this.#sections, this.tokens, unit);
  }

  /** The tokens that are left to what a fragment's sections hold; infinite where none has a cap. */
  roomOf({ inputIndex }: Fragment): number {
    const { holding, caps } = this.#sections;
    return holding[inputIndex]!.reduce(
      (room, number) => Math.min(room, Math.max(0, caps[number]! - this.tokens[number]!)),
      Number.POSITIVE_INFINITY,
    );
  }

  /**
   * The least number of further available tokens at which no cap keeps a unit out, beside what is chosen, or where a cap does not grow, in
   * the place of that; infinite where the cap has no room for the unit alone.
   */
  furtherFor(unit: readonly Fragment[]): number {
    const more = sectionTokens(this.#sections, unit);
    return this.#sections.list.reduce((most, section, number) => {
      if (more[number] === 0) return most;
      const beside = section.furtherFor(this.tokens[number]! + more[number]!);
      return Math.max(most, Number.isFinite(beside) ? beside : section.furtherFor(more[number]!));
    }, 0);
  }

  add({ inputIndex, tokenCount }: Fragment): void {
    for (const number of this.#sections.holding[inputIndex]!) this.tokens[number]! += tokenCount;
  }
}

/** What a unit takes of each section, while its members give way to others. */
export class UnitTally {
  readonly #sections: Sections;
  readonly #beside: Float64Array;
  readonly #tokens: Float64Array;

  constructor(sections: Sections, beside: Float64Array, unit: readonly Fragment[]) {
    this.#sections = sections;
    this.#beside = beside;
    this.#tokens = sectionTokens(sections, unit);
  }

  /** True where no cap keeps the unit out. */
  get fits(): boolean {
    const { caps } = this.#sections;
    return this.#tokens.every((tokens, number) => tokens === 0 || this.#beside[number]! + tokens <= caps[number]!);
  }

  /** One member gives way to another fragment. */
  exchange(old: Fragment, by: Fragment): void {
    const { holding } = this.#sections;
    for (const number of holding[old.inputIndex]!) this.#tokens[number]! -= old.tokenCount;
    for (const number of holding[by.inputIndex]!) this.#tokens[number]! += by.tokenCount;
  }
}
