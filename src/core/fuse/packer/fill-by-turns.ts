import type { Fragment } from "../../model/fragment.js";
import type { Slices } from "../../run-in-slices.js";
import { SLICE_STEPS, SLICE_WALKED } from "../../slice.js";
import type { WalkSteps } from "../closure-walk.js";
import { type PackingInput, withOtherTokens } from "../packing.js";
import type { Candidates, Turn } from "./candidates.js";
import { isFilled, type Ledger, openLedger, openPass } from "./fill.js";
import { fillFloors } from "./floors.js";

/** What a filling may spend, and what is asked of it. */
export type Goal = Pick<Ledger, "tokens" | "asked">;

/** Fills so many tokens in the order of the turns: of each the first choice that fits; a turn of which none does is skipped. */
export function* fillByTurns(input: PackingInput, candidates: Candidates, goal: Goal): Slices<Ledger> {
  const ledger = yield* openWithFloors(input, candidates, goal);
  yield* fillTurns(ledger, candidates);
  return ledger;
}

/** Fills in the same order again, with other tokens. */
export function refilling(input: PackingInput, candidates: Candidates): (goal: Goal) => Slices<Ledger> {
  return (goal) => fillByTurns(withOtherTokens(input, goal.tokens), candidates, goal);
}

/** Goes through the turns with an open ledger. */
export function* fillTurns(ledger: Ledger, { turns, numbers }: Candidates): Slices<void> {
  const enters = choiceEnters(ledger, numbers);
  for (let turn = 0; turn < turns.length && !isFilled(ledger); ) {
    turn = fillSlice(turns, turn, enters, ledger.steps);
    if (turn < turns.length) yield;
  }
}

function fillSlice(
  turns: readonly Turn[],
  from: number,
  enters: (choice: Fragment) => boolean,
  steps: WalkSteps,
): number {
  const end = Math.min(turns.length, from + SLICE_STEPS);
  const mostWalked = steps.walked + SLICE_WALKED;
  for (let turn = from; turn < end; turn++) {
    turns[turn]!.choices.some(enters);
    if (steps.walked > mostWalked) return turn + 1;
  }
  return end;
}

/** The same filling with tokens for everything. */
export function fillWithPlenty(input: PackingInput, candidates: Candidates): Slices<Ledger> {
  return fillByTurns({ ...input, sections: input.sections?.atPlenty }, candidates, {
    tokens: Number.MAX_SAFE_INTEGER,
  });
}

/** Opens a ledger of so many tokens in which the floors of the sections are filled. */
export function* openWithFloors(input: PackingInput, { below }: Candidates, goal: Goal): Slices<Ledger> {
  const ledger = openLedger(input, { ...goal, below });
  yield* fillFloors(ledger, (fragment) => below.has(fragment));
  return ledger;
}

/** Lets choices in where they fit, each for the first strategy that nominated it. */
export function choiceEnters(ledger: Ledger, numbers: Uint8Array): (choice: Fragment) => boolean {
  const passes = ledger.input.nominations.map((_, k) => openPass(ledger, k + 1));
  return ({ inputIndex }) => passes[numbers[inputIndex]! - 1]!.enter(inputIndex);
}
