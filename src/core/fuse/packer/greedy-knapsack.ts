import type { Fragment } from "../../model/fragment.js";
import type { PipelineOptions } from "../../model/pipeline-spec.js";
import type { Packer } from "../../stages.js";
import type { PackingInput } from "../packing.js";
import { type Candidates, listCandidates } from "./candidates.js";
import { explainDrops } from "./explain-drops.js";
import { type Ledger, openLedger, openPass } from "./fill.js";
import { fillFloors } from "./floors.js";
import { turnShortfalls } from "./shortfall.js";

/**
 * The highest score first; what does not fit is skipped, but a key whose deepest variant is too large is tried at once with the next
 * shallower one, at that rank, down to the shallowest.
 */
export function createGreedyKnapsack(options: PipelineOptions): Packer {
  const thresholds = { ...options, minTokens: options.minFragmentTokens ?? 10 };
  return {
    pack: (input) => {
      const candidates = listCandidates(input, thresholds);
      const ledger = fillByScore(input, candidates, input.tokens);
      const refill = (tokens: number): Ledger => fillByScore(input, candidates, tokens);
      const plenty = { ...input, sections: input.sections?.atPlenty };
      const unreachable = explainDrops(input, ledger, () => fillByScore(plenty, candidates, Number.MAX_SAFE_INTEGER));
      for (const [fragment, reason] of candidates.below) {
        if (ledger.chosenBy[fragment.inputIndex] === 0) unreachable.set(fragment, reason);
      }
      return {
        chosenBy: ledger.chosenBy,
        required: ledger.required,
        unreachable,
        objective: thresholds,
        isCut: ledger.steps.left < 0,
        shortfalls: () => turnShortfalls({ input, ledger, unreachable, refill }, candidates.turns),
      };
    },
  };
}

function fillByScore(input: PackingInput, { turns, numbers, below }: Candidates, tokens: number): Ledger {
  const ledger = openLedger(input);
  ledger.tokens = tokens;
  fillFloors(ledger, (fragment) => below.has(fragment));
  const passes = input.nominations.map((_, k) => openPass(ledger, k + 1));
  const enters = ({ inputIndex }: Fragment): boolean => passes[numbers[inputIndex]! - 1]!.enter(inputIndex);
  for (let turn = 0; turn < turns.length; turn++) turns[turn]!.choices.some(enters);
  return ledger;
}
