import { type Fragment, Role } from "../model/fragment.js";
import { inMemoryOrder } from "../order/by-key.js";
import { runAtOnce, type Slices } from "../run-in-slices.js";
import { Slice } from "../slice.js";
import { compareDepth } from "./compare-depth.js";
import { fragmentsSharingNodes, groupBy } from "./group-by.js";
import { applyPreferences, type Preferences } from "./preferences.js";

/** Which fragments are alternatives of one another: one text at different depths. */
export interface Variants {
  /** By input position: the number of the fragment's key, or -1 where it has no alternative. */
  readonly keys: Int32Array;
  /** By number of the key: its fragments, deepest first where no resolver prefers another. */
  readonly members: readonly (readonly Fragment[])[];
}

/**
 * The fragments that have alternatives, each list deepest first. A given key is scoped to its group, and never equals one that was not
 * given. Without one it is the node with the location; but a message, or a member of a group, has none.
 */
export function gatherVariants(fragments: readonly Fragment[]): Fragment[][] {
  return runAtOnce(gatherVariantsInSlices(fragments));
}

/** The same, in slices. */
export function* gatherVariantsInSlices(fragments: readonly Fragment[]): Slices<Fragment[][]> {
  const gathered: Fragment[][] = [];
  const slice = new Slice();
  for (const same of yield* groupBy(fragments, givenKey, inMemoryOrder(fragments))) {
    for (const variants of yield* groupBy(same, ({ groupId }) => groupId)) gathered.push(variants.sort(compareDepth));
    if (slice.isOver(STEPS_PER_GROUPED * same.length)) yield;
  }
  // By node first: most nodes have one fragment, and then the location need not be looked at.
  for (const same of yield* fragmentsSharingNodes(fragments)) {
    const implicit = yield* groupBy(same.filter(hasImplicitKey), ({ provenance }) => provenance.location);
    for (const variants of implicit) gathered.push(variants.sort(compareDepth));
    if (slice.isOver(STEPS_PER_GROUPED * same.length)) yield;
  }
  return gathered;
}

function givenKey({ variantKey }: Fragment): string | undefined {
  return variantKey === "" ? undefined : variantKey;
}

/** To group and sort a few fragments is dearer than to look at each. */
const STEPS_PER_GROUPED = 4;

function hasImplicitKey({ variantKey, groupId, role }: Fragment): boolean {
  return variantKey === "" && groupId === "" && role === Role.NONE;
}

/**
 * Compiles the alternatives among fragments of a request that has so many. What a depth resolver prefers goes before depths and keys; absent:
 * they alone decide.
 */
export function* compileVariants(
  fragments: readonly Fragment[],
  fragmentCount: number,
  preferences?: Preferences,
): Slices<Variants> {
  const keys = new Int32Array(fragmentCount).fill(-1);
  const gathered = yield* gatherVariantsInSlices(fragments);
  const members = preferences === undefined ? gathered : applyPreferences(gathered, fragments, preferences);
  members.forEach((variants, key) => {
    for (const { inputIndex } of variants) keys[inputIndex] = key;
  });
  return { keys, members };
}

/** No fragment has alternatives. */
export function noVariants(fragmentCount: number): Variants {
  return { keys: new Int32Array(fragmentCount).fill(-1), members: [] };
}

/** False where a unit would bring in two variants of one key. */
export function hasOneOfEach(unit: readonly Fragment[], { keys, members }: Variants): boolean {
  if (members.length === 0 || unit.length < 2) return true;
  const held = unit.map(({ inputIndex }) => keys[inputIndex]!).filter((key) => key >= 0);
  return new Set(held).size === held.length;
}
