/** All partial sets of the mixed classes that lose little at the prices. They take of each cap what they take, so few dominate others. */
import type { Differing, Steps } from "./block-list.js";
import { gainOf, type Priced } from "./priced.js";
import type { CappedProblem } from "./problem.js";

/** A set of mixed classes, as the last choice of a chain. */
export interface MixedSet {
  readonly tokens: number;
  /** Times the scale. */
  readonly value: number;
  readonly demand: Float64Array;
  readonly loss: number;
  readonly before: MixedSet | undefined;
  /** The class and the choice. */
  readonly mixed: number;
  readonly choice: number;
}

const STEPS_PER_SLICE = 5_000;

/** Lists the sets, those that lose least first; nothing where the steps are spent before the list is complete. */
export function* listMixed(
  problem: CappedProblem,
  priced: Priced,
  { threshold, steps }: { threshold: number; steps: Steps },
): Generator<void, readonly MixedSet[] | undefined> {
  const { mixed, capacity, rooms } = problem;
  const start = { tokens: 0, value: 0, loss: 0, before: undefined, mixed: -1, choice: -1 };
  let sets: MixedSet[] = [{ ...start, demand: new Float64Array(rooms.length) }];
  let next = steps.left - STEPS_PER_SLICE;
  for (const [number, one] of mixed.entries()) {
    const known = new Map<string, MixedSet>();
    for (let choice = 0; choice < one.ids.length; choice++) {
      const loss = priced.mixedPeaks[number]! - gainOf(one, choice, priced);
      if (loss > threshold) continue;
      steps.left -= sets.length;
      for (const before of sets) {
        const tokens = before.tokens + one.tokens[choice]!;
        if (before.loss + loss > threshold || tokens > capacity) continue;
        const demand = before.demand.map((taken, cap) => taken + one.demands[choice]![cap]!);
        if (demand.some((taken, cap) => taken > rooms[cap]!)) continue;
        const value = before.value + one.values[choice]! * priced.scale;
        const set = { tokens, value, demand, loss: before.loss + loss, before, mixed: number, choice };
        const key = `${tokens} ${demand.join()}`;
        const equal = known.get(key);
        if (equal === undefined || value > equal.value) known.set(key, set);
        else if (value === equal.value && differenceOf(set, equal, problem).firstHolds) known.set(key, set);
      }
      if (steps.left < 0 || steps.isLate?.()) return undefined;
      if (steps.left > next) continue;
      next = steps.left - STEPS_PER_SLICE;
      yield;
    }
    sets = [...known.values()];
  }
  return sets.sort((a, b) => a.loss - b.loss);
}

/** By mixed class: the choice of a set. */
export function choicesOf(set: MixedSet, { mixed }: CappedProblem): Int32Array {
  const choices = new Int32Array(mixed.length);
  for (let at: MixedSet | undefined = set; at !== undefined && at.mixed >= 0; at = at.before)
    choices[at.mixed] = at.choice;
  return choices;
}

/** The earliest place in which two sets of equally many classes differ. */
export function differenceOf(a: MixedSet, b: MixedSet, { mixed, order }: CappedProblem): Differing {
  let place = -1;
  let firstHolds = true;
  let [x, y]: [MixedSet | undefined, MixedSet | undefined] = [a, b];
  while (x !== undefined && y !== undefined && x !== y) {
    if (x.choice !== y.choice) {
      const { ids } = mixed[x.mixed]!;
      const found = order.firstDifference(ids[x.choice]!, ids[y.choice]!);
      if (found.place >= 0 && (place < 0 || order.comparePlaces(found.place, place) < 0)) {
        place = found.place;
        firstHolds = found.firstHolds;
      }
    }
    x = x.before;
    y = y.before;
  }
  return { place, firstHolds };
}
