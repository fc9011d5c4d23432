import type { PipelineOptions } from "../../model/pipeline-spec.js";
import type { Packer } from "../../stages.js";
import { packForValue } from "./optimal/pack-for-value.js";

/** The most partial sets that are looked at where a request sets no limit: about 100 ms. */
const DEFAULT_STEP_LIMIT = 2_000_000;

/**
 * The set of the greatest value: one variant of each key, whole groups, everything with what it requires, beside the pins. Of sets of
 * equal value the one with fewer tokens, then the one that holds the earliest fragment in which they differ; then what is worth nothing
 * and still fits. Where a limit of steps or time ends the search, the best found and a bound on what was not looked at.
 */
export function createOptimal(options: PipelineOptions): Packer {
  const { packerStepLimit: steps = DEFAULT_STEP_LIMIT, packerTimeLimitMs: timeLimitMs } = options;
  const how = { packer: "optimal", objective: options, steps, timeLimitMs };
  return { pack: (input, run) => packForValue(input, how, run) };
}
