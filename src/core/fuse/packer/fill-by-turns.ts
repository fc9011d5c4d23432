import type { Fragment } from "../../model/fragment.js";
import type { PackingInput } from "../packing.js";
import type { Candidates } from "./candidates.js";
import { type Ledger, openLedger, openPass } from "./fill.js";
import { fillFloors } from "./floors.js";

/** Fills so many tokens in the order of the turns: of each the first choice that fits; a turn of which none does is skipped. */
export function fillByTurns(input: PackingInput, candidates: Candidates, tokens: number): Ledger {
  const ledger = openWithFloors(input, candidates, tokens);
  const { turns, numbers } = candidates;
  const enters = choiceEnters(ledger, numbers);
  for (let turn = 0; turn < turns.length; turn++) turns[turn]!.choices.some(enters);
  return ledger;
}

/** The same filling with tokens for everything. */
export function fillWithPlenty(input: PackingInput, candidates: Candidates): Ledger {
  return fillByTurns({ ...input, sections: input.sections?.atPlenty }, candidates, Number.MAX_SAFE_INTEGER);
}

/** Opens a ledger of so many tokens in which the floors of the sections are filled. */
export function openWithFloors(input: PackingInput, { below }: Candidates, tokens: number): Ledger {
  const ledger: Ledger = { ...openLedger(input), below };
  ledger.tokens = tokens;
  fillFloors(ledger, (fragment) => below.has(fragment));
  return ledger;
}

/** Lets choices in where they fit, each for the first strategy that nominated it. */
export function choiceEnters(ledger: Ledger, numbers: Uint8Array): (choice: Fragment) => boolean {
  const passes = ledger.input.nominations.map((_, k) => openPass(ledger, k + 1));
  return ({ inputIndex }) => passes[numbers[inputIndex]! - 1]!.enter(inputIndex);
}
