/** Improves a selection block by block: all else stays, and the block is solved as a knapsack of its own in the room that is left to it. */
import { type Classes, createClassBuilder } from "../classes.js";
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
    yield;
    takeMixed(problem, selection, { ranks, worthOf: (i, choice) => mixed[i]!.values[choice]! });
    if (usageOf(problem, selection).value === before) break;
  }
  return steps;
}

/**
 * Solves some blocks together, with the mixed classes that stand at a choice of theirs or at nothing; what comes out is taken where it is
 * no worse and breaks no cap.
 */
function* improveBlocks(
  problem: CappedProblem,
  group: readonly number[],
  { selection, effort }: { selection: Selection; effort: Effort },
): Generator<void, number> {
  const { blocks, mixed, rooms } = problem;
  const usage = usageOf(problem, selection);
  const movable = Array.from(mixed.keys()).filter((i) => {
    const at = selection.mixed[i]!;
    const isThere = mixed[i]!.tokens[at] === 0 || group.includes(mixed[i]!.blocks[at]!);
    return isThere && mixed[i]!.blocks.some((b) => group.includes(b));
  });
  const own = ownSums(problem, selection, { group, movable });
  let capacity = problem.capacity - usage.tokens + own.tokens;
  if (group.length === 1) {
    for (const cap of blocks[group[0]!]!.caps)
      capacity = Math.min(capacity, rooms[cap]! - usage.caps[cap]! + own.tokens);
  }
  const parts: Pick<Block, "classes" | "order">[] = group.map((b) => blocks[b]!);
  if (movable.length > 0) parts.push(movableClasses(problem, movable, group));
  const { classes, order } = parts.length === 1 ? parts[0]! : joined(parts);
  const found = yield* solve({ classes, networks: [], capacity, order }, effort);
  if (found.value < own.value || (found.value === own.value && found.tokens > own.tokens)) return found.steps;
  const next = { picks: selection.picks.slice(), mixed: selection.mixed.slice() };
  let first = 0;
  for (const b of group) {
    const { count } = blocks[b]!.classes;
    next.picks[b] = rowsOf(blocks[b]!.classes, found.picks.slice(first, first + count));
    first += count;
  }
  for (const i of movable) next.mixed[i] = mixed[i]!.ids.indexOf(found.picks[first++]!);
  if (isWithin(problem, usageOf(problem, next))) Object.assign(selection, next);
  return found.steps;
}

function ownSums(
  { blocks, mixed }: CappedProblem,
  selection: Selection,
  { group, movable }: { group: readonly number[]; movable: readonly number[] },
): { tokens: number; value: number } {
  const own = { tokens: 0, value: 0 };
  for (const b of group) {
    const { tokens, value } = sumsOf(blocks[b]!, selection.picks[b]!);
    own.tokens += tokens;
    own.value += value;
  }
  for (const i of movable) {
    own.tokens += mixed[i]!.tokens[selection.mixed[i]!]!;
    own.value += mixed[i]!.values[selection.mixed[i]!]!;
  }
  return own;
}

/** Mixed classes with the choices that they have among some blocks. */
function movableClasses(
  { mixed, order }: CappedProblem,
  movable: readonly number[],
  group: readonly number[],
): Pick<Block, "classes" | "order"> {
  const builder = createClassBuilder(movable.length, (id, than) => order.firstDifference(id, than).firstHolds);
  for (const i of movable) {
    const { tokens, values, ids, blocks } = mixed[i]!;
    ids.forEach((id, choice) => {
      if (tokens[choice] === 0 || group.includes(blocks[choice]!)) builder.add(tokens[choice]!, values[choice]!, id);
    });
    builder.close();
  }
  return { classes: builder.build(), order: { ...order, placeOf: (c) => mixed[movable[c]!]!.place } };
}

function joined(parts: readonly Pick<Block, "classes" | "order">[]): Pick<Block, "classes" | "order"> {
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
