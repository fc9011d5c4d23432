/** A set within budget and caps, as it is built up: the choice of every class. */

import { gainOf, type Priced } from "./priced.js";
import type { Block, CappedProblem } from "./problem.js";

export interface Selection {
  /** By block and class: the choice in the row of classes. */
  picks: Int32Array[];
  /** By mixed class: its choice. */
  mixed: Int32Array;
}

/** What a selection takes and is worth. */
export interface Usage {
  tokens: number;
  value: number;
  readonly caps: Float64Array;
}

/** Every class at the choice that gains most at prices. */
export function selectionAt({ blocks, mixedBest }: Priced): Selection {
  return { picks: blocks.map(({ best }) => best.slice()), mixed: mixedBest.slice() };
}

export function copyOf({ picks, mixed }: Selection): Selection {
  return { picks: picks.map((own) => own.slice()), mixed: mixed.slice() };
}

export function usageOf({ blocks, mixed, rooms }: CappedProblem, selection: Selection): Usage {
  const usage = { tokens: 0, value: 0, caps: new Float64Array(rooms.length) };
  blocks.forEach((block, b) => {
    const { tokens, value } = sumsOf(block, selection.picks[b]!);
    usage.tokens += tokens;
    usage.value += value;
    for (const cap of block.caps) usage.caps[cap]! += tokens;
  });
  mixed.forEach((one, i) => {
    addMixed(usage, one, selection.mixed[i]!);
  });
  return usage;
}

export function sumsOf({ classes }: Block, picks: Int32Array): { tokens: number; value: number } {
  let tokens = 0;
  let value = 0;
  for (const choice of picks) {
    tokens += classes.tokens[choice]!;
    value += classes.values[choice]!;
  }
  return { tokens, value };
}

function addMixed(usage: Usage, { tokens, values, demands }: CappedProblem["mixed"][number], choice: number): void {
  usage.tokens += tokens[choice]!;
  usage.value += values[choice]!;
  const demand = demands[choice]!;
  for (let cap = 0; cap < demand.length; cap++) usage.caps[cap]! += demand[cap]!;
}

export function isWithin({ capacity, rooms }: CappedProblem, { tokens, caps }: Usage): boolean {
  return tokens <= capacity && caps.every((taken, cap) => taken <= rooms[cap]!);
}

/**
 * A set to begin from: what gains most at the prices. Mixed classes come in by falling gain, each with the best of its choices that fits;
 * a block that does not fit beside those before it begins with nothing.
 */
export function beginAt(problem: CappedProblem, priced: Priced): Selection {
  const { blocks, mixed } = problem;
  const nothing = blocks.map(({ classes }) => classes.starts.slice(0, classes.count));
  const selection = { picks: nothing, mixed: new Int32Array(mixed.length) };
  blocks.forEach((_, b) => {
    const before = selection.picks[b]!;
    selection.picks[b] = priced.blocks[b]!.best.slice();
    if (!isWithin(problem, usageOf(problem, selection))) selection.picks[b] = before;
  });
  const ranks = Array.from(mixed.keys()).sort((a, b) => priced.mixedPeaks[b]! - priced.mixedPeaks[a]!);
  takeMixed(problem, selection, { ranks, worthOf: (i, choice) => gainOf(mixed[i]!, choice, priced) });
  return selection;
}

/** Gives mixed classes, one after the other, the choice of the greatest worth that fits beside everything else. */
export function takeMixed(
  problem: CappedProblem,
  selection: Selection,
  { ranks, worthOf }: { ranks: readonly number[]; worthOf: (mixed: number, choice: number) => number },
): void {
  const { mixed } = problem;
  const usage = usageOf(problem, selection);
  for (const i of ranks) {
    const one = mixed[i]!;
    const change = (choice: number, sign: number): void => {
      usage.tokens += sign * one.tokens[choice]!;
      usage.value += sign * one.values[choice]!;
      for (let cap = 0; cap < usage.caps.length; cap++) usage.caps[cap]! += sign * one.demands[choice]![cap]!;
    };
    change(selection.mixed[i]!, -1);
    let best = selection.mixed[i]!;
    for (let choice = 0; choice < one.ids.length; choice++) {
      if (worthOf(i, choice) <= worthOf(i, best)) continue;
      change(choice, 1);
      if (isWithin(problem, usage)) best = choice;
      change(choice, -1);
    }
    change(best, 1);
    selection.mixed[i] = best;
  }
}

/** The ids of what is taken, empty choices among them. */
export function idsOf({ blocks, mixed }: CappedProblem, { picks, mixed: chosen }: Selection): number[] {
  return [
    ...blocks.flatMap(({ classes }, b) => Array.from(picks[b]!, (choice) => classes.ids[choice]!)),
    ...mixed.map(({ ids }, i) => ids[chosen[i]!]!),
  ];
}
