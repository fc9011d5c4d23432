import { type Assembly, ask } from "../assembly.js";
import { componentFailure } from "../component-failure.js";
import type { Fragment } from "../model/fragment.js";
import type { PlacedNomination } from "../model/nomination.js";
import { type PackingReport, Reason, TraceLevel } from "../model/payload.js";
import { splitTokens } from "../model/split-tokens.js";
import { fragmentsAt } from "../order/by-key.js";
import type { MaybePromise } from "../run.js";
import { runInSlices, type Slices } from "../run-in-slices.js";
import { Slice } from "../slice.js";
import { stageNumber } from "../trace.js";
import { addBrought, mayBring } from "./brought-shortfalls.js";
import type { Committed } from "./commit-pins.js";
import { bringUninvited } from "./deduplicate.js";
import { deeperPins } from "./deeper-pins.js";
import { relaxationReport } from "./packer/optimal/relaxation-report.js";
import { relationsIn } from "./packer/related-drops.js";
import type { Packing, PackingInput } from "./packing.js";
import { packingFault } from "./packing-fault.js";
import { requirersIn } from "./requirers.js";
import { furtherBudgets, setsAside } from "./reserve-tokens.js";
import type { Scored } from "./score-fragments.js";
import { sectionsWith } from "./sections.js";
import { strategyOrder } from "./strategy-order.js";
import { compileVariants, noVariants, type Variants } from "./variants.js";
import type { MarkedPacking } from "./water-marks/marked-packing.js";
import { marksOf, packToMarks, recordMarks } from "./water-marks/pack-to-marks.js";

/** What enters the payload. */
export interface Selection {
  /** In the order of the strategies. */
  readonly fragments: readonly Fragment[];
  /** The input position of each, in the same order. */
  readonly positions: Uint32Array;
  readonly strategiesUsed: readonly string[];
  /** How good the selection is; made once somebody asks. */
  report(): PackingReport;
}

/** Stage 7. Lets the packer spend the tokens, checks what it did, and records why each nominated fragment is in or out. */
export async function packFragments(
  assembly: Assembly,
  scored: Scored,
  committed: Committed,
  tokens: number,
): Promise<Selection> {
  const { nominations, scores } = scored;
  const found = runInSlices(variantsInRunning(assembly, scored, committed), assembly.run);
  const input: PackingInput = {
    nominations,
    fragments: assembly.request.fragments,
    committed: committed.fragments,
    scores,
    tokenCounts: assembly.request.columns.tokenCounts,
    links: assembly.links,
    variants: found instanceof Promise ? await found : found,
    out: assembly.out,
    alternatives: scored.alternatives,
    baseline: scored.baseline,
    sections: assembly.sections,
    tokens,
    sharesAt: sharesOf(assembly, nominations, tokens),
    sectionsAt: sectionsOf(assembly, tokens),
  };
  const marks = marksOf(assembly);
  const packing: MarkedPacking = await ask(
    assembly,
    "packer",
    (packer) =>
      marks === undefined ? packer.pack(input, assembly.run) : packToMarks(packer, { assembly, input, scored }, marks),
    (answer) => packingFault(answer, input),
  );
  const selected = await runInSlices(recordPacking(assembly, committed, { input, packing }), assembly.run);
  const report = await reportOn(assembly, input, packing);
  return { ...selected, report };
}

/** How shares follow from the tokens, where each nomination has its part of them. */
function sharesOf(
  { parts }: Assembly,
  nominations: readonly PlacedNomination[],
  tokens: number,
): PackingInput["sharesAt"] {
  if (parts.stages.budget_allocator.component.isProportional !== true) return undefined;
  const confidences = nominations.map(({ confidence }) => confidence);
  const sharesAt = (among: number): readonly number[] => splitTokens(among, confidences);
  const shares = sharesAt(tokens);
  return nominations.every((nomination, k) => nomination.tokens === shares[k]) ? sharesAt : undefined;
}

/** How sections follow from the tokens, where all further ones that are available can be spent. */
function sectionsOf(assembly: Assembly, tokens: number): PackingInput["sectionsAt"] {
  const { sections } = assembly;
  if (sections === undefined || setsAside(assembly)) return undefined;
  const { availableTokens } = assembly.request.budget;
  return (others) => sectionsWith(sections, availableTokens + others - tokens);
}

/** A packing, and what it was made from. */
interface Packed {
  readonly input: PackingInput;
  readonly packing: MarkedPacking;
}

/** Records what became of each fragment, which can take longer than the packing did. */
function* recordPacking(assembly: Assembly, committed: Committed, packed: Packed): Slices<Omit<Selection, "report">> {
  const { input, packing } = packed;
  const positions = strategyOrder(input, packing);
  if (positions.length !== countChosen(packing)) {
    const fault = "chose a fragment for a strategy that did not nominate it";
    throw componentFailure("packer", assembly.parts.stages.packer.name, fault);
  }
  yield;
  const fragments = fragmentsAt(assembly.request.fragments, positions);
  recordSelected(assembly, packed, positions);
  warnOfLimits(assembly, packing);
  yield* recordDropped(assembly, committed, packed);
  recordMarks(assembly, packing);
  yield;
  return { fragments, positions, strategiesUsed: strategiesUsed(input.nominations, packing, fragments.length) };
}

/** How far a packing is at most from the best: what its packer says, else the bound of the relaxation. */
function reportOn(
  { parts, request, run }: Assembly,
  input: PackingInput,
  { report, objective, chosenBy }: Packing,
): MaybePromise<() => PackingReport> {
  if (report !== undefined) return () => report;
  const { valueExponent = 0 } = request.pipeline.options;
  const packer = parts.stages.packer.name;
  return relaxationReport(input, { packer, objective: objective ?? { valueExponent }, chosenBy }, run);
}

/** Alternatives among what may enter: what was nominated, what something nominated may bring, and what is committed. */
function* variantsInRunning(assembly: Assembly, scored: Scored, committed: Committed): Slices<Variants> {
  const { oneVariant, links, request, out } = assembly;
  const count = request.fragments.length;
  if (!oneVariant) return noVariants(count);
  if (!links.any && committed.fragments.size === 0)
    return yield* compileVariants(scored.fragments, count, scored.preferences);
  const uninvited = links.any ? yield* bringUninvited(assembly, scored) : [];
  const isListed = new Uint8Array(count);
  const running: Fragment[] = [];
  for (const fragments of [scored.fragments, uninvited, committed.fragments]) {
    yield;
    for (const fragment of fragments) {
      const i = fragment.inputIndex;
      if (isListed[i] === 0 && out[i] === 0) running.push(fragment);
      isListed[i] = 1;
    }
  }
  return yield* compileVariants(running, count, scored.preferences);
}

function countChosen({ chosenBy }: Packing): number {
  let count = 0;
  for (let i = 0; i < chosenBy.length; i++) count += Number(chosenBy[i] !== 0);
  return count;
}

const REQUIREMENTS_CUT =
  "the requirements are so many that not all of them were followed; something that fits, or a deeper alternative of it, may be missing";

function warnOfLimits({ parts, warnings }: Assembly, { isCut, isLate, cutMessage = REQUIREMENTS_CUT }: Packing): void {
  const component = parts.stages.packer.name;
  if (isCut) {
    warnings.push({ code: "search_cut", stage: "packer", component, message: cutMessage });
  }
  if (isLate) {
    const message =
      "the time for the search was over; the selection is the best that it found, and another run may find another";
    warnings.push({ code: "search_timed_out", stage: "packer", component, message });
  }
}

const PACKER = stageNumber("packer");

function recordSelected({ trace }: Assembly, { input, packing }: Packed, positions: Uint32Array): void {
  const { required, chosenBy } = packing;
  for (let rank = 0; rank < positions.length; rank++) {
    if (!trace.isDecidedAt(positions[rank]!)) trace.decideAt(positions[rank]!, PACKER, Reason.CHOSEN);
  }
  if (required.size === 0) return;
  // A window takes what it holds for its age, whoever else needs it.
  const windows = input.nominations.map(
    ({ suffixFrom, positions }) => new Set(suffixFrom === undefined ? [] : positions),
  );
  const requirerOf = requirersIn(input, packing);
  for (const [fragment, by] of required) {
    const isInWindow = windows[chosenBy[fragment.inputIndex]! - 1]?.has(fragment.inputIndex) === true;
    if (!fragment.pinned && !isInWindow) {
      trace.decide(fragment, "packer", Reason.REQUIRED, requirerOf(fragment) ?? by);
    }
  }
}

function* recordDropped(assembly: Assembly, committed: Committed, { input, packing }: Packed): Slices<void> {
  const { trace, request } = assembly;
  const { chosenBy, unreachable } = packing;
  const slice = new Slice();
  for (const { positions } of input.nominations) {
    for (let rank = 0; rank < positions.length; rank++) {
      const i = positions[rank]!;
      if (chosenBy[i] === 0) trace.decideAt(i, PACKER, Reason.OVER_BUDGET);
    }
    if (slice.isOver(positions.length)) yield;
  }
  // A reason may depend on a number, and the payload must not depend on whether anybody looks.
  const isWanted = request.trace !== TraceLevel.NONE || unreachable.size > 0 || mayBring(input);
  const shortfalls = isWanted && packing.shortfalls !== undefined ? yield* packing.shortfalls() : undefined;
  const relatedTo = relationsIn(input, packing);
  for (const [fragment, reason] of unreachable) {
    if (slice.isOver()) yield;
    // A middle variant enters at a middle budget, though not at a plentiful one, at which a deeper one does.
    const enters = (shortfalls?.tokens[fragment.inputIndex] ?? -1) >= 0;
    if (enters) trace.decide(fragment, "packer", Reason.OVER_BUDGET);
    else trace.decide(fragment, "packer", reason, relatedTo(fragment, reason));
  }
  const deeper = deeperPins(assembly.links, committed, request.budget.availableTokens);
  for (const { fragment } of deeper) {
    if (assembly.out[fragment.inputIndex] === 0) trace.decide(fragment, "packer", Reason.OVER_BUDGET);
  }
  if (shortfalls === undefined) return;
  const { tokens, estimates, brought } = yield* addBrought(shortfalls, input, packing);
  for (const fragment of brought) trace.decide(fragment, "packer", Reason.OVER_BUDGET);
  const missing = yield* furtherBudgets(assembly, committed, tokens);
  for (const { fragment, lacks } of deeper) missing[fragment.inputIndex] = lacks;
  // Where the pins take more of a larger budget, nothing is known of what that leaves.
  trace.setMissing(missing, deeper.length > 0 ? new Set(request.fragments.keys()) : estimates);
}

function strategiesUsed(nominations: readonly PlacedNomination[], { chosenBy }: Packing, selected: number): string[] {
  const used = nominations.filter(({ positions }) => selected === 0 || positions.some((i) => chosenBy[i] !== 0));
  return used.map(({ strategy }) => strategy);
}
