/** The classes that prices leave open: those of which more than one choice loses so little that a better set may hold it. */
import { arrange, reachesOf, startsOf, type Unit } from "./arrange.js";
import type { Known } from "./known.js";
import { gainOf, type Priced } from "./priced.js";
import type { CappedProblem } from "./problem.js";
import type { Selection } from "./selection.js";
import type { Moves } from "./turn-chain.js";
import { turnLevels } from "./turn-levels.js";

/** A turn of a network among those that are left. */
export interface OpenTurn extends Moves {
  /** The situation before it in the best set. */
  readonly bestBefore: number;
}

/** An open class, and those of its choices that are left; or a turn of a network, and those of its options. */
export interface OpenLevel {
  readonly place: number;
  readonly ids: Int32Array;
  readonly values: Float64Array;
  /** By option and limit: tokens, then what is taken of each cap. */
  readonly amounts: Float64Array;
  /** By limit: 1 where some option takes something of it. */
  readonly touched: Uint8Array;
  /** Which of them gains most at the prices. */
  readonly best: number;
  /** What the second best loses. */
  readonly second: number;
  /** Absent: it is a class, whose options are free. */
  readonly turn?: OpenTurn;
  choose(selection: Selection, option: number): void;
}

export interface OpenCore {
  /** Those of a network one after the other. */
  readonly levels: readonly OpenLevel[];
  readonly parts: Int32Array;
  /** By limit: how many first levels it takes until no further one takes something of it. */
  readonly reaches: Int32Array;
  /** By limit: the first level that takes something of it; that after the last where none does. */
  readonly starts: Int32Array;
  /** What is left of each limit, and the value, with all other classes at their best choice, and these at nothing. */
  readonly rooms: Float64Array;
  readonly value: number;
  /** No set in which one of the other classes stands elsewhere has a greater value. */
  readonly outerBound: number;
  /** All classes at their best choice. */
  readonly selection: Selection;
}

/** So many classes are looked at between two turns of others. */
const CLASSES_PER_SLICE = 2_000;

/**
 * Opens the classes of which a choice other than the best loses no more than the gap, of each part the nearest. Yields between parts of a
 * few milliseconds.
 */
export function* openCore(
  { problem, priced, peak }: Pick<Known, "problem" | "priced" | "peak">,
  { gap, most }: { gap: number; most: number },
): Generator<void, OpenCore> {
  const all: OpenLevel[] = [];
  let looked = 0;
  for (const levels of [blockLevels(problem, priced, gap), mixedLevels(problem, priced, gap)]) {
    for (const level of levels) {
      if (level !== undefined) all.push(level);
      if (looked++ % CLASSES_PER_SLICE === CLASSES_PER_SLICE - 1) yield;
    }
  }
  all.sort((a, b) => a.second - b.second || problem.order.comparePlaces(a.place, b.place));
  yield;
  const width = 1 + problem.rooms.length;
  const turns = yield* turnLevels(problem, priced, gap);
  const networks = turns.map(networkUnit);
  const units = all.map((level): Unit => ({ levels: [level], touched: level.touched, second: level.second }));
  const { levels, parts, outer } = arrange([...networks, ...units], width, most);
  const { selection, usage } = peak;
  const left = problem.rooms.map((room, cap) => room - usage.caps[cap]!);
  const rooms = Float64Array.of(problem.capacity - usage.tokens, ...left);
  let { value } = usage;
  for (const { values, amounts, best } of levels) {
    value -= values[best]!;
    for (let limit = 0; limit < width; limit++) rooms[limit]! += amounts[best * width + limit]!;
  }
  const outerBound = Math.floor((priced.bound - Math.min(outer, gap + 1)) / priced.scale);
  const reaches = reachesOf(levels, width);
  return { levels, parts, reaches, starts: startsOf(levels, width), rooms, value, outerBound, selection };
}

/** The levels of a network as one unit, which stands before the classes of its part. */
function networkUnit(levels: readonly OpenLevel[]): Unit {
  const touched = levels[0]!.touched.map((_, limit) => Number(levels.some((level) => level.touched[limit] === 1)));
  return { levels, touched, second: 0 };
}

/** By class: its level, or nothing where it is closed. */
function* blockLevels({ blocks, rooms }: CappedProblem, priced: Priced, gap: number): Generator<OpenLevel | undefined> {
  const width = 1 + rooms.length;
  for (const [b, { classes, caps, order }] of blocks.entries()) {
    const { price, peaks, best } = priced.blocks[b]!;
    const { starts, tokens, values, ids } = classes;
    const touched = new Uint8Array(width);
    touched[0] = 1;
    for (const cap of caps) touched[1 + cap] = 1;
    for (let c = 0; c < classes.count; c++) {
      const own = { start: starts[c]!, end: starts[c + 1]!, best: best[c]! };
      const found = leftOf(own, gap, (choice) => peaks[c]! - values[choice]! * priced.scale + price * tokens[choice]!);
      if (found === undefined) {
        yield;
        continue;
      }
      const { left, second } = found;
      const amounts = new Float64Array(left.length * width);
      left.forEach((choice, option) => {
        for (let limit = 0; limit < width; limit++) {
          amounts[option * width + limit] = touched[limit]! * tokens[choice]!;
        }
      });
      yield {
        place: order.placeOf(c),
        ...optionsOf(left, own.best, { ids, values }),
        amounts,
        touched,
        second,
        choose: ({ picks }, option) => {
          picks[b]![c] = left[option]!;
        },
      };
    }
  }
}

function* mixedLevels({ mixed, rooms }: CappedProblem, priced: Priced, gap: number): Generator<OpenLevel | undefined> {
  const width = 1 + rooms.length;
  for (const [i, one] of mixed.entries()) {
    const own = { start: 0, end: one.ids.length, best: priced.mixedBest[i]! };
    const found = leftOf(own, gap, (choice) => priced.mixedPeaks[i]! - gainOf(one, choice, priced));
    if (found === undefined) {
      yield;
      continue;
    }
    const { left, second } = found;
    const amounts = new Float64Array(left.length * width);
    left.forEach((choice, option) => {
      amounts[option * width] = one.tokens[choice]!;
      amounts.set(one.demands[choice]!, option * width + 1);
    });
    const touched = new Uint8Array(width);
    amounts.forEach((amount, at) => {
      if (amount > 0) touched[at % width] = 1;
    });
    yield {
      place: one.place,
      ...optionsOf(left, own.best, one),
      amounts,
      touched,
      second,
      choose: ({ mixed: chosen }, option) => {
        chosen[i] = left[option]!;
      },
    };
  }
}

/** The choices that are left of a class as the options of a level. */
function optionsOf(
  left: readonly number[],
  best: number,
  { ids, values }: { readonly ids: Int32Array; readonly values: Float64Array },
): Pick<OpenLevel, "ids" | "values" | "best"> {
  return {
    ids: Int32Array.from(left, (choice) => ids[choice]!),
    values: Float64Array.from(left, (choice) => values[choice]!),
    best: left.indexOf(best),
  };
}

/** The choices of a class that lose no more than the gap; nothing where that is the best alone. */
function leftOf(
  { start, end, best }: { start: number; end: number; best: number },
  gap: number,
  lossOf: (choice: number) => number,
): { left: number[]; second: number } | undefined {
  let left: number[] | undefined;
  let second = Number.POSITIVE_INFINITY;
  for (let choice = start; choice < end; choice++) {
    if (choice === best) {
      left?.push(choice);
      continue;
    }
    const loss = lossOf(choice);
    if (loss > gap) continue;
    second = Math.min(second, loss);
    left ??= best < choice ? [best] : [];
    left.push(choice);
  }
  return left && { left, second };
}
