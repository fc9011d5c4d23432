/** All partial sets of a block that lose little at the prices. */
import { differenceBetween, type LevelIds } from "../equals.js";
import { mergeRows, Rows, States } from "../rows.js";
import type { Priced } from "./priced.js";
import type { CappedProblem } from "./problem.js";

/** The steps that may still be taken. */
export interface Steps {
  left: number;
  /** Raised at times; at the next turn the search looks whether it is late. */
  isLate?: (() => boolean) | undefined;
}

/** Which earliest place two sets differ in, -1 for none, and whether the first holds it. */
export interface Differing {
  readonly place: number;
  readonly firstHolds: boolean;
}

/** Sets of a block that do not dominate one another: fewest tokens first, values, times the scale, rising. */
export interface BlockList {
  readonly caps: readonly number[];
  readonly count: number;
  readonly tokens: Float64Array;
  readonly values: Float64Array;
  /** What each loses at the prices, with what it leaves of the caps that are its own. */
  readonly losses: Float64Array;
  /** The choice of every class, in the row of classes. */
  picksOf(entry: number): Int32Array;
  differenceBetween(a: number, b: number): Differing;
}

/** A class in which more than one choice is left, and those choices, in the row of classes. */
interface Level {
  readonly c: number;
  readonly choices: Int32Array;
  readonly ids: Int32Array;
  /** What the second best choice loses. */
  readonly second: number;
  /** The fewest tokens that the levels after this one take. */
  rest: number;
}

const STEPS_PER_SLICE = 20_000;

/**
 * Lists every set of a block that loses no more than the threshold and fits by itself; nothing where the steps are spent before the list
 * is complete. One choice left in a class is taken for good.
 */
export function* listBlock(
  problem: CappedProblem,
  priced: Priced,
  { b, threshold, steps }: { b: number; threshold: number; steps: Steps },
): Generator<void, BlockList | undefined> {
  const block = problem.blocks[b]!;
  const { price, peaks, best } = priced.blocks[b]!;
  const { classes, order } = block;
  const { levels, start } = openLevels(problem, priced, { b, threshold });
  const room = block.caps.reduce((least, cap) => Math.min(least, problem.rooms[cap]!), problem.capacity);
  const states = new States();
  let rows = new Rows();
  rows.push(start.tokens, start.value, -1, 0);
  let first = 0;
  let peakSum = start.peak;
  let next = steps.left - STEPS_PER_SLICE;
  for (let depth = 0; depth < levels.length; depth++) {
    const { c, choices, rest } = levels[depth]!;
    peakSum += peaks[c]!;
    let merged = new Rows();
    for (const choice of choices.keys()) {
      const stream = new Rows();
      const dt = classes.tokens[choices[choice]!]!;
      const dv = classes.values[choices[choice]!]! * priced.scale;
      for (let i = 0; i < rows.count; i++) {
        const tokens = rows.tokens[i]! + dt;
        const value = rows.values[i]! + dv;
        if (tokens + rest > room || peakSum - value + price * tokens > threshold) continue;
        stream.push(tokens, value, first + i, choice);
      }
      steps.left -= rows.count;
      const into = new Rows();
      mergeRows(merged, stream, into, (parentA, optionA, parentB, optionB) => {
        const last = [
          [parentA, optionA],
          [parentB, optionB],
        ] as const;
        const found = differenceBetween(last, depth, { states, levels, order });
        steps.left -= found.steps;
        return found.firstHolds;
      });
      merged = into;
    }
    rows = merged;
    first = states.add(rows);
    if (steps.left < 0) return undefined;
    if (steps.left > next) continue;
    next = steps.left - STEPS_PER_SLICE;
    if (steps.isLate?.()) return undefined;
    yield;
  }
  return asList({ problem, priced, b }, { rows, first, peakSum, levels, states, best });
}

function openLevels(
  { blocks }: CappedProblem,
  { blocks: pricedBlocks, scale }: Priced,
  { b, threshold }: { b: number; threshold: number },
): { levels: Level[]; start: { tokens: number; value: number; peak: number } } {
  const { classes, order } = blocks[b]!;
  const { price, peaks, best } = pricedBlocks[b]!;
  const { count, starts, tokens, values, ids } = classes;
  const levels: Level[] = [];
  const start = { tokens: 0, value: 0, peak: 0 };
  for (let c = 0; c < count; c++) {
    let left = 0;
    let second = Number.POSITIVE_INFINITY;
    for (let choice = starts[c]!; choice < starts[c + 1]!; choice++) {
      const loss = peaks[c]! - values[choice]! * scale + price * tokens[choice]!;
      if (loss > threshold) continue;
      left++;
      if (choice !== best[c]) second = Math.min(second, loss);
    }
    if (left === 1) {
      start.tokens += tokens[best[c]!]!;
      start.value += values[best[c]!]! * scale;
      start.peak += peaks[c]!;
      continue;
    }
    const choices = new Int32Array(left);
    for (let choice = starts[c]!, i = 0; choice < starts[c + 1]!; choice++) {
      if (peaks[c]! - values[choice]! * scale + price * tokens[choice]! <= threshold) choices[i++] = choice;
    }
    levels.push({ c, choices, ids: choices.map((choice) => ids[choice]!), second, rest: 0 });
  }
  levels.sort((x, y) => x.second - y.second || order.comparePlaces(order.placeOf(x.c), order.placeOf(y.c)));
  let rest = 0;
  for (let depth = levels.length - 1; depth >= 0; depth--) {
    levels[depth]!.rest = rest;
    rest += tokens[levels[depth]!.choices[0]!]!;
  }
  return { levels, start };
}

interface Listed {
  readonly rows: Rows;
  /** The state of the first entry. */
  readonly first: number;
  readonly peakSum: number;
  readonly levels: readonly Level[];
  readonly states: States;
  readonly best: Int32Array;
}

function asList(
  { problem, priced, b }: { problem: CappedProblem; priced: Priced; b: number },
  { rows, first, peakSum, levels, states, best }: Listed,
): BlockList {
  const { caps, order } = problem.blocks[b]!;
  const { price } = priced.blocks[b]!;
  const own = caps.filter((cap) => isOwn(cap, b, problem));
  const tokens = rows.tokens.slice(0, rows.count);
  const values = rows.values.slice(0, rows.count);
  const losses = tokens.map((taken, i) =>
    own.reduce(
      (loss, cap) => loss + priced.caps[cap]! * (problem.rooms[cap]! - taken),
      peakSum - values[i]! + price * taken,
    ),
  );
  const lastStep = (entry: number) => [states.parentOf(first + entry), states.optionOf(first + entry)] as const;
  const ids: LevelIds = levels;
  return {
    caps,
    count: rows.count,
    tokens,
    values,
    losses,
    picksOf: (entry) => {
      const picks = best.slice();
      let state = first + entry;
      for (let depth = levels.length - 1; depth >= 0; depth--) {
        picks[levels[depth]!.c] = levels[depth]!.choices[states.optionOf(state)]!;
        state = states.parentOf(state);
      }
      return picks;
    },
    differenceBetween: (x, y) =>
      x === y || levels.length === 0
        ? { place: -1, firstHolds: true }
        : differenceBetween([lastStep(x), lastStep(y)], levels.length - 1, { states, levels: ids, order }),
  };
}

/** True for a cap for which nothing but one block counts. */
function isOwn(cap: number, b: number, { blocks, mixed }: CappedProblem): boolean {
  return (
    blocks.every(({ caps }, other) => other === b || !caps.includes(cap)) &&
    mixed.every(({ demands }) => demands.every((demand) => demand[cap] === 0))
  );
}
