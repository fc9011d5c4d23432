import { furtherAtMark, markTokens } from "../../model/budget.js";
import type { PackingReport } from "../../model/payload.js";
import type { WaterMarks } from "../../model/water-marks.js";
import type { Slices } from "../../run-in-slices.js";
import type { Packing, PackingInput, Shortfalls } from "../packing.js";

/** A packing, and what the marks have to do with it. */
export interface MarkedPacking extends Packing {
  /** Input positions of what was nominated and would fit at the high mark, and is kept out nevertheless. Absent: the marks kept nothing out. */
  readonly keptOut?: readonly number[];
  /** The tokens to which the selection was cut back. Absent: it was not. */
  readonly cutTo?: number;
}

/** The packings of one request: all that were tried, the plain one at the high mark among them, and the one that is the selection. */
export interface Tried {
  readonly kept: Packing;
  readonly plain: Packing;
  readonly all: readonly Packing[];
}

/**
 * A packing of fewer tokens or nominations as the answer about all nominations: what no budget lets in is known from the plain one, which
 * had them all, and what is neither in nor among those is over budget.
 */
export function markPacking(tried: Tried, input: PackingInput, marks: WaterMarks): MarkedPacking {
  const { kept, plain, all } = tried;
  const { report, shortfalls, objective } = plain;
  // Below the whole budget a packer's bound says nothing of the sets between; then the bound of the relaxation stands in for it.
  const isBounded = markTokens(input.tokens, marks.high) === input.tokens;
  const isIn = (i: number): boolean => kept.chosenBy[i] !== 0;
  return {
    chosenBy: kept.chosenBy,
    required: kept.required,
    unreachable: new Map([...plain.unreachable].filter(([{ inputIndex }]) => !isIn(inputIndex))),
    isCut: all.some(({ isCut }) => isCut === true),
    isLate: all.some(({ isLate }) => isLate === true),
    keptOut: positionsWhere(input, (i) => plain.chosenBy[i] !== 0 && !isIn(i) && input.scores[i]! >= 0),
    ...(objective && { objective }),
    ...(isBounded && report && kept.report && { report: reportBeside(kept.report, report, all) }),
    ...(shortfalls && { shortfalls: () => estimates(kept, shortfalls(), input, marks) }),
  };
}

/** How good it is beside every set that fits at the high mark, not only beside those that keep what was there. */
function reportBeside(
  { value, packer }: PackingReport,
  plain: PackingReport,
  tried: readonly Packing[],
): PackingReport {
  const upperBound = Math.max(value, plain.upperBound);
  const steps = tried.reduce((sum, { report }) => sum + (report?.steps ?? 0), 0);
  return {
    value,
    upperBound,
    gap: upperBound === 0 ? 0 : (upperBound - value) / upperBound,
    provenOptimal: plain.provenOptimal && value >= plain.value,
    packer,
    steps: Math.min(steps, 2 ** 31 - 1),
  };
}

/** What a plain packing would have needed. The marks may keep out for longer, so every number is an estimate. */
function* estimates(
  kept: Packing,
  plain: Slices<Shortfalls>,
  input: PackingInput,
  { high }: WaterMarks,
): Slices<Shortfalls> {
  const { tokens } = yield* plain;
  yield;
  const further = tokens.map((missing, i) => {
    return missing < 0 || kept.chosenBy[i] !== 0 ? -1 : furtherAtMark(input.tokens, high, missing);
  });
  return { tokens: further, estimates: new Set(positionsWhere(input, (i) => further[i]! >= 0)) };
}

function positionsWhere({ fragments }: PackingInput, holds: (inputIndex: number) => boolean): number[] {
  return fragments.map(({ inputIndex }) => inputIndex).filter(holds);
}
