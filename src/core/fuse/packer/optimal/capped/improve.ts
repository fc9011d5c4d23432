/** Improves a selection block by block: all else stays, and the block is solved as a knapsack of its own in the room that is left to it. */
import type { Classes } from "../classes.js";
import { type Effort, solve } from "../solve.js";
import type { Priced } from "./priced.js";
import type { Block, CappedProblem } from "./problem.js";
import { isWithin, type Selection, sumsOf, takeMixed, usageOf } from "./selection.js";

/** How often all blocks are gone through, while one gains. */
const ROUNDS = 2;

/**
 * Improves a selection in place: the dearest blocks first, for their caps are what is scarce; then those without a price of their own
 * together, where none of their caps breaks; then mixed classes one by one. Answers the steps that were taken.
 */
export function* improve(
  problem: CappedProblem,
  priced: Priced,
  { selection, effort }: { selection: Selection; effort: Effort },
): Generator<void, number> {
  const { blocks, mixed } = problem;
  const dearest = Array.from(blocks.keys()).sort((a, b) => priced.blocks[b]!.price - priced.blocks[a]!.price || a - b);
  const free = dearest.filter((b) => priced.blocks[b]!.price === priced.token);
  const capped = dearest.filter((b) => priced.blocks[b]!.price > priced.token);
  const groups = [...capped.map((b) => [b]), ...(free.length > 1 ? [free] : []), ...free.map((b) => [b])];
  const ranks = Array.from(mixed.keys());
  let steps = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const before = usageOf(problem, selection).value;
    for (const group of groups) {
      steps += yield* improveBlocks(problem, group, { selection, effort });
      yield;
    }
    takeMixed(problem, selection, { ranks, worthOf: (i, choice) => mixed[i]!.values[choice]! });
    if (usageOf(problem, selection).value === before) break;
  }
  return steps;
}

/** Solves some blocks together; what comes out is taken where it is no worse and breaks no cap. */
function* improveBlocks(
  { blocks, mixed, ...problem }: CappedProblem,
  group: readonly number[],
  { selection, effort }: { selection: Selection; effort: Effort },
): Generator<void, number> {
  const picks = selection.picks as Int32Array[];
  const all = { blocks, mixed, ...problem };
  const usage = usageOf(all, selection);
  let own = { tokens: 0, value: 0 };
  for (const b of group) {
    const sums = sumsOf(blocks[b]!, picks[b]!);
    own = { tokens: own.tokens + sums.tokens, value: own.value + sums.value };
  }
  let capacity = problem.capacity - usage.tokens + own.tokens;
  if (group.length === 1) {
    for (const cap of blocks[group[0]!]!.caps)
      capacity = Math.min(capacity, problem.rooms[cap]! - usage.caps[cap]! + own.tokens);
  }
  const parts = group.map((b) => blocks[b]!);
  const { classes, order } = parts.length === 1 ? parts[0]! : joined(parts);
  const found = yield* solve({ classes, networks: [], capacity, order }, effort);
  if (found.value < own.value || (found.value === own.value && found.tokens > own.tokens)) return found.steps;
  const before = group.map((b) => picks[b]!);
  let first = 0;
  for (const b of group) {
    const { count } = blocks[b]!.classes;
    picks[b] = rowsOf(blocks[b]!.classes, found.picks.slice(first, first + count));
    first += count;
  }
  if (group.length > 1 && !isWithin(all, usageOf(all, selection))) {
    group.forEach((b, i) => {
      picks[b] = before[i]!;
    });
  }
  return found.steps;
}

function joined(parts: readonly Block[]): Pick<Block, "classes" | "order"> {
  const count = parts.reduce((sum, { classes }) => sum + classes.count, 0);
  const choices = parts.reduce((sum, { classes }) => sum + classes.ids.length, 0);
  const classes = {
    count,
    starts: new Int32Array(count + 1),
    tokens: new Float64Array(choices),
    values: new Float64Array(choices),
    ids: new Int32Array(choices),
  };
  const firsts: number[] = [];
  let row = 0;
  let first = 0;
  for (const part of parts) {
    firsts.push(first);
    classes.tokens.set(part.classes.tokens, row);
    classes.values.set(part.classes.values, row);
    classes.ids.set(part.classes.ids, row);
    for (let c = 0; c <= part.classes.count; c++) classes.starts[first + c] = row + part.classes.starts[c]!;
    row += part.classes.ids.length;
    first += part.classes.count;
  }
  const placeOf = (c: number): number => {
    let part = parts.length - 1;
    while (firsts[part]! > c) part--;
    return parts[part]!.order.placeOf(c - firsts[part]!);
  };
  return { classes, order: { ...parts[0]!.order, placeOf } };
}

/** The rows of the choices of all classes, by their ids. */
function rowsOf({ starts, ids }: Classes, picked: readonly number[]): Int32Array {
  return Int32Array.from(picked, (id, c) => {
    let row = starts[c]!;
    while (ids[row] !== id) row++;
    return row;
  });
}
