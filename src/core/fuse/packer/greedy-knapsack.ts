import type { PipelineOptions } from "../../model/pipeline-spec.js";
import type { Packer } from "../../stages.js";
import { listCandidates } from "./candidates.js";
import { explainDrops } from "./explain-drops.js";
import type { Ledger } from "./fill.js";
import { fillByTurns, fillWithPlenty } from "./fill-by-turns.js";
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
      const ledger = fillByTurns(input, candidates, input.tokens);
      const refill = (tokens: number): Ledger => fillByTurns(input, candidates, tokens);
      const { below } = candidates;
      const unreachable = explainDrops(input, ledger, () => fillWithPlenty(input, candidates), below);
      return {
        chosenBy: ledger.chosenBy,
        required: ledger.required,
        unreachable,
        objective: thresholds,
        isCut: ledger.steps.left < 0,
        shortfalls: () => turnShortfalls({ input, ledger, unreachable, below, refill }, candidates.turns),
      };
    },
  };
}
