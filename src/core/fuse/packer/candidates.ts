/** What packers that go by score or value choose from: one turn for each unit, whatever strategy nominated it. */
import type { Fragment } from "../../model/fragment.js";
import { Reason } from "../../model/payload.js";
import { highestFirst } from "../../order/keys.js";
import { sortPositionsInSlices } from "../../order/radix.js";
import { compareTotal } from "../../order/total-order.js";
import type { Slices } from "../../run-in-slices.js";
import { Slice } from "../../slice.js";
import type { PackingInput } from "../packing.js";
import { createLeastValueTest, type LeastValue } from "./least-value.js";

/** A unit that wants to enter: the variants of a key, or a fragment with its group. */
export interface Turn {
  /** What is tried, in this order, of which one enters: variants from the deepest down, or the one fragment that stands for its group. */
  readonly choices: readonly Fragment[];
  /** From 0 to 1: of the deepest variant, or of a group's best member. */
  readonly score: number;
}

/** Which fragments have no turn of their own. */
export interface Thresholds extends LeastValue {
  /** Fragments with fewer tokens are left out, but for pinned, grouped and required ones and those with a role. */
  readonly minTokens: number;
}

/** The turns of a packing, and the fragments that thresholds keep from having one. */
export interface Candidates {
  /** Highest score first, equal ones in the total order. */
  readonly turns: readonly Turn[];
  readonly below: ReadonlyMap<Fragment, Reason>;
  /** By input position: the number of the first nomination that holds the fragment, from 1; 0: none. */
  readonly numbers: Uint8Array;
}

/**
 * Lists the candidates: one turn for each unit of the nominated fragments. What is committed has none, nor has a variant of a key that
 * something committed holds.
 */
export function* listCandidates(input: PackingInput, thresholds: Thresholds): Slices<Candidates> {
  const { fragments, committed, scores, links, variants } = input;
  const below = yield* belowThresholds(input, thresholds);
  const numbers = nominationNumbers(input);
  const held = new Set([...committed].map(({ inputIndex }) => variants.keys[inputIndex]!).filter((key) => key >= 0));
  const listed = new Uint8Array(fragments.length);
  // To ask an empty set about an object still costs the object a hash, so it is not asked.
  const isBarred = (fragment: Fragment): boolean =>
    (below.size > 0 && below.has(fragment)) ||
    (committed.size > 0 && (committed.has(fragment) || held.has(variants.keys[fragment.inputIndex]!)));
  const isOpen = (fragment: Fragment): boolean => {
    const i = fragment.inputIndex;
    return numbers[i] !== 0 && input.out[i] === 0 && !isBarred(fragment);
  };
  const turns: Turn[] = [];
  const slice = new Slice();
  for (const fragment of fragments) {
    if (slice.isOver()) yield;
    const i = fragment.inputIndex;
    if (listed[i] === 1 || !isOpen(fragment)) continue;
    const group = links.groupOf(fragment);
    if (group.length > 1) {
      for (const member of group) listed[member.inputIndex] = 1;
      const lead = bestOf(group.filter(isOpen), scores);
      turns.push({
        choices: [lead],
        score: group.reduce((most, { inputIndex }) => Math.max(most, scores[inputIndex]!), 0),
      });
      if (slice.isOver(STEPS_PER_MEMBER * group.length)) yield;
      continue;
    }
    const key = variants.keys[i]!;
    const choices = key < 0 ? [fragment] : variants.members[key]!.filter(isOpen);
    for (const variant of choices) listed[variant.inputIndex] = 1;
    turns.push({ choices, score: scores[choices[0]!.inputIndex]! });
  }
  yield;
  return { turns: yield* sortTurns(turns), below, numbers };
}

/** A member of a group is marked, asked for, and compared. */
const STEPS_PER_MEMBER = 4;

/** The member of the highest score, of equal ones the first in the total order: a group stands where its best member does. */
function bestOf(group: readonly Fragment[], scores: Float64Array): Fragment {
  const keyOf = ({ inputIndex }: Fragment): number => highestFirst(scores[inputIndex]!);
  return group.reduce((a, b) => ((keyOf(b) - keyOf(a) || compareTotal(b, a)) < 0 ? b : a));
}

/** By input position: the number of the first nomination that holds the fragment, from 1; 0: none. */
function nominationNumbers({ fragments, nominations }: PackingInput): Uint8Array {
  const numbers = new Uint8Array(fragments.length);
  nominations.forEach(({ positions }, k) => {
    for (const i of positions) if (numbers[i] === 0) numbers[i] = k + 1;
  });
  return numbers;
}

function* sortTurns(turns: readonly Turn[]): Slices<Turn[]> {
  const keys = new Float64Array(turns.length);
  for (let i = 0; i < keys.length; i++) keys[i] = highestFirst(turns[i]!.score);
  const positions = yield* sortPositionsInSlices(keys, (a, b) =>
    compareTotal(turns[a]!.choices[0]!, turns[b]!.choices[0]!),
  );
  yield;
  const sorted = new Array<Turn>(turns.length);
  for (let place = 0; place < sorted.length; place++) sorted[place] = turns[positions[place]!]!;
  return sorted;
}

function* belowThresholds(input: PackingInput, thresholds: Thresholds): Slices<Map<Fragment, Reason>> {
  const { minTokens } = thresholds;
  const below = new Map<Fragment, Reason>();
  const isWorthTooLittle = createLeastValueTest(thresholds, input);
  const { fragments, nominations, committed } = input;
  const required = minTokens > 0 ? yield* markRequired(input) : undefined;
  const isScrap = ({ tokenCount, role, groupId, inputIndex }: Fragment): boolean =>
    tokenCount < minTokens && role === 0 && groupId === "" && required?.[inputIndex] !== 1;
  // A shallower variant of a key whose deepest passes is small because it is short, not because it says nothing.
  const isTooSmall = (fragment: Fragment): boolean => isScrap(fragment) && isScrap(deepestOf(fragment, input));
  const slice = new Slice();
  for (const { positions } of nominations) {
    for (let rank = 0; rank < positions.length; rank++) {
      if (slice.isOver()) yield;
      const fragment = fragments[positions[rank]!]!;
      if (committed.size > 0 && committed.has(fragment)) continue;
      if (isWorthTooLittle?.(fragment)) below.set(fragment, Reason.BELOW_MINIMUM_VALUE);
      else if (isTooSmall(fragment)) below.set(fragment, Reason.BELOW_MINIMUM_TOKENS);
    }
  }
  return below;
}

/** By input position: 1 where another fragment requires the fragment. Nothing where none requires any. */
function* markRequired({ links, fragments }: PackingInput): Slices<Uint8Array | undefined> {
  if (!links.any) return undefined;
  const required = new Uint8Array(fragments.length);
  const slice = new Slice();
  for (const fragment of fragments) {
    for (const { inputIndex } of links.requiredBy(fragment)) required[inputIndex] = 1;
    if (slice.isOver()) yield;
  }
  return required;
}

/** The deepest of the alternatives of a fragment, or itself where it has none. */
export function deepestOf(fragment: Fragment, { variants }: PackingInput): Fragment {
  return variants.members[variants.keys[fragment.inputIndex]!]?.[0] ?? fragment;
}
