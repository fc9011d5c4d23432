/**
 * Solves a knapsack with caps in which networks are. Sets of theirs that are good at some prices become the choices of classes, which
 * gives a good set of all. Where there are not too many turns, these are then decided one after the other beside the classes, with lists
 * of partial sets kept apart by situation; what such lists cannot decide is searched among the known sets again.
 */
import type { Effort } from "../solve.js";
import type { Steps } from "./block-list.js";
import { Known } from "./known.js";
import { NetworkSets } from "./network-sets.js";
import { movesOf, withTurns } from "./network-turns.js";
import { type Priced, priceOut } from "./priced.js";
import { PriceSearch } from "./prices.js";
import type { CappedProblem } from "./problem.js";
import { searchTurns } from "./search-open.js";
import { idsOf, type Selection } from "./selection.js";
import { lowerBound, type Settled, settleNetworks } from "./settle-networks.js";
import { approach, type CappedSolution, findPrices, solveClasses } from "./solve-classes.js";

/** What is known about the networks, and the sets of theirs that are. */
type WithSets = Settled & { readonly sets: NetworkSets };

/** How often networks are searched among the sets that are known, and those that are a step from the best become known too. */
const NEIGHBOUR_ROUNDS = 2;

/** The part of the steps for lists of partial sets, and of the others for the bound at the best prices. */
const LISTS_SHARE = 4 / 5;
const LAST_SHARE = 1 / 4;

/** Among more classes and turns, and more moves, the bound of the prices is near enough. */
const MOST_LEVELS = 600;
const MOST_MOVES = 250_000;

export function* solveBesideNetworks(problem: CappedProblem, effort: Effort): Generator<void, CappedSolution> {
  const sets = new NetworkSets(problem);
  const settled = { ...(yield* settleNetworks(problem, sets)), sets };
  const whole = effort.steps > 0 && isSmall(problem) ? yield* priceWhole(problem, settled) : undefined;
  const start = yield* searchNeighbours(problem, settled);
  const steps: Steps = { left: effort.steps, isLate: effort.isLate };
  const lists = whole === undefined ? undefined : yield* searchLists(whole, { settled, start }, steps);
  if (lists?.isFirst || lists?.isProven) {
    return { picks: idsOf(lists.problem, lists.selection), bound: lists.bound, steps: effort.steps - steps.left };
  }
  let { bound } = settled;
  const forLast = Math.floor(steps.left * LAST_SHARE);
  if (forLast > 0) {
    const last = yield* lowerBound(problem, settled, { ...effort, steps: forLast });
    steps.left -= last.steps;
    bound = last.bound;
  }
  if (lists !== undefined) yield* addTurns(problem, settled, { options: lists.selection.turns, isNear: true });
  const known = yield* searchKnown(problem, settled, { ...effort, steps: Math.max(0, steps.left) });
  const spent = effort.steps - steps.left + known.steps;
  if (lists === undefined) return { picks: known.picks, bound: Math.floor(bound), steps: spent };
  const isBetter = known.value > lists.usage.value;
  const value = Math.max(known.value, lists.usage.value);
  return {
    picks: isBetter ? known.picks : idsOf(lists.problem, lists.selection),
    bound: Math.max(value, Math.min(lists.bound, Math.floor(bound))),
    steps: spent,
  };
}

/** Makes sets of the networks known, given by the option of every turn; with `isNear` what is a step from them too. */
function* addTurns(
  { networks }: CappedProblem,
  { sets }: WithSets,
  { options, isNear }: TurnSet,
): Generator<void, void> {
  let first = 0;
  for (const [network, { turns }] of networks.entries()) {
    const own = options.slice(first, first + turns.length);
    first += turns.length;
    sets.add(network, own);
    if (isNear) yield* sets.addNeighbours(network, own);
  }
}

interface TurnSet {
  readonly options: Int32Array;
  readonly isNear: boolean;
}

/** Searches among the known sets and what is a step from the best of them; answers the best. */
function* searchNeighbours(problem: CappedProblem, { sets }: WithSets): Generator<void, Selection> {
  let start: Selection | undefined;
  for (let round = 0; round < NEIGHBOUR_ROUNDS; round++) {
    const near = sets.asClasses();
    yield;
    const { priced } = yield* findPrices(near.problem);
    const { known } = yield* approach(near.problem, priced, { steps: 0 });
    const turns: number[] = [];
    for (const id of idsOf(near.problem, known.selection)) {
      const found = near.optionsOf(id);
      if (found === undefined) continue;
      yield* sets.addNeighbours(found.network, found.options);
      turns.push(...found.options);
    }
    const { picks, mixed } = known.selection;
    start = { picks, mixed: mixed.slice(0, problem.mixed.length), turns: Int32Array.from(turns) };
    yield;
  }
  return start!;
}

function isSmall(problem: CappedProblem): boolean {
  const { blocks, mixed, networks } = problem;
  if (networks.some(({ web }) => web !== undefined)) return false;
  const turns = networks.reduce((sum, network) => sum + network.turns.length, 0);
  const classes = blocks.reduce((sum, block) => sum + block.classes.count, mixed.length);
  return turns + classes <= MOST_LEVELS && movesOf(problem) <= MOST_MOVES;
}

/** The problem with its networks laid out, priced; the sets of networks that are the best at prices on the way become known. */
function* priceWhole(problem: CappedProblem, settled: WithSets): Generator<void, Whole> {
  const laid = yield* withTurns(problem);
  const search = yield* PriceSearch.open(laid);
  yield;
  const prices = yield* search.tighten(settled.loose);
  for (const options of search.turnSets) yield* addTurns(problem, settled, { options, isNear: false });
  yield;
  return { laid, priced: yield* priceOut(laid, prices) };
}

interface Whole {
  readonly laid: CappedProblem;
  readonly priced: Priced;
}

/** Searches with lists of partial sets. */
function* searchLists(
  { laid, priced }: Whole,
  { settled, start }: { settled: WithSets; start: Selection },
  steps: Steps,
): Generator<void, Known> {
  const known = new Known(laid, priced, start);
  known.lower(Math.floor(settled.bound));
  const share = Math.floor(steps.left * LISTS_SHARE);
  const own: Steps = { left: share, isLate: steps.isLate };
  yield;
  yield* searchTurns(known, own);
  // The last list may take more than is left.
  steps.left = Math.max(0, steps.left - share + own.left);
  return known;
}

/** Searches among the sets of networks that are known. */
function* searchKnown(
  problem: CappedProblem,
  { sets }: WithSets,
  effort: Effort,
): Generator<void, { readonly picks: readonly number[]; readonly value: number; readonly steps: number }> {
  const { networks } = problem;
  const whole = sets.asClasses();
  const { picks, value, steps } = yield* solveClasses(whole.problem, undefined, effort);
  const ids = picks.flatMap((id) => {
    const found = whole.optionsOf(id);
    if (found === undefined) return [id];
    return networks[found.network]!.turns.map((turn, at) => turn.ids[found.options[at]!]!);
  });
  return { picks: ids, value, steps };
}
