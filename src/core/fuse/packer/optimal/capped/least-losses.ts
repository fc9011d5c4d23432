/** The partial sets of some open classes that lose least at the prices. */
import { keyAtRank } from "../select.js";
import { reachesOf } from "./arrange.js";
import type { OpenLevel } from "./open-core.js";

/** Partial sets in columns, in what they differ from the best choices of all their classes. */
export interface LeastLosses {
  readonly count: number;
  readonly losses: Float64Array;
  readonly values: Float64Array;
  /** By set and limit. */
  readonly amounts: Float64Array;
  readonly steps: number;
  /** By level: the option. */
  optionsOf(set: number): Int32Array;
}

export interface LossLimits {
  readonly prices: Float64Array;
  /** What all classes leave of each limit at their best choices; below 0 where that is too little. */
  readonly rooms: Float64Array;
  /** By limit: true where no other classes than these take something of it. What is left of it is lost too, at its price. */
  readonly isOwn: readonly boolean[];
  /** What a set may lose. */
  readonly gap: number;
  readonly most: number;
}

interface Sets {
  losses: Float64Array;
  values: Float64Array;
  amounts: Float64Array;
}

interface Column {
  readonly level: number;
  readonly parents: Int32Array;
  readonly options: Int32Array;
}

/** Lists the so many sets that lose least, less than a gap in all. O(levels x sets) in steps. */
export function leastLosses(levels: readonly OpenLevel[], limits: LossLimits): LeastLosses {
  const { prices, rooms, isOwn, gap, most } = limits;
  const width = rooms.length;
  const closes = reachesOf(levels, width).map((reach, limit) => (isOwn[limit] ? reach : -1));
  let sets: Sets = { losses: new Float64Array(1), values: new Float64Array(1), amounts: new Float64Array(width) };
  const columns: Column[] = [];
  let steps = 0;
  // Entries in the order of their losses would lose less time; but most levels change little.
  let worst = 0;
  for (let level = 0; level <= levels.length; level++) {
    for (let limit = 0; limit < width; limit++) {
      if (closes[limit] !== level) continue;
      const column = close(sets, { limit, level, width, rooms, prices, gap });
      steps += sets.losses.length;
      sets = column.sets;
      columns.push(column);
      worst = sets.losses.reduce((a, b) => Math.max(a, b), 0);
    }
    if (level === levels.length || sets.losses.length === 0) break;
    const isFull = sets.losses.length >= most;
    const own = optionsBelow(levels[level]!, prices, isFull ? Math.min(gap, worst) : gap);
    if (own.length === 1) continue;
    const column = extend(sets, own, { level, width, most, gap });
    steps += sets.losses.length * own.length;
    sets = column.sets;
    columns.push(column);
    worst = column.worst;
  }
  return {
    count: sets.losses.length,
    ...sets,
    steps,
    optionsOf: (set) => {
      const options = Int32Array.from(levels, ({ best }) => best);
      let at = set;
      for (const { level, parents, options: chosen } of columns.toReversed()) {
        if (level < levels.length && chosen.length > 0) options[level] = chosen[at]!;
        at = parents[at]!;
      }
      return options;
    },
  };
}

/** An option of a level, in what it differs from the best. */
interface Change {
  readonly option: number;
  readonly loss: number;
  readonly value: number;
  readonly amounts: Float64Array;
}

/** The best option, and those that lose less than a limit. */
function optionsBelow({ values, amounts, best }: OpenLevel, prices: Float64Array, limit: number): Change[] {
  const width = prices.length;
  const changes: Change[] = [];
  values.forEach((value, option) => {
    const own = Float64Array.from(prices, (_, at) => amounts[option * width + at]! - amounts[best * width + at]!);
    const charge = own.reduce((sum, amount, at) => sum + amount * prices[at]!, 0);
    const loss = option === best ? 0 : Math.max(0, values[best]! - value + charge);
    if (option === best || loss < limit) changes.push({ option, loss, value: value - values[best]!, amounts: own });
  });
  return changes;
}

function extend(
  { losses, values, amounts }: Sets,
  changes: readonly Change[],
  { level, width, most, gap }: { level: number; width: number; most: number; gap: number },
): Column & { readonly sets: Sets; readonly worst: number } {
  const count = losses.length;
  const sums = new Float64Array(count * changes.length);
  let end = 0;
  for (const { loss } of changes) {
    for (let i = 0; i < count; i++) if (losses[i]! + loss < gap) sums[end++] = losses[i]! + loss;
  }
  const worst = end <= most ? gap : keyAtRank(sums.slice(0, end), most - 1);
  const size = Math.min(end, most);
  const next = {
    losses: new Float64Array(size),
    values: new Float64Array(size),
    amounts: new Float64Array(size * width),
  };
  const parents = new Int32Array(size);
  const options = new Int32Array(size);
  let kept = 0;
  for (const change of changes) {
    for (let i = 0; i < count && kept < size; i++) {
      const loss = losses[i]! + change.loss;
      if (loss > worst || loss >= gap) continue;
      next.losses[kept] = loss;
      next.values[kept] = values[i]! + change.value;
      for (let limit = 0; limit < width; limit++) {
        next.amounts[kept * width + limit] = amounts[i * width + limit]! + change.amounts[limit]!;
      }
      parents[kept] = i;
      options[kept++] = change.option;
    }
  }
  return { sets: next, level, parents, options, worst };
}

/** Takes out what breaks a limit of which nothing more is taken, and charges the others for what they leave of it. */
function close(
  { losses, values, amounts }: Sets,
  {
    limit,
    level,
    width,
    rooms,
    prices,
    gap,
  }: { limit: number; level: number; width: number; rooms: Float64Array; prices: Float64Array; gap: number },
): Column & { readonly sets: Sets } {
  const kept: number[] = [];
  const lossOf = (i: number): number => losses[i]! + prices[limit]! * (rooms[limit]! - amounts[i * width + limit]!);
  for (let i = 0; i < losses.length; i++)
    if (amounts[i * width + limit]! <= rooms[limit]! && lossOf(i) < gap) kept.push(i);
  const sets = {
    losses: Float64Array.from(kept, lossOf),
    values: Float64Array.from(kept, (i) => values[i]!),
    amounts: new Float64Array(kept.length * width),
  };
  kept.forEach((i, at) => {
    sets.amounts.set(amounts.subarray(i * width, (i + 1) * width), at * width);
  });
  return { sets, level, parents: Int32Array.from(kept), options: new Int32Array(0) };
}
