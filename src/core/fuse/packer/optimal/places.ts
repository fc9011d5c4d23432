/** The order among sets of equal value and tokens. */
import type { Fragment } from "../../../model/fragment.js";
import { compareTotal } from "../../../order/total-order.js";
import type { Variants } from "../../variants.js";

/** Where fragments stand in the total order; a key stands where its deepest variant does, and in it the deeper variant is earlier. */
export interface Places {
  /** The input position of the fragment at whose place a fragment stands. */
  placeOf(inputIndex: number): number;
  /** Below 0 where the first place is earlier. */
  compare(a: number, b: number): number;
  /** Below 0 where the first fragment stands earlier. */
  compareFragments(a: number, b: number): number;
  /** The earliest fragment in which two sets differ, by input position, -1 for none, and whether the first set holds it. */
  firstDifference(a: readonly number[], b: readonly number[]): { fragment: number; firstHolds: boolean };
}

export function createPlaces(fragments: readonly Fragment[], { keys, members }: Variants): Places {
  const placeOf = (i: number): number => (keys[i]! < 0 ? i : members[keys[i]!]![0]!.inputIndex);
  const compare = (a: number, b: number): number => (a === b ? 0 : compareTotal(fragments[a]!, fragments[b]!));
  const compareFragments = (a: number, b: number): number => {
    const order = compare(placeOf(a), placeOf(b));
    if (order !== 0 || a === b) return order;
    const variants = members[keys[a]!]!;
    return variants.indexOf(fragments[a]!) - variants.indexOf(fragments[b]!);
  };
  const earliestBeyond = (set: readonly number[], other: readonly number[]): number => {
    let earliest = -1;
    for (const i of set) {
      if (!other.includes(i) && (earliest < 0 || compareFragments(i, earliest) < 0)) earliest = i;
    }
    return earliest;
  };
  return {
    placeOf,
    compare,
    compareFragments,
    firstDifference: (a, b) => {
      const ofA = earliestBeyond(a, b);
      const ofB = earliestBeyond(b, a);
      const firstHolds = ofB < 0 || (ofA >= 0 && compareFragments(ofA, ofB) < 0);
      return { fragment: firstHolds ? ofA : ofB, firstHolds };
    },
  };
}
