import type { PipelineOptions } from "../../model/pipeline-spec.js";
import { runInSlices, type Slices } from "../../run-in-slices.js";
import type { Packer } from "../../stages.js";
import { wasCut } from "../closure-walk.js";
import type { Packing, PackingInput } from "../packing.js";
import { listCandidates, type Thresholds } from "./candidates.js";
import { explainDrops } from "./explain-drops.js";
import { fillByTurns, fillWithPlenty, refilling } from "./fill-by-turns.js";
import { turnShortfalls } from "./shortfall.js";

/**
 * The highest score first; what does not fit is skipped, but a key whose deepest variant is too large is tried at once with the next
 * shallower one, at that rank, down to the shallowest.
 */
export function createGreedyKnapsack(options: PipelineOptions): Packer {
  const thresholds = { ...options, minTokens: options.minFragmentTokens ?? 10 };
  return { pack: (input, run) => runInSlices(pack(input, thresholds), run) };
}

function* pack(input: PackingInput, thresholds: Thresholds): Slices<Packing> {
  const candidates = yield* listCandidates(input, thresholds);
  const { turns, below } = candidates;
  const ledger = yield* fillByTurns(input, candidates, { tokens: input.tokens });
  const unreachable = yield* explainDrops(input, ledger, fillWithPlenty(input, candidates), below);
  const filling = { input, ledger, unreachable, below, refill: refilling(input, candidates) };
  return {
    chosenBy: ledger.chosenBy,
    required: ledger.required,
    unreachable,
    objective: thresholds,
    isCut: wasCut(ledger.steps),
    shortfalls: () => turnShortfalls(filling, turns),
  };
}
