/** A set within budget and caps, as it is built up: the choice of every class. */

import { gainOf, type Priced } from "./priced.js";
import type { CappedProblem, MixedClass } from "./problem.js";

export interface Selection {
  /** By block and class: the choice in the row of classes. */
  picks: Int32Array[];
  /** By mixed class: its choice. */
  mixed: Int32Array;
  /** By turn of the networks, where they are laid out: the option. */
  turns: Int32Array;
}

/** What a selection takes and is worth. */
export interface Usage {
  tokens: number;
  value: number;
  readonly caps: Float64Array;
}

/** Every class at the choice that gains most at prices. */
export function selectionAt({ blocks, mixedBest, networks }: Priced): Selection {
  return { picks: blocks.map(({ best }) => best.slice()), mixed: mixedBest.slice(), turns: networks.best.slice() };
}

export function copyOf({ picks, mixed, turns }: Selection): Selection {
  return { picks: picks.map((own) => own.slice()), mixed: mixed.slice(), turns: turns.slice() };
}

export function usageOf({ blocks, mixed, turns, rooms }: CappedProblem, selection: Selection): Usage {
  const usage = { tokens: 0, value: 0, caps: new Float64Array(rooms.length) };
  blocks.forEach(({ classes, caps }, b) => {
    let tokens = 0;
    for (const choice of selection.picks[b]!) {
      tokens += classes.tokens[choice]!;
      usage.value += classes.values[choice]!;
    }
    usage.tokens += tokens;
    for (const cap of caps) usage.caps[cap]! += tokens;
  });
  mixed.forEach((one, i) => {
    addMixed(usage, one, selection.mixed[i]!);
  });
  turns.forEach(({ values, amounts }, turn) => {
    const option = selection.turns[turn]!;
    const first = option * (rooms.length + 1);
    usage.value += values[option]!;
    usage.tokens += amounts[first]!;
    for (let cap = 0; cap < rooms.length; cap++) usage.caps[cap]! += amounts[first + 1 + cap]!;
  });
  return usage;
}

function addMixed(usage: Usage, { tokens, values, demands }: MixedClass, choice: number): void {
  usage.tokens += tokens[choice]!;
  usage.value += values[choice]!;
  const demand = demands[choice]!;
  for (let cap = 0; cap < demand.length; cap++) usage.caps[cap]! += demand[cap]!;
}

export function isWithin({ capacity, rooms }: CappedProblem, { tokens, caps }: Usage): boolean {
  return tokens <= capacity && caps.every((taken, cap) => taken <= rooms[cap]!);
}

/** So many mixed classes are decided between two turns of others. */
const CLASSES_PER_SLICE = 2_000;

/**
 * A set to begin from: what gains most at the prices. Mixed classes come in by falling gain, each with the best of its choices that fits;
 * a block that does not fit beside those before it begins with nothing. Yields between parts of a few milliseconds.
 */
export function* beginAt(problem: CappedProblem, priced: Priced): Generator<void, Selection> {
  const { blocks, mixed } = problem;
  const picks = blocks.map(({ classes }) => classes.starts.slice(0, classes.count));
  const selection = { picks, mixed: new Int32Array(mixed.length), turns: new Int32Array(0) };
  blocks.forEach((_, b) => {
    const before = picks[b]!;
    picks[b] = priced.blocks[b]!.best.slice();
    if (!isWithin(problem, usageOf(problem, selection))) picks[b] = before;
  });
  const ranks = Array.from(mixed.keys()).sort((a, b) => priced.mixedPeaks[b]! - priced.mixedPeaks[a]!);
  const usage = usageOf(problem, selection);
  for (const [rank, i] of ranks.entries()) {
    if (rank % CLASSES_PER_SLICE === CLASSES_PER_SLICE - 1) yield;
    const one = mixed[i]!;
    let most = gainOf(one, 0, priced);
    for (let choice = 1; choice < one.ids.length; choice++) {
      const gain = gainOf(one, choice, priced);
      if (gain <= most || !fitsBeside(usage, one, choice, problem)) continue;
      most = gain;
      selection.mixed[i] = choice;
    }
    addMixed(usage, one, selection.mixed[i]!);
  }
  return selection;
}

function fitsBeside(usage: Usage, { tokens, demands }: MixedClass, choice: number, problem: CappedProblem): boolean {
  if (usage.tokens + tokens[choice]! > problem.capacity) return false;
  const demand = demands[choice]!;
  for (let cap = 0; cap < demand.length; cap++) {
    if (usage.caps[cap]! + demand[cap]! > problem.rooms[cap]!) return false;
  }
  return true;
}

/** The ids of what is taken, empty choices among them. */
export function idsOf(
  { blocks, mixed, turns }: CappedProblem,
  { picks, mixed: chosen, turns: taken }: Selection,
): number[] {
  return [
    ...blocks.flatMap(({ classes }, b) => Array.from(picks[b]!, (choice) => classes.ids[choice]!)),
    ...mixed.map(({ ids }, i) => ids[chosen[i]!]!),
    ...turns.map(({ ids }, turn) => ids[taken[turn]!]!),
  ];
}
