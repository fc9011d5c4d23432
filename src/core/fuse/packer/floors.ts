import type { Fragment } from "../../model/fragment.js";
import type { PlacedNomination } from "../../model/nomination.js";
import type { Slices } from "../../run-in-slices.js";
import { Slice } from "../../slice.js";
import type { PackingInput } from "../packing.js";
import { deepestOf } from "./candidates.js";
import { fill, type Ledger } from "./fill.js";

/**
 * Fills the floors of the sections, in the order in which they are listed: each strategy in turn, in its own order, with units that lie
 * wholly in the section, in their deepest variants. What a section holds already counts for its floor. `isBarred` says what thresholds
 * keep from having a turn. O(sections x fragments).
 */
export function* fillFloors(ledger: Ledger, isBarred: (fragment: Fragment) => boolean = () => false): Slices<void> {
  const { input, tally } = ledger;
  if (tally === undefined) return;
  const { list, floors } = input.sections!;
  const slice = new Slice();
  for (const [number, { holds }] of list.entries()) {
    const room = Math.min(floors[number]! - tally.tokens[number]!, ledger.tokens);
    if (room <= 0) continue;
    const out = input.out.slice();
    for (const fragment of input.fragments) {
      const mayFill = holds(fragment) && !isBarred(fragment) && deepestOf(fragment, input) === fragment;
      if (!mayFill) out[fragment.inputIndex] = 1;
      if (slice.isOver()) yield;
    }
    // The same books with other tokens, in which everything else is out of the running.
    const within: Ledger = { ...ledger, tokens: room, input: { ...input, out } };
    for (const [k, nomination] of input.nominations.entries()) {
      const open = restrictNomination(nomination, (i) => out[i] === 0);
      yield;
      yield* fill(open, k + 1, within);
    }
    ledger.tokens -= room - within.tokens;
  }
}

/** A nomination without the input positions that do not stay; the order of the others is kept. */
export function restrictNomination(
  nomination: PlacedNomination,
  stays: (inputIndex: number) => boolean,
): PlacedNomination {
  const { positions, scores, suffixFrom } = nomination;
  return {
    ...nomination,
    positions: positions.filter((i) => stays(i)),
    scores: Float64Array.from(scores).filter((_, rank) => stays(positions[rank]!)),
    ...(suffixFrom !== undefined && { suffixFrom: positions.subarray(0, suffixFrom).filter((i) => stays(i)).length }),
  };
}

/** The input after the floors: what filled them is committed, and the rest of the tokens is left. */
export function withFloors(input: PackingInput, { chosenBy, tokens }: Ledger): PackingInput {
  return {
    ...input,
    committed: new Set(input.fragments.filter(({ inputIndex }) => chosenBy[inputIndex] !== 0)),
    tokens,
  };
}
