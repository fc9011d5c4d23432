/** The best set so far, and what is known about all others. */
import type { OpenCore } from "./open-core.js";
import type { Priced } from "./priced.js";
import type { CappedProblem } from "./problem.js";
import { copyOf, type Selection, selectionAt, type Usage, usageOf } from "./selection.js";

/** What bounds may lack for rounding, as a part of the greatest of them. */
const ROUNDING = 2 ** -38;

export class Known {
  usage: Usage;
  /** No set has a greater value. */
  bound: number;
  /** True where the best set is the first among its equals too. */
  isFirst = false;
  /** What bounds may lack for rounding. */
  readonly slop: number;
  /** The price of a token of the budget, then of each cap, in the values' own numbers. */
  readonly prices: Float64Array;
  /** All classes at the choice that gains most. */
  readonly peak: { readonly selection: Selection; readonly usage: Usage };

  constructor(
    readonly problem: CappedProblem,
    readonly priced: Priced,
    public selection: Selection,
  ) {
    this.usage = usageOf(problem, selection);
    this.bound = Math.floor(priced.bound / priced.scale);
    this.slop = (this.bound + 1) * ROUNDING;
    const atPeak = selectionAt(priced);
    this.peak = { selection: atPeak, usage: usageOf(problem, atPeak) };
    this.prices = Float64Array.of(priced.token, ...priced.caps).map((price) => price / priced.scale);
  }

  get isProven(): boolean {
    return this.bound <= this.usage.value;
  }

  /** How far a set may lie below the bound at the prices without being worse than the best: times the scale. */
  get gap(): number {
    return Math.max(0, this.priced.bound - this.usage.value * this.priced.scale);
  }

  /** Takes a set of the open classes, given by the option of each. */
  takeOptions({ levels, selection }: OpenCore, options: ArrayLike<number>): void {
    const next = copyOf(selection);
    levels.forEach((level, i) => {
      level.choose(next, options[i]!);
    });
    this.take(next);
  }

  take(selection: Selection): void {
    this.selection = selection;
    this.usage = usageOf(this.problem, selection);
  }

  lower(bound: number): void {
    this.bound = Math.max(this.usage.value, Math.min(this.bound, bound));
  }
}
