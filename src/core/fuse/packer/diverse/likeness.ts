import type { Fragment } from "../../../model/fragment.js";
import { cosine, unitVector } from "../../similarity/vectors.js";
import { SLICE_STEPS, type Steps } from "./steps.js";
import { createTexts } from "./texts.js";

/** How much fragments are like those that are in. */
export interface Likeness {
  /** Puts a fragment in. */
  add(fragment: Fragment): void;
  /** How many are in. */
  count(): number;
  /**
   * Compares a fragment with those that were put in from number `from` on. The similarity is the cosine of the vectors where both have one,
   * negative ones being 0, else the Jaccard similarity of the shingles; both are exact. A step is one number of two vectors, or one shingle
   * that two texts have.
   */
  compare(fragment: Fragment, from: number, limits: ComparisonLimits): Generator<void, Compared>;
}

export interface ComparisonLimits {
  /** Where these are at an end, the rest is left out. */
  readonly steps: Steps;
  /** True for a similarity at which the fragment need not be compared any further for now. */
  isEnough(similarity: number): boolean;
}

export interface Compared {
  /** The greatest similarity that was found, 0 to 1. */
  readonly greatest: number;
  /** The number of the first that was not looked at. */
  readonly until: number;
}

/** Prepares to compare fragments of a request, of which those of `running` may be asked for or put in. */
export function* createLikeness(running: readonly Fragment[]): Generator<void, Likeness> {
  const texts = running.every(({ vector }) => vector.length > 0) ? undefined : yield* createTexts(running);
  const units = new Map<Fragment, Float64Array>();
  const unitOf = (fragment: Fragment): Float64Array | undefined => {
    if (fragment.vector.length === 0) return undefined;
    const known = units.get(fragment);
    if (known !== undefined) return known;
    const unit = unitVector(fragment.vector);
    units.set(fragment, unit);
    return unit;
  };
  /** Of those that are in, in the order in which they came. */
  const vectors: (Float64Array | undefined)[] = [];
  const isOther = (number: number): boolean => vectors[number] === undefined;
  return {
    add: (fragment) => {
      vectors.push(unitOf(fragment));
      texts?.add(fragment);
    },
    count: () => vectors.length,
    *compare(fragment, from, limits) {
      const unit = unitOf(fragment);
      if (texts === undefined) return yield* compareVectors(unit!, vectors, { ...limits, from });
      // The texts are compared with all at once, and so the vectors must be.
      const ofVectors = { steps: limits.steps, isEnough: () => false, from };
      const byVector = unit === undefined ? 0 : (yield* compareVectors(unit, vectors, ofVectors)).greatest;
      const search = { steps: limits.steps, isOther: unit === undefined ? () => true : isOther };
      const byText = yield* texts.greatest(fragment, from, search);
      return { greatest: Math.max(byVector, byText), until: vectors.length };
    },
  };
}

function* compareVectors(
  unit: Float64Array,
  others: readonly (Float64Array | undefined)[],
  { steps, isEnough, from }: ComparisonLimits & { readonly from: number },
): Generator<void, Compared> {
  let greatest = 0;
  let untilYield = SLICE_STEPS;
  for (let number = from; number < others.length; number++) {
    const other = others[number];
    if (other === undefined) continue;
    steps.left -= unit.length;
    if (steps.left < 0) break;
    const similarity = cosine(unit, other);
    if (similarity > greatest) {
      greatest = similarity;
      if (isEnough(greatest)) return { greatest, until: number + 1 };
    }
    untilYield -= unit.length;
    if (untilYield > 0) continue;
    untilYield = SLICE_STEPS;
    yield;
  }
  return { greatest, until: others.length };
}
