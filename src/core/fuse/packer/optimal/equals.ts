/** Which of two equal partial sets is better: the one that holds the earliest thing in which they differ. */
import type { TieOrder } from "./classes.js";
import type { States } from "./rows.js";

/** A partial set on its last step: the state before, and the option taken. */
export type LastStep = readonly [parent: number, option: number];

export interface Difference {
  /** The place of the earliest thing in which the two differ; -1 where they do not. */
  readonly place: number;
  readonly firstHolds: boolean;
  /** How many levels were looked at. */
  readonly steps: number;
}

/** By level: what the options stand for, in the words of the order. */
export type LevelIds = readonly { readonly ids: Int32Array }[];

/** Goes back from two partial sets to the state that both came from, and finds the earliest thing in which they differ. */
export function differenceBetween(
  [a, b]: readonly [LastStep, LastStep],
  depth: number,
  { states, levels, order }: { states: Pick<States, "parentOf" | "optionOf">; levels: LevelIds; order: TieOrder },
): Difference {
  let [parentA, optionA] = a;
  let [parentB, optionB] = b;
  let place = -1;
  let firstHolds = true;
  for (let level = depth; ; level--) {
    if (optionA !== optionB) {
      const { ids } = levels[level]!;
      const found = order.firstDifference(ids[optionA]!, ids[optionB]!);
      if (found.place >= 0 && (place < 0 || order.comparePlaces(found.place, place) < 0)) {
        place = found.place;
        firstHolds = found.firstHolds;
      }
    }
    if (parentA === parentB) return { place, firstHolds, steps: depth - level + 1 };
    optionA = states.optionOf(parentA);
    optionB = states.optionOf(parentB);
    parentA = states.parentOf(parentA);
    parentB = states.parentOf(parentB);
  }
}
