import type { PipelineOptions } from "../../model/pipeline-spec.js";
import { runInSlices, type Slices } from "../../run-in-slices.js";
import type { Packer } from "../../stages.js";
import { wasCut } from "../closure-walk.js";
import type { Packing, PackingInput, Shortfalls } from "../packing.js";
import { listCandidates } from "./candidates.js";
import { fillByMargin } from "./diverse/fill-by-margin.js";
import { explainDrops } from "./explain-drops.js";
import { fillWithPlenty, refilling } from "./fill-by-turns.js";
import { turnShortfalls } from "./shortfall.js";

/** How much the score counts where a request does not say. */
const DEFAULT_LAMBDA = 0.7;

/** Steps of the comparisons where a request sets no limit: half a second for vectors, one to two for texts. */
const DEFAULT_STEP_LIMIT = 400_000_000;

/**
 * Maximal marginal relevance (Carbonell and Goldstein, "The use of MMR, diversity-based reranking for reordering documents and producing
 * summaries", 1998), against everything that is in, pins included: of the units that fit, the next is the one with the greatest
 * lambda x score - (1 - lambda) x similarity, of equal ones the first in the total order. A unit has the score that `greedy_knapsack` goes
 * by, and of the similarities of its members, which are its group or the variants of its key, the greatest; what it requires beyond them
 * does not count, since that may be in already. So at lambda 1 it packs as `greedy_knapsack` does without its minimum of ten tokens.
 */
export function createDiverse(options: PipelineOptions): Packer {
  return { pack: (input, run) => runInSlices(pack(input, options), run) };
}

const SEARCH_CUT =
  "the fragments are so many that not all were compared with what is in; of the rest some may be more alike than they need to be";

function* pack(input: PackingInput, options: PipelineOptions): Slices<Packing> {
  const { diversityLambda: lambda = DEFAULT_LAMBDA, packerStepLimit = DEFAULT_STEP_LIMIT } = options;
  const candidates = yield* listCandidates(input, { ...options, minTokens: 0 });
  const steps = { left: packerStepLimit };
  const { ledger, order } = yield* fillByMargin(input, candidates, { lambda, steps });
  // What would have come at another budget is not known; that the turns had come in the same order is the best guess at it.
  const inOrder = { ...candidates, turns: order };
  const { below } = candidates;
  const unreachable = yield* explainDrops(input, ledger, fillWithPlenty(input, inOrder), below);
  const filling = { input, ledger, unreachable, below, refill: refilling(input, inOrder) };
  function* shortfalls(): Slices<Shortfalls> {
    const found = yield* turnShortfalls(filling, order);
    return lambda === 1 ? found : asEstimates(found);
  }
  return {
    chosenBy: ledger.chosenBy,
    required: ledger.required,
    unreachable,
    objective: options,
    isCut: wasCut(ledger.steps) || steps.left < 0,
    ...(steps.left < 0 && { cutMessage: SEARCH_CUT }),
    shortfalls,
  };
}

function asEstimates({ tokens }: Shortfalls): Shortfalls {
  const estimates = new Set<number>();
  for (let i = 0; i < tokens.length; i++) if (tokens[i]! >= 0) estimates.add(i);
  return { tokens, estimates };
}
