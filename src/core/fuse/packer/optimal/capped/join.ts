/**
 * Finds a better set among all that are put together of two lists of partial sets, one of each: so many sets lie within the reach of two
 * short lists that nearly always one fits budget and caps almost without a rest.
 */
import { Grid } from "./grid.js";
import { type LeastLosses, leastLosses } from "./least-losses.js";
import type { OpenCore } from "./open-core.js";

export interface JoinSearch {
  readonly core: OpenCore;
  readonly prices: Float64Array;
  /** The value of the best set that is known, and the bound at the prices. */
  readonly value: number;
  readonly bound: number;
  /** The most sets of a list. */
  readonly most: number;
  /** True: every second class goes into the one list, also where the classes stand in parts. */
  readonly isDealt: boolean;
}

export interface Joined {
  /** By level: the option; absent where nothing better was found. */
  readonly options: Int32Array | undefined;
  readonly steps: number;
}

/** With fewer levels than this in one of the lists, levels are dealt to both in turn. */
const FEW_LEVELS = 8;

export function* joinHalves(search: JoinSearch): Generator<void, Joined> {
  const { core, prices, value, bound, most, isDealt } = search;
  const { levels } = core;
  const gap = bound - value;
  const firsts = isDealt ? Uint8Array.from(levels, (_, level) => (level >> 1) & 1) : splitAtPart(core.parts);
  const halves = [1, 0].map((half) => levels.filter((_, level) => firsts[level] === half));
  const { rooms, best: start } = atBest(core);
  const lists: LeastLosses[] = [];
  for (const [half, own] of halves.entries()) {
    const others = halves[1 - half]!;
    const isOwn = Array.from(rooms, (_, limit) => {
      const isTouched = others.some(({ touched }) => touched[limit] === 1);
      return !isTouched && (half === 0 || own.some(({ touched }) => touched[limit] === 1));
    });
    lists.push(leastLosses(own, { prices, rooms, isOwn, gap, most }));
    yield;
  }
  const [a, b] = lists as [LeastLosses, LeastLosses];
  const steps = a.steps + b.steps;
  if (a.count === 0 || b.count === 0) return { options: undefined, steps };
  const grid = new Grid(b, prices, gap);
  const found = bestPair(a, grid, { rooms, above: value - start, bound: bound - start });
  if (found === undefined) return { options: undefined, steps: steps + grid.steps };
  const chosen = [b.optionsOf(found[1]), a.optionsOf(found[0])];
  const at = [0, 0];
  const options = Int32Array.from(levels, (_, level) => chosen[firsts[level]!]![at[firsts[level]!]!++]!);
  return { options, steps: steps + grid.steps };
}

/** Values are those beyond the best choices of all classes. */
function bestPair(
  { count, losses, values, amounts }: LeastLosses,
  grid: Grid,
  { rooms, above, bound }: { rooms: Float64Array; above: number; bound: number },
): [number, number] | undefined {
  const width = rooms.length;
  const room = new Float64Array(width);
  let best = above;
  let found: [number, number] | undefined;
  for (let i = 0; i < count; i++) {
    if (losses[i]! >= bound - best || grid.isSpent) break;
    for (let limit = 0; limit < width; limit++) room[limit] = rooms[limit]! - amounts[i * width + limit]!;
    const partner = grid.best(room, best - values[i]!, bound - best - losses[i]!);
    if (partner < 0) continue;
    best = values[i]! + grid.list.values[partner]!;
    found = [i, partner];
  }
  return found;
}

/** What all classes leave of each limit at their best choices, and their value there. */
function atBest({ levels, rooms: given, value }: OpenCore): { rooms: Float64Array; best: number } {
  const rooms = given.slice();
  let sum = value;
  for (const { best, values, amounts } of levels) {
    sum += values[best]!;
    for (let limit = 0; limit < rooms.length; limit++) rooms[limit]! -= amounts[best * rooms.length + limit]!;
  }
  return { rooms, best: sum };
}

/** 1 for the levels up to the end of a part, at half of all or after; where few would be left, before; else for every second one. */
function splitAtPart(parts: Int32Array): Uint8Array {
  const { length } = parts;
  const isBorder = (level: number): boolean => level > 0 && level < length && parts[level] !== parts[level - 1];
  let border = length >> 1;
  while (border < length && !isBorder(border)) border++;
  if (length - border < FEW_LEVELS) for (border = length >> 1; border > 0 && !isBorder(border); ) border--;
  if (border < FEW_LEVELS || length - border < FEW_LEVELS) return everySecond(length);
  return new Uint8Array(length).fill(1, 0, border);
}

function everySecond(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, level) => 1 - (level & 1));
}
