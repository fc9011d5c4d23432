import type { Fragment } from "../../model/fragment.js";
import { cheapestClosure, priceOf, wantedAtTurn } from "../closure.js";
import { type Surroundings, walkSteps } from "../closure-walk.js";
import type { PackingInput, Shortfalls } from "../packing.js";
import { type Ledger, lacksAtLeast } from "./fill.js";

/** Steps that the estimates of one request may take; past them a fragment's own price stands for that of all it needs. */
const ESTIMATE_STEPS = 1_000_000;

/** Shortfalls of a filling as they are found, each fragment with the least that was found for it. */
export class ShortfallBook implements Shortfalls {
  readonly tokens: Float64Array;
  readonly estimates = new Set<number>();
  /** The steps of the estimates. */
  readonly steps = walkSteps(ESTIMATE_STEPS);
  readonly input: PackingInput;
  readonly #ledger: Ledger;
  readonly #around: Surroundings;

  constructor(input: PackingInput, ledger: Ledger) {
    this.input = input;
    this.tokens = new Float64Array(ledger.chosenBy.length).fill(-1);
    this.#ledger = ledger;
    const { links } = input;
    this.#around = { links, isPresent: (one) => this.isIn(one), isOut: () => false, steps: this.steps };
  }

  /** True for a fragment that the filling let in. */
  isIn({ inputIndex }: Fragment): boolean {
    return this.#ledger.chosenBy[inputIndex] !== 0;
  }

  /** The same for one at an input position of which it is enough that a member of its group is. */
  isUnitIn(inputIndex: number): boolean {
    if (this.#ledger.chosenBy[inputIndex] !== 0) return true;
    // To look at ten thousand fragments, which lie scattered in memory, costs more than the rest.
    if (!this.input.links.any) return false;
    const fragment = this.input.fragments[inputIndex]!;
    return !this.#isAlone(fragment) && this.input.links.groupOf(fragment).some((member) => this.isIn(member));
  }

  /** Notes how many further tokens the fragment at an input position lacks; infinitely many are none. */
  put(inputIndex: number, further: number, isExact: boolean): void {
    if (this.#ledger.chosenBy[inputIndex] !== 0 || further === Number.POSITIVE_INFINITY) return;
    if (this.tokens[inputIndex]! >= 0 && this.tokens[inputIndex]! <= further) return;
    this.tokens[inputIndex] = further;
    if (!isExact) this.estimates.add(inputIndex);
  }

  /** Notes what a fragment at an input position was seen to lack, which is exact. */
  settle(inputIndex: number, further: number): void {
    this.tokens[inputIndex] = further;
    this.estimates.delete(inputIndex);
  }

  /** Notes the same of its group. */
  putUnit(inputIndex: number, further: number, isExact: boolean): void {
    const fragment = this.input.links.any ? this.input.fragments[inputIndex]! : undefined;
    if (fragment === undefined || this.#isAlone(fragment)) this.put(inputIndex, further, isExact);
    else for (const member of this.input.links.groupOf(fragment)) this.put(member.inputIndex, further, isExact);
  }

  /** Estimates how many further tokens a fragment lacks: the price of what must come with it, less what was left. */
  estimate(fragment: Fragment): number {
    const { tokens, tally } = this.#ledger;
    const closure = this.#closureOf(fragment);
    const further = Math.max(
      1,
      priceOf(closure) - tokens,
      this.steps.left < 0 ? lacksAtLeast(fragment, this.#ledger) : 0,
    );
    return Math.max(further, tally?.furtherFor(closure) ?? 0);
  }

  /** In a group that is in, the deeper alternatives lack what they cost more. */
  recordDeeper(inputIndex: number): void {
    if (!this.input.links.any) return;
    const lead = this.input.fragments[inputIndex]!;
    if (this.#isAlone(lead)) return;
    for (const part of this.input.links.partsOf(lead)) {
      const chosen = part.findIndex((one) => this.isIn(one));
      for (const variant of part.slice(0, Math.max(0, chosen))) {
        const more = variant.tokenCount - part[chosen]!.tokenCount;
        this.put(variant.inputIndex, Math.max(1, more - this.#ledger.tokens), false);
      }
    }
  }

  #closureOf(fragment: Fragment): readonly Fragment[] {
    const { links } = this.input;
    if (!this.#isAlone(fragment)) return cheapestClosure(wantedAtTurn(fragment, links), this.#around) ?? [fragment];
    this.steps.left--;
    this.steps.walked++;
    return [fragment];
  }

  #isAlone(fragment: Fragment): boolean {
    const { links } = this.input;
    return !links.any || links.isAlone(fragment);
  }
}
