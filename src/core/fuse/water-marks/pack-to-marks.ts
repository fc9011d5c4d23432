/**
 * Where a conversation is longer than its budget, the oldest message falls out at every turn, and with it the start of the payload and
 * whatever a provider had cached of it. So room is made in larger steps: what was in the previous payload stays as long as it fits, beside
 * what is deserved, and then the selection is cut back once, to the low mark, from which it grows again. Nothing is remembered between
 * requests, and the packer may be any.
 */
import { type Assembly, heldToContract } from "../../assembly.js";
import { markTokens, scaleShares } from "../../model/budget.js";
import type { Fragment } from "../../model/fragment.js";
import { Reason } from "../../model/payload.js";
import { DEFAULT_WATER_MARKS, type WaterMarks } from "../../model/water-marks.js";
import { matchPrevious } from "../../order/match-previous.js";
import type { Answering } from "../../registry.js";
import { runInSlices } from "../../run-in-slices.js";
import type { Packer } from "../../stages.js";
import { keepInRunning } from "../keep-in-running.js";
import type { Packing, PackingInput } from "../packing.js";
import { packingFault } from "../packing-fault.js";
import type { Scored } from "../score-fragments.js";
import { dearestUnit } from "./dearest-unit.js";
import { leavesHoles } from "./leaves-holes.js";
import { type MarkedPacking, markPacking } from "./marked-packing.js";

/** The marks of an assembly; nothing where they do not act: without a previous payload, or under an orderer that keeps nothing of it. */
export function marksOf({ request, parts }: Assembly): WaterMarks | undefined {
  if (request.previous.length === 0 || parts.stages.orderer.component.keepsPrefix !== true) return undefined;
  const { highWaterMark, lowWaterMark } = request.pipeline.options;
  return { high: highWaterMark ?? DEFAULT_WATER_MARKS.high, low: lowWaterMark ?? DEFAULT_WATER_MARKS.low };
}

/**
 * Packs at the high mark; where nothing is short, that is the selection. Else what was in the previous payload and what is deserved at the
 * low mark are packed together at the high mark; where not all of it enters, the selection is what is deserved at the low mark.
 */
export async function packToMarks(
  packer: Packer & Answering,
  { assembly, input, scored }: { assembly: Assembly; input: PackingInput; scored: Scored },
  marks: WaterMarks,
): Promise<MarkedPacking> {
  const pack = (one: PackingInput): Promise<Packing> => packChecked(packer, one, assembly);
  const atHigh = withTokens(input, markTokens(input.tokens, marks.high));
  const plain = await pack(atHigh);
  if (!isShort(plain, atHigh)) return plain;
  const dearest = await runInSlices(dearestUnit(plain, atHigh), assembly.run);
  const lowTokens = Math.max(markTokens(input.tokens, marks.low), dearest);
  const deserved = await pack(withTokens(input, lowTokens));
  const wanted = wantedOf(assembly, scored, plain, deserved);
  const isWanted = (i: number): boolean => wanted.has(input.fragments[i]!);
  const hasHoles = leavesHoles(atHigh, plain, isWanted);
  const together = hasHoles ? undefined : await pack(restrict(atHigh, scored, wanted));
  const allEnter = together !== undefined && [...wanted].every(({ inputIndex }) => together.chosenBy[inputIndex] !== 0);
  const all = together === undefined ? [plain, deserved] : [plain, deserved, together];
  const marked = markPacking({ kept: allEnter ? together : deserved, plain, all }, input, marks);
  return allEnter ? marked : { ...marked, cutTo: lowTokens };
}

/** Says in the payload what the marks did. */
export function recordMarks({ trace, request, parts, warnings }: Assembly, { keptOut, cutTo }: MarkedPacking): void {
  for (const i of keptOut ?? []) {
    const detail = "fits in the budget; the water marks keep it out, so that the previous payload need not change soon";
    trace.decide(request.fragments[i]!, "packer", Reason.OVER_BUDGET, undefined, detail);
  }
  if (cutTo === undefined) return;
  const message =
    "what was in the previous payload no longer fits at the high water mark beside what came since; " +
    `the selection was cut back to ${cutTo} tokens beyond the pins, from which it grows again`;
  const component = parts.stages.packer.name;
  warnings.push({ code: "cut_to_low_water_mark", stage: "packer", component, message });
}

async function packChecked(packer: Packer & Answering, input: PackingInput, { run }: Assembly): Promise<Packing> {
  await run.breathe();
  run.signal.throwIfAborted();
  return heldToContract(packer, await packer.pack(input, run), (packing) => packingFault(packing, input), run.signal);
}

/** The same packing with fewer tokens, of which each strategy has the same share. */
function withTokens(input: PackingInput, tokens: number): PackingInput {
  if (tokens === input.tokens) return input;
  const shares = input.nominations.map((nomination) => nomination.tokens);
  const scaled = scaleShares(shares, input.tokens, tokens);
  return { ...input, tokens, nominations: input.nominations.map((one, k) => ({ ...one, tokens: scaled[k]! })) };
}

/** True where the budget keeps out something nominated that a larger one would let in. */
function isShort({ chosenBy, unreachable }: Packing, { nominations, fragments }: PackingInput): boolean {
  return nominations.some(({ positions }) =>
    positions.some((i) => chosenBy[i] === 0 && !unreachable.has(fragments[i]!)),
  );
}

/** What was nominated of the previous payload, but for what no budget lets in any more, and what is deserved. */
function wantedOf({ request }: Assembly, scored: Scored, plain: Packing, deserved: Packing): ReadonlySet<Fragment> {
  const before = new Set(matchPrevious(request.previous, scored.fragments));
  return new Set(
    scored.fragments.filter((fragment) => {
      const isBefore = before.has(fragment) && !plain.unreachable.has(fragment);
      return isBefore || deserved.chosenBy[fragment.inputIndex] !== 0;
    }),
  );
}

/** The same packing as if nothing else had been nominated; ranks keep their order. */
function restrict(input: PackingInput, scored: Scored, wanted: ReadonlySet<Fragment>): PackingInput {
  const { nominations } = keepInRunning({ nominations: input.nominations, fragments: scored.fragments }, wanted);
  const scores = input.scores.map((score, i) => (wanted.has(input.fragments[i]!) ? score : NOT_NOMINATED_SCORE));
  return { ...input, nominations, scores };
}

const NOT_NOMINATED_SCORE = -1;
