/**
 * What a depth resolver prefers among alternatives, as packers heed it: the fragment that stands for others is tried before them, as the
 * deepest is where nobody says anything.
 */
import type { Fragment } from "../model/fragment.js";
import type { Resolution } from "../stages.js";
import { compareDepth } from "./compare-depth.js";

export interface Preferences {
  /** By input position: the place among all alternatives as they were answered, from 1; 0: it stands for itself; -1: nobody was asked. */
  readonly places: Int32Array;
  /** What one of is enough: each fragment that stands for others, with them. */
  readonly sets: readonly (readonly Fragment[])[];
}

/** The preferences of a resolver's answer, for a request of so many fragments. */
export function preferencesOf(resolutions: readonly Resolution[], fragmentCount: number): Preferences {
  const places = new Int32Array(fragmentCount).fill(-1);
  const sets: Fragment[][] = [];
  let place = 0;
  for (const { fragment, alternatives } of resolutions) {
    places[fragment.inputIndex] = 0;
    for (const { inputIndex } of alternatives) places[inputIndex] = ++place;
    if (alternatives.length > 0) sets.push([fragment, ...alternatives]);
  }
  return { places, sets };
}

/**
 * Lists of alternatives with what a resolver prefers: the fragments of one answer are alternatives whatever their keys, and in each list
 * first come those that stand, the deepest of them first, then the others in the order of the answer, then those that nobody was asked
 * about. Keys still hold: a resolver can add to their lists, and not part them. In groups the keys alone decide, since what completes a
 * group is known before any resolver runs. O(n log n).
 */
export function applyPreferences(
  lists: readonly (readonly Fragment[])[],
  running: readonly Fragment[],
  { places, sets }: Preferences,
): Fragment[][] {
  const united: (Fragment[] | undefined)[] = lists.map((list) => [...list]);
  const numbers = new Int32Array(places.length).fill(-1);
  const isRunning = new Uint8Array(places.length);
  for (const { inputIndex } of running) isRunning[inputIndex] = 1;
  united.forEach((list, number) => {
    for (const { inputIndex } of list!) numbers[inputIndex] = number;
  });
  const join = (one: Fragment, other: Fragment): void => {
    const [a, b] = [listOf(one), listOf(other)];
    if (a === b) return;
    // The shorter list moves, so that no fragment moves more than log n times.
    const [to, from] = united[a]!.length >= united[b]!.length ? [a, b] : [b, a];
    for (const fragment of united[from]!) {
      numbers[fragment.inputIndex] = to;
      united[to]!.push(fragment);
    }
    united[from] = undefined;
  };
  const listOf = (fragment: Fragment): number => {
    const { inputIndex } = fragment;
    if (numbers[inputIndex]! < 0) numbers[inputIndex] = united.push([fragment]) - 1;
    return numbers[inputIndex]!;
  };
  for (const set of sets) {
    const [first, ...others] = set.filter(({ groupId, inputIndex }) => groupId === "" && isRunning[inputIndex] === 1);
    for (const other of others) join(first!, other);
  }
  const compare = createComparison(places);
  return united.flatMap((list) => (list === undefined ? [] : [list.sort(compare)]));
}

function createComparison(places: Int32Array): (a: Fragment, b: Fragment) => number {
  const rankOf = ({ inputIndex }: Fragment): number => (places[inputIndex]! < 0 ? places.length : places[inputIndex]!);
  return (a, b) => rankOf(a) - rankOf(b) || compareDepth(a, b);
}
