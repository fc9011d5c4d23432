import type { Faults } from "./faults.js";

/** Shares of the spendable tokens between which a selection moves, so that the start of a payload need not change at every turn. */
export interface WaterMarks {
  /** Above 0, at most 1. */
  readonly high: number;
  /** Above 0, at most `high`. */
  readonly low: number;
}

export const DEFAULT_WATER_MARKS: WaterMarks = { high: 1, low: 0.6 };

/** Checks marks, where each absent one has its default; faults go to `faults` and name both numbers, since each bounds the other. */
export function checkWaterMarks(
  given: { readonly highWaterMark?: number | undefined; readonly lowWaterMark?: number | undefined },
  pathOf: (field: string) => string,
  faults: Faults,
): void {
  const { highWaterMark: high = DEFAULT_WATER_MARKS.high, lowWaterMark: low = DEFAULT_WATER_MARKS.low } = given;
  const refuse = (field: string, value: number, other: string): void => {
    const rule = "allowed is 0 < low_water_mark <= high_water_mark <= 1";
    faults.add(pathOf(field), `is ${value}, beside ${other}; ${rule}`);
  };
  const isWithin = (mark: number): boolean => mark > 0 && mark <= 1;
  const highBeside = `a high_water_mark of ${high}`;
  const lowBeside = `a low_water_mark of ${low}`;
  if (!isWithin(high)) refuse("high_water_mark", high, lowBeside);
  if (!isWithin(low)) refuse("low_water_mark", low, highBeside);
  if (!isWithin(high) || !isWithin(low) || low <= high) return;
  if (given.lowWaterMark === undefined) refuse("high_water_mark", high, `${lowBeside}, its default`);
  else refuse("low_water_mark", low, highBeside);
}
