import type { Fragment } from "../../model/fragment.js";
import { runInSlices, type Slices } from "../../run-in-slices.js";
import { Slice } from "../../slice.js";
import type { DepthResolver, Resolution } from "../../stages.js";
import { gatherVariantsInSlices } from "../variants.js";

/** The deepest of each key stands for it, of equally deep ones the more relevant; the others stay as its alternatives. */
export const maxDepth: DepthResolver = {
  isByDepth: true,
  resolve: (fragments, run) => runInSlices(resolve(fragments), run),
};

function* resolve(fragments: readonly Fragment[]): Slices<readonly Resolution[] | undefined> {
  const gathered = yield* gatherVariantsInSlices(fragments);
  if (gathered.length === 0) return undefined;
  const alternativesOf = new Map<Fragment, readonly Fragment[]>();
  const isAlternative = new Set<Fragment>();
  const slice = new Slice();
  for (const variants of gathered) {
    const [deepest, ...others] = variants;
    alternativesOf.set(deepest!, others);
    for (const other of others) isAlternative.add(other);
    if (slice.isOver(variants.length)) yield;
  }
  const resolutions: Resolution[] = [];
  for (const fragment of fragments) {
    if (!isAlternative.has(fragment))
      resolutions.push({ fragment, alternatives: alternativesOf.get(fragment) ?? NONE });
    if (slice.isOver()) yield;
  }
  return resolutions;
}

const NONE: readonly Fragment[] = [];
