/** Which alternatives give way where the deepest of all parts do not fit together. */
import type { Fragment } from "../model/fragment.js";
import {
  cheapest,
  choicesOf,
  isAccepted,
  noteShort,
  type Surroundings,
  type Walk,
  type WalkSteps,
  type Wanted,
  walk,
  walkSteps,
} from "./closure-walk.js";
import type { Part } from "./links.js";
import type { UnitTally } from "./sections.js";

/**
 * Steps of walks that the search for the alternatives of one closure may take: parts whose turn comes later keep the cheapest, and the
 * payload says so. Only where alternatives require something, or caps keep the cheapest from entering, is anything walked again.
 */
const GIVING_STEPS = 131_072;

/**
 * The first choice in the order "deepest first, the last part giving way first" that fits: from the cheapest of each part, the parts in turn
 * take the deepest that what is left allows. All of some parts are tried at once, then each half of them, so that parts which fit or do
 * not fit together take one walk. O(n log n) where no alternative requires anything.
 */
export function giveWay(wanted: Wanted, tokens: number, around: Surroundings): readonly Fragment[] | undefined {
  const steps = around.steps ?? walkSteps(Number.POSITIVE_INFINITY);
  const way = new Way(wanted, tokens, { ...around, steps });
  if (!way.open()) return undefined;
  way.deepen(way.partsWithDeeper());
  return way.members;
}

/** A part, what it has now, and what it would have instead. */
interface Swap {
  readonly part: Part;
  readonly old: Fragment;
  readonly by: Fragment;
}

/** A closure whose parts have cheap alternatives, and get deeper ones. */
class Way {
  members: Fragment[] = [];
  readonly #wanted: Wanted;
  readonly #tokens: number;
  readonly #around: Surroundings & { readonly steps: WalkSteps };
  readonly #mostWalked: number;
  readonly #choices = new Map<Part, Fragment>();
  #left = 0;
  /** What is asked for by name, and so cannot give way to an alternative. */
  #needed: ReadonlySet<Fragment> = new Set();
  #places = new Map<Fragment, number>();
  #load: UnitTally | undefined;

  constructor(wanted: Wanted, tokens: number, around: Surroundings & { readonly steps: WalkSteps }) {
    this.#wanted = wanted;
    this.#tokens = tokens;
    this.#around = around;
    this.#mostWalked = around.steps.walked + GIVING_STEPS;
  }

  /** Enters with the cheapest of each part; where that may not enter, with another for one of the parts. False where nothing was found. */
  open(): boolean {
    const base = this.#walk();
    if (this.#settle(base)) return true;
    for (const [part, chosen] of [...this.#choices]) {
      if (this.#isOver()) return false;
      const others = choicesOf(part, this.#around).filter((variant) => variant !== chosen);
      if (!mayHelp(base, [chosen, ...others], this.#around)) continue;
      for (const variant of others) {
        this.#choices.set(part, variant);
        if (this.#settle(this.#walk())) return true;
      }
      this.#choices.set(part, chosen);
    }
    return false;
  }

  /** The parts that have a deeper alternative than the one that is in, in order. */
  partsWithDeeper(): readonly Part[] {
    return [...this.#choices].filter(([part, chosen]) => this.#deepestOf(part) !== chosen).map(([part]) => part);
  }

  /** Gives each of some parts the deepest alternative that fits, the first parts first. */
  deepen(parts: readonly Part[]): void {
    if (parts.length === 0 || this.#isOver()) return;
    if (this.#replace(parts.map((part) => this.#swapFor(part, this.#deepestOf(part))))) return;
    if (parts.length === 1) {
      this.#deepenOne(parts[0]!);
      return;
    }
    const middle = parts.length >> 1;
    this.deepen(parts.slice(0, middle));
    this.deepen(parts.slice(middle));
  }

  /** Tries the alternatives of a part between the deepest, which does not fit, and the one that is in. */
  #deepenOne(part: Part): void {
    for (const variant of choicesOf(part, this.#around).slice(1)) {
      if (variant === this.#choices.get(part) || this.#replace([this.#swapFor(part, variant)])) return;
    }
  }

  #deepestOf(part: Part): Fragment {
    return choicesOf(part, this.#around)[0]!;
  }

  #swapFor(part: Part, by: Fragment): Swap {
    return { part, old: this.#choices.get(part)!, by };
  }

  /** True where alternatives were put in the place of others; false where that does not fit, and nothing has changed. */
  #replace(swaps: readonly Swap[]): boolean {
    const more = swaps.reduce((sum, { old, by }) => sum + by.tokenCount - old.tokenCount, 0);
    if (more > this.#left) {
      noteShort(this.#around.steps, more - this.#left);
      return false;
    }
    // What a variant requires has a price of its own, and what is required stays, so then the whole is walked again.
    const areAlone = swaps.every(
      ({ old, by }) => by.requires.length + old.requires.length === 0 && !this.#needed.has(old),
    );
    if (areAlone) return this.#exchange(swaps);
    for (const { part, by } of swaps) this.#choices.set(part, by);
    if (this.#settle(this.#walk())) return true;
    for (const { part, old } of swaps) this.#choices.set(part, old);
    return false;
  }

  /** The same where nothing else changes with the alternatives. */
  #exchange(swaps: readonly Swap[]): boolean {
    if (this.#places.size === 0) for (const [place, member] of this.members.entries()) this.#places.set(member, place);
    // Where another alternative of the part came in because something requires it, the chosen one is not in.
    const present = swaps.filter(({ old }) => this.#places.has(old));
    this.#load ??= this.#around.tally?.weigh(this.members);
    for (const { old, by } of present) this.#load?.exchange(old, by);
    if (this.#load?.fits === false) {
      for (const { old, by } of present) this.#load.exchange(by, old);
      return false;
    }
    for (const { part, by } of swaps) this.#choices.set(part, by);
    for (const { old, by } of present) {
      const place = this.#places.get(old)!;
      this.#places.delete(old);
      this.#places.set(by, place);
      this.members[place] = by;
      this.#left -= by.tokenCount - old.tokenCount;
    }
    return true;
  }

  #walk(): Walk {
    return walk(this.#wanted, this.#tokens, this.#around, (part) => {
      const chosen = this.#choices.get(part) ?? cheapest(part, this.#around);
      this.#choices.set(part, chosen);
      return chosen;
    });
  }

  /** Takes what a walk found, if it may enter. */
  #settle(found: Walk): boolean {
    if (!isAccepted(found, this.#around)) return false;
    this.members = [...found.members];
    this.#left = this.#tokens - found.price;
    this.#needed = requiredIn(found.members, this.#wanted, this.#around);
    this.#places.clear();
    this.#load = undefined;
    return true;
  }

  #isOver(): boolean {
    const { steps } = this.#around;
    const isOver = steps.walked > this.#mostWalked;
    if (isOver) steps.isCut = true;
    return isOver;
  }
}

/**
 * True where another alternative of a part might let in what a walk did not: one that requires other things, that something requires anyway,
 * or that lies in other sections.
 */
function mayHelp({ members }: Walk, alternatives: readonly Fragment[], { links }: Surroundings): boolean {
  return members !== undefined || alternatives.some((one) => one.requires.length > 0 || links.isRequired(one));
}

function requiredIn(members: readonly Fragment[], wanted: Wanted, { links }: Surroundings): ReadonlySet<Fragment> {
  const required = new Set(wanted.fragments);
  for (const member of members) for (const one of links.requiredBy(member)) required.add(one);
  return required;
}
