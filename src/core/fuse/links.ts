import type { Fragment } from "../model/fragment.js";
import { compareInstants } from "../model/instant.js";

/**
 * What stands or falls together: groups and requirements, compiled once for a request. A fragment without either is alone, and costs the
 * filler nothing but a look.
 */
export interface Links {
  /** False where no fragment of the request is in a group of several or requires another. */
  readonly any: boolean;
  /** False where some fragment requires another. */
  readonly pricesAreFixed: boolean;
  /** True for a fragment that enters by itself. */
  isAlone(fragment: Fragment): boolean;
  /** The fragment's group, oldest first, in input order where times are equal; a fragment without one is its own. */
  groupOf(fragment: Fragment): readonly Fragment[];
  /** The members of a fragment's group, and what it requires itself. */
  needsOf(fragment: Fragment): readonly Fragment[];
  /**
   * What must enter so that a fragment may: its group and, transitively, all that these require, but for what `isPresent` says is there
   * already. Cycles end. The walk stops, and answers nothing, once the price exceeds `tokens` or it meets a fragment that `isOut` rules
   * out; so a walk never goes further than the budget.
   */
  entrants(fragment: Fragment, tokens: number, isPresent: Test, isOut: Test): readonly Fragment[] | undefined;
}

type Test = (fragment: Fragment) => boolean;

/** Compiles the links of a request's fragments, of which `linked` are in a group or require others. */
export function linkFragments(fragments: readonly Fragment[], linked: readonly Fragment[]): Links {
  if (linked.length === 0) return NO_LINKS;
  const groups = gatherGroups(linked);
  const requirements = resolveRequirements(fragments, linked);
  const groupOf = (fragment: Fragment): readonly Fragment[] =>
    (fragment.groupId === "" ? undefined : groups.get(fragment.groupId)) ?? [fragment];
  const isAlone = (fragment: Fragment): boolean =>
    !requirements.has(fragment) && (fragment.groupId === "" || groups.get(fragment.groupId)!.length === 1);
  return {
    any: true,
    pricesAreFixed: requirements.size === 0,
    isAlone,
    groupOf,
    needsOf: (fragment) => [...groupOf(fragment), ...(requirements.get(fragment) ?? [])],
    entrants: (fragment, tokens, isPresent, isOut) => {
      const entering = new Set<Fragment>();
      const waiting = [fragment];
      let price = 0;
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        for (const member of groupOf(next)) {
          if (entering.has(member) || isPresent(member)) continue;
          price += member.tokenCount;
          if (price > tokens || isOut(member)) return undefined;
          entering.add(member);
          waiting.push(...(requirements.get(member) ?? []));
        }
      }
      return [...entering];
    },
  };
}

const NO_LINKS: Links = {
  any: false,
  pricesAreFixed: true,
  isAlone: () => true,
  groupOf: (fragment) => [fragment],
  needsOf: () => [],
  entrants: (fragment, tokens, isPresent, isOut) =>
    isPresent(fragment) ? [] : fragment.tokenCount > tokens || isOut(fragment) ? undefined : [fragment],
};

function gatherGroups(linked: readonly Fragment[]): Map<string, Fragment[]> {
  const groups = new Map<string, Fragment[]>();
  for (const fragment of linked) {
    if (fragment.groupId === "") continue;
    const members = groups.get(fragment.groupId);
    if (members === undefined) groups.set(fragment.groupId, [fragment]);
    else members.push(fragment);
  }
  for (const members of groups.values()) {
    members.sort((a, b) => compareInstants(a.createdAt, b.createdAt) || a.inputIndex - b.inputIndex);
  }
  return groups;
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
