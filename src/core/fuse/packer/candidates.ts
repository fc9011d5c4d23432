/** What packers that go by score or value choose from: one turn for each unit, whatever strategy nominated it. */
import type { Fragment } from "../../model/fragment.js";
import { Reason } from "../../model/payload.js";
import { highestFirst } from "../../order/keys.js";
import { sortPositions } from "../../order/radix.js";
import { compareTotal } from "../../order/total-order.js";
import type { PackingInput } from "../packing.js";

/** A unit that wants to enter: the variants of a key, or a fragment with its group. */
export interface Turn {
  /** What is tried, in this order, of which one enters: variants from the deepest down, or the one fragment. */
  readonly choices: readonly Fragment[];
  /** From 0 to 1: of the deepest variant, or of a group's best member. */
  readonly score: number;
  /** The number of the first nomination that holds it, from 1. */
  readonly number: number;
}

/** Which fragments have no turn of their own. */
export interface Thresholds {
  /** Fragments with fewer tokens are left out, but for pinned, grouped and required ones and those with a role. */
  readonly minTokens: number;
  /** Fragments that are less relevant are left out, but for pinned ones. */
  readonly minRelevance: number;
}

/** The turns of a packing, and the fragments that thresholds keep from having one. */
export interface Candidates {
  /** Highest score first, equal ones in the total order. */
  readonly turns: readonly Turn[];
  readonly below: ReadonlyMap<Fragment, Reason>;
}

/** Lists the candidates: one turn for each unit of the nominated fragments that are not committed. */
export function listCandidates(input: PackingInput, thresholds: Thresholds): Candidates {
  const { fragments, nominations, committed, scores, links, variants } = input;
  const below = belowThresholds(input, thresholds);
  const numbers = new Uint8Array(fragments.length);
  nominations.forEach(({ positions }, k) => {
    for (const i of positions) if (numbers[i] === 0) numbers[i] = k + 1;
  });
  const listed = new Uint8Array(fragments.length);
  const turns: Turn[] = [];
  for (let i = 0; i < fragments.length; i++) {
    const fragment = fragments[i]!;
    if (numbers[i] === 0 || listed[i] === 1 || committed.has(fragment) || below.has(fragment)) continue;
    const group = links.groupOf(fragment);
    const key = variants.keys[i]!;
    const choices =
      key < 0 || group.length > 1
        ? [fragment]
        : variants.members[key]!.filter((variant) => numbers[variant.inputIndex] !== 0 && !below.has(variant));
    for (const member of group.length > 1 ? group : choices) listed[member.inputIndex] = 1;
    const score =
      group.length > 1
        ? Math.max(...group.map((member) => scores[member.inputIndex]!))
        : scores[choices[0]!.inputIndex]!;
    turns.push({ choices, score, number: numbers[choices[0]!.inputIndex]! });
  }
  return { turns: sortTurns(turns), below };
}

function sortTurns(turns: readonly Turn[]): Turn[] {
  const keys = new Float64Array(turns.length);
  for (let i = 0; i < keys.length; i++) keys[i] = highestFirst(turns[i]!.score);
  const positions = sortPositions(keys, (a, b) => compareTotal(turns[a]!.choices[0]!, turns[b]!.choices[0]!));
  return Array.from(positions, (position) => turns[position]!);
}

function belowThresholds(input: PackingInput, { minTokens, minRelevance }: Thresholds): Map<Fragment, Reason> {
  const below = new Map<Fragment, Reason>();
  const { fragments, nominations, committed, links } = input;
  let required: Set<Fragment> | undefined;
  const isRequired = (fragment: Fragment): boolean => {
    required ??= links.any ? new Set(fragments.flatMap((other) => links.requiredBy(other))) : new Set();
    return required.has(fragment);
  };
  const isTooSmall = (fragment: Fragment): boolean =>
    fragment.tokenCount < minTokens &&
    fragment.role === 0 &&
    fragment.groupId === "" &&
    !isShorterVariant(fragment, input, minTokens) &&
    !isRequired(fragment);
  for (const { positions } of nominations) {
    for (const i of positions) {
      const fragment = fragments[i]!;
      if (committed.has(fragment)) continue;
      if (minRelevance > 0 && fragment.relevanceScore < minRelevance) below.set(fragment, Reason.BELOW_MINIMUM_VALUE);
      else if (isTooSmall(fragment)) below.set(fragment, Reason.BELOW_MINIMUM_TOKENS);
    }
  }
  return below;
}

/** True for a shallower variant of a key whose deepest passes the minimum: it is small because it is short, not because it says nothing. */
function isShorterVariant({ inputIndex }: Fragment, { variants }: PackingInput, minTokens: number): boolean {
  const key = variants.keys[inputIndex]!;
  if (key < 0) return false;
  const deepest = variants.members[key]![0]!;
  return deepest.inputIndex !== inputIndex && deepest.tokenCount >= minTokens;
}
