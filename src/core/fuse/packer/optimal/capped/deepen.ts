/**
 * The exact search among caps where every class is in a block. A set's value is the bound less what it loses at the prices: what its choices gain less than the best of
 * their classes, and what it leaves of the budget and the caps at their prices. So all sets that lose little are looked at, then all that
 * lose twice as much, until one is found, which is the best; or the steps are spent, and no set has a value that was looked for in vain.
 */
import { type BlockList, listBlock, type Steps } from "./block-list.js";
import { combine } from "./combine.js";
import type { Priced } from "./priced.js";
import type { CappedProblem } from "./problem.js";
import type { Selection } from "./selection.js";

export interface Deepened {
  /** The best set that was found, of its equals the first; absent where none was. */
  readonly selection: Selection | undefined;
  /** True where it is the best of all, and the first among its equals. */
  readonly isBest: boolean;
  /** No set has a greater value. */
  readonly bound: number;
}

/** Passes from the first to the whole distance between the bound and the best known. */
const FIRST_SHARE = 1 / 64;

/** Looks for sets that are better than one of a value, or that equal it and stand earlier. */
export function* deepen(
  problem: CappedProblem,
  priced: Priced,
  { value, steps }: { value: number; steps: Steps },
): Generator<void, Deepened> {
  const gap = priced.bound - value * priced.scale;
  let known = priced.bound;
  for (let threshold = Math.max(1, Math.ceil(gap * FIRST_SHARE)); ; threshold = Math.min(threshold * 2, gap)) {
    const pass = yield* look(problem, priced, { threshold: Math.min(threshold, gap), steps });
    const bound = pass.isComplete && pass.value === undefined ? priced.bound - threshold - 1 : known;
    if (pass.value !== undefined || !pass.isComplete || threshold >= gap) {
      const isBest = pass.isComplete && pass.value !== undefined;
      const proven = isBest ? Math.min(known, pass.value!) : bound;
      return { selection: pass.selection, isBest, bound: Math.floor(proven / priced.scale) };
    }
    known = bound;
  }
}

interface Look {
  readonly selection: Selection | undefined;
  /** Times the scale; absent where no set loses so little. */
  readonly value: number | undefined;
  readonly isComplete: boolean;
}

const CUT: Look = { selection: undefined, value: undefined, isComplete: false };

function* look(
  problem: CappedProblem,
  priced: Priced,
  { threshold, steps }: { threshold: number; steps: Steps },
): Generator<void, Look> {
  const blocks: BlockList[] = [];
  for (const b of problem.blocks.keys()) {
    const list = yield* listBlock(problem, priced, { b, threshold, steps });
    if (list === undefined) return CUT;
    blocks.push(list);
  }
  const lists = { blocks, threshold };
  const { best, isComplete } = yield* combine(problem, priced, { lists, steps });
  // What loses more than the threshold may be found too, but then there may be better ones that were not looked at.
  if (best === undefined || (isComplete && best.value < priced.bound - threshold)) {
    return { selection: undefined, value: undefined, isComplete };
  }
  const picks = blocks.map((list, b) => list.picksOf(best.entries[b]!));
  return { selection: { picks, mixed: new Int32Array(0), turns: new Int32Array(0) }, value: best.value, isComplete };
}
