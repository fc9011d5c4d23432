import type { Fragment } from "../model/fragment.js";
import { compareAge } from "../order/by-age.js";
import { compareDepth } from "./compare-depth.js";

/**
 * What stands or falls together: groups and requirements, compiled once for a request. A fragment without either is alone, and costs the
 * filler nothing but a look.
 */
export interface Links {
  /** False where no fragment of the request is in a group of several or requires another. */
  readonly any: boolean;
  /** Those that are not alone, in input order. */
  readonly tied: readonly Fragment[];
  /** True for a fragment that enters by itself. */
  isAlone(fragment: Fragment): boolean;
  /** The fragment's group, oldest first, in input order where times are equal; a fragment without one is its own. */
  groupOf(fragment: Fragment): readonly Fragment[];
  /** The parts of which the group needs one each, in the same order; each part's alternatives deepest first. */
  partsOf(fragment: Fragment): readonly Part[];
  /** What a fragment requires itself; a duplicate stands there as its survivor. */
  requiredBy(fragment: Fragment): readonly Fragment[];
  /** True for a fragment that any other of the request requires, itself or as the survivor of a duplicate. */
  isRequired(fragment: Fragment): boolean;
  /** From now on whoever requires the duplicate is met by the survivor. */
  redirect(duplicate: Fragment, survivor: Fragment): void;
}

/** Members of a group of which one is enough. */
export type Part = readonly Fragment[];

/**
 * Compiles the links of a request's fragments, of which `linked` are in a group or require others. Where `oneVariant`, members of a group
 * with one variant key are alternatives; else all of them belong to it.
 */
export function linkFragments(fragments: readonly Fragment[], linked: readonly Fragment[], oneVariant: boolean): Links {
  if (linked.length === 0) return NO_LINKS;
  const groups = gatherGroups(linked, oneVariant);
  const requirements = resolveRequirements(fragments, linked);
  const survivors = new Map<Fragment, Fragment>();
  let required: ReadonlySet<Fragment> | undefined;
  const groupOf = (fragment: Fragment): Group =>
    (fragment.groupId === "" ? undefined : groups.get(fragment.groupId)) ?? single(fragment);
  const isTied = new Uint8Array(fragments.length);
  for (const fragment of linked) {
    if (requirements.has(fragment) || groupOf(fragment).members.length > 1) isTied[fragment.inputIndex] = 1;
  }
  return {
    any: true,
    tied: linked.filter(({ inputIndex }) => isTied[inputIndex] === 1),
    isAlone: ({ inputIndex }) => isTied[inputIndex] !== 1,
    groupOf: (fragment) => groupOf(fragment).members,
    partsOf: (fragment) => groupOf(fragment).parts,
    requiredBy: (fragment) => {
      const named = requirements.get(fragment) ?? NOTHING;
      return survivors.size === 0 ? named : named.map((one) => survivors.get(one) ?? one);
    },
    isRequired: (fragment) => {
      required ??= new Set([...requirements.values()].flat().map((one) => survivors.get(one) ?? one));
      return required.has(fragment);
    },
    redirect: (duplicate, survivor) => {
      survivors.set(duplicate, survivor);
      required = undefined;
    },
  };
}

interface Group {
  readonly members: Fragment[];
  readonly parts: readonly Part[];
}

const NOTHING: readonly Fragment[] = [];

const NO_LINKS: Links = {
  any: false,
  tied: NOTHING,
  isAlone: () => true,
  groupOf: (fragment) => [fragment],
  partsOf: (fragment) => [[fragment]],
  requiredBy: () => NOTHING,
  isRequired: () => false,
  redirect: () => undefined,
};

function single(fragment: Fragment): Group {
  return { members: [fragment], parts: [[fragment]] };
}

function gatherGroups(linked: readonly Fragment[], oneVariant: boolean): Map<string, Group> {
  const byId = new Map<string, Fragment[]>();
  for (const fragment of linked) {
    if (fragment.groupId === "") continue;
    const members = byId.get(fragment.groupId);
    if (members === undefined) byId.set(fragment.groupId, [fragment]);
    else members.push(fragment);
  }
  const groups = new Map<string, Group>();
  for (const [id, members] of byId) {
    members.sort(compareAge);
    groups.set(id, { members, parts: oneVariant ? gatherParts(members) : members.map((member) => [member]) });
  }
  return groups;
}

function gatherParts(members: readonly Fragment[]): Part[] {
  const parts: Fragment[][] = [];
  const byKey = new Map<string, Fragment[]>();
  for (const member of members) {
    const part = member.variantKey === "" ? undefined : byKey.get(member.variantKey);
    if (part !== undefined) {
      part.push(member);
      continue;
    }
    const opened = [member];
    parts.push(opened);
    if (member.variantKey !== "") byKey.set(member.variantKey, opened);
  }
  for (const part of parts) part.sort(compareDepth);
  return parts;
}

function resolveRequirements(
  fragments: readonly Fragment[],
  linked: readonly Fragment[],
): Map<Fragment, readonly Fragment[]> {
  const requiring = linked.filter(({ requires }) => requires.length > 0);
  const requirements = new Map<Fragment, readonly Fragment[]>();
  if (requiring.length === 0) return requirements;
  const byId = new Map(fragments.map((fragment) => [fragment.fragmentId, fragment]));
  for (const fragment of requiring) {
    requirements.set(
      fragment,
      fragment.requires.map((id) => byId.get(id)!),
    );
  }
  return requirements;
}
