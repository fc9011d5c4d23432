/** How good a packing is that another packer made: its value, and the bound of the relaxation on that of every set. */
import type { PackingReport } from "../../../model/payload.js";
import type { MaybePromise, Run } from "../../../run.js";
import { runInSlices } from "../../../run-in-slices.js";
import type { PackingInput } from "../../packing.js";
import { choicesOf } from "./compile.js";
import { loneBound } from "./lone-bound.js";
import { type Objective, readPool } from "./pool.js";
import { reportOn } from "./report.js";
import { boundOnTask, openTask } from "./task.js";

/** A packing, and what it is to be measured by. */
export interface Packed {
  readonly packer: string;
  readonly objective: Objective;
  readonly chosenBy: Uint8Array;
}

/**
 * Reports on a packing. Where nothing is linked, nothing has variants and there are no sections that takes a fraction of a millisecond at 10,000 fragments, and
 * is done once somebody asks; else it takes a part of what a packer for value does, in slices, and is done at once.
 */
export function relaxationReport(input: PackingInput, packed: Packed, run: Run): MaybePromise<() => PackingReport> {
  const { packer, objective, chosenBy } = packed;
  if (input.links.any || input.variants.members.length > 0 || input.sections !== undefined) {
    return runInSlices(compiledReport(input, packed), run);
  }
  let report: PackingReport | undefined;
  return () => {
    if (report === undefined) {
      const pool = readPool(input, objective);
      const known = { bound: loneBound(pool), steps: 0, choices: chosenBy.length };
      report = reportOn(pool, chosenBy, known, packer);
    }
    return report;
  };
}

function* compiledReport(
  input: PackingInput,
  { packer, objective, chosenBy }: Packed,
): Generator<void, () => PackingReport> {
  const pool = readPool(input, objective);
  yield;
  const task = yield* openTask(pool);
  const bound = yield* boundOnTask(task, input.tokens);
  const report = reportOn(pool, chosenBy, { bound, steps: 0, choices: choicesOf(task.compiled) }, packer);
  return () => report;
}
