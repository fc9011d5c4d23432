import { type Fragment, Role } from "../model/fragment.js";
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
  const given = groupBy(fragments, ({ variantKey }) => (variantKey === "" ? undefined : variantKey)).flatMap((same) =>
    groupBy(same, ({ groupId }) => groupId),
  );
  // By node first: most nodes have one fragment, and then the location need not be looked at.
  const implicit = fragmentsSharingNodes(fragments).flatMap((same) =>
    groupBy(same.filter(hasImplicitKey), ({ provenance }) => provenance.location),
  );
  return [...given, ...implicit].map((variants) => variants.sort(compareDepth));
}

function hasImplicitKey({ variantKey, groupId, role }: Fragment): boolean {
  return variantKey === "" && groupId === "" && role === Role.NONE;
}

/**
 * Compiles the alternatives among fragments of a request that has so many. What a depth resolver prefers goes before depths and keys; absent:
 * they alone decide.
 */
export function compileVariants(
  fragments: readonly Fragment[],
  fragmentCount: number,
  preferences?: Preferences,
): Variants {
  const keys = new Int32Array(fragmentCount).fill(-1);
  const gathered = gatherVariants(fragments);
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
  if (members.length === 0) return true;
  const held = unit.map(({ inputIndex }) => keys[inputIndex]!).filter((key) => key >= 0);
  return new Set(held).size === held.length;
}
