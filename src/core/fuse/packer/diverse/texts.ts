import type { Fragment } from "../../../model/fragment.js";
import type { Slices } from "../../../run-in-slices.js";
import { Slice } from "../../../slice.js";
import { jaccardFrom } from "../../similarity/jaccard.js";
import { numberShared, type SharedShingles } from "../../similarity/postings.js";
import { shinglesInSlices } from "../../similarity/shingles.js";
import { SLICE_STEPS, type Steps } from "./steps.js";

/** Texts that are in, each listed under its shingles, so that only those that have one in common with another are looked at. */
export interface Texts {
  /** Puts a fragment in. */
  add(fragment: Fragment): void;
  /** The greatest Jaccard similarity of a fragment to those that were put in from number `from` on. A step is a shingle that both have. */
  greatest(fragment: Fragment, from: number, search: TextSearch): Generator<void, number>;
}

export interface TextSearch {
  readonly steps: Steps;
  /** False for those that are compared in another way. */
  isOther(number: number): boolean;
}

/** Prepares the texts of the fragments that may be asked for or put in. */
export function* createTexts(running: readonly Fragment[]): Generator<void, Texts> {
  const sets: Float64Array[] = [];
  const placeOf = new Map<Fragment, number>();
  for (const fragment of running) {
    placeOf.set(fragment, sets.length);
    sets.push(yield* shinglesInSlices(fragment.content));
    yield;
  }
  const shingles = yield* numberShared(sets);
  yield;
  const lists = yield* createLists(shingles);
  return listTexts(placeOf, shingles, lists);
}

function listTexts(placeOf: ReadonlyMap<Fragment, number>, { numbers, sizes }: SharedShingles, lists: Lists): Texts {
  const { owners, starts, ends } = lists;
  const inSizes: number[] = [];
  // By number of one that is in: how many shingles it shares with the fragment at hand; all 0 between two fragments.
  const shared = new Int32Array(sizes.length);
  const touched = new Int32Array(sizes.length);
  return {
    add: (fragment) => {
      const place = placeOf.get(fragment)!;
      for (const shingle of numbers[place]!) owners[ends[shingle]!++] = inSizes.length;
      inSizes.push(sizes[place]!);
    },
    *greatest(fragment, from, { steps, isOther }) {
      const place = placeOf.get(fragment)!;
      let found = 0;
      let untilYield = SLICE_STEPS;
      for (const shingle of numbers[place]!) {
        const start = starts[shingle]!;
        const last = ends[shingle]! - 1;
        let entry = last;
        for (; entry >= start; entry--) {
          const owner = owners[entry]!;
          if (owner < from) break;
          if (shared[owner]!++ === 0) touched[found++] = owner;
        }
        steps.left -= last - entry;
        if (steps.left < 0) break;
        untilYield -= last - entry;
        if (untilYield > 0) continue;
        untilYield = SLICE_STEPS;
        yield;
      }
      let greatest = 0;
      for (let i = 0; i < found; i++) {
        const number = touched[i]!;
        if (isOther(number)) {
          greatest = Math.max(greatest, jaccardFrom(shared[number]!, sizes[place]!, inSizes[number]!));
        }
        shared[number] = 0;
      }
      return greatest;
    },
  };
}

/** To count so many shingles is as dear as a look at a fragment. */
const SHINGLES_PER_STEP = 8;

/** The owners of each shingle, one list behind another. */
interface Lists {
  readonly owners: Int32Array;
  /** By shingle: where its list begins. */
  readonly starts: Int32Array;
  /** By shingle: where its list ends so far. */
  readonly ends: Int32Array;
}

/** Room for the owners of each shingle, each list still empty. */
function* createLists({ numbers, count }: SharedShingles): Slices<Lists> {
  const starts = new Int32Array(count + 1);
  const slice = new Slice();
  for (const set of numbers) {
    for (const shingle of set) starts[shingle + 1]!++;
    if (slice.isOver(1 + set.length / SHINGLES_PER_STEP)) yield;
  }
  for (let shingle = 0; shingle < count; shingle++) starts[shingle + 1]! += starts[shingle]!;
  return { owners: new Int32Array(starts[count]!), starts, ends: starts.slice() };
}
