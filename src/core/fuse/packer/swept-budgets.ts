/**
 * At which larger budgets dropped fragments enter, seen by packing again. Each packing says how many further tokens another one needs to
 * come out differently, so that no budget between has to be tried: what is found is exact, whatever the packing goes by.
 */
import type { Slices } from "../../run-in-slices.js";

/** A packing with some further tokens. */
export interface Swept {
  readonly chosenBy: Uint8Array;
  /** With fewer tokens more than it had, a packing comes out the same; infinite: with any number more. */
  readonly shortBy: number;
}

/** What a sweep came to. */
export interface Sweep {
  /** By input position: the least number of further tokens at which a fragment enters. */
  readonly entries: ReadonlyMap<number, number>;
  /** What is not among the entries enters at no fewer further tokens than these; infinite: at none. */
  readonly swept: number;
}

/**
 * Looks for fragments, by input position, at one larger budget after the other, in at most so many packings. `packWith` packs with so many
 * further tokens; where it answers nothing, the sweep ends there.
 */
export function* sweepBudgets(
  wanted: Iterable<number>,
  packWith: (further: number) => Slices<Swept | undefined>,
  mostPackings: number,
): Slices<Sweep> {
  const open = new Set(wanted);
  const entries = new Map<number, number>();
  let swept = 0;
  for (let left = mostPackings; open.size > 0 && left > 0; left--) {
    const packing = yield* packWith(swept);
    if (packing === undefined) break;
    for (const i of open) {
      if (packing.chosenBy[i] === 0) continue;
      entries.set(i, swept);
      open.delete(i);
    }
    swept += packing.shortBy;
    if (swept === Number.POSITIVE_INFINITY) break;
    yield;
  }
  return { entries, swept };
}
