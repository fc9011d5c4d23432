/** The stages that present, by themselves, with the same checks as in an assembly. */
import { askPart } from "../assembly.js";
import { createFaults } from "../model/faults.js";
import type { Fragment, FragmentDraft } from "../model/fragment.js";
import type { Warning } from "../model/payload.js";
import { type PreviousPayloadDraft, readPrevious } from "../model/previous.js";
import { countOutline, outlineFault } from "../present/check-outline.js";
import { heldToShare } from "../present/compress-skeleton.js";
import { fitPreamble, preambleFault } from "../present/generate-preamble.js";
import { orderFault } from "../present/order-fragments.js";
import { checkTokens, partOf, readCounted, type StageSurroundings } from "./surroundings.js";

/** Tokens of a preamble that is asked for by itself. */
const PREAMBLE_TOKENS = 128;

/** The orderer by itself. */
export async function orderAlone(
  draft: {
    fragments: readonly FragmentDraft[];
    component: string;
    previous?: PreviousPayloadDraft | undefined;
  },
  around: StageSurroundings,
): Promise<readonly Fragment[]> {
  const { registry, run, limits } = around;
  const faults = createFaults();
  const previous = readPrevious(draft.previous, limits.maxFragments, faults);
  const given = await readCounted(draft.fragments, around, faults);
  const part = partOf(registry, "orderer", draft.component, "strategy");
  return askPart(
    "orderer",
    part,
    run.signal,
    (orderer) => orderer.order(given, { previous }, run),
    (answer) => orderFault(given, answer),
  );
}

/** The preamble generator by itself. */
export async function generatePreambleAlone(
  draft: { fragments: readonly FragmentDraft[]; budgetTokens?: number | undefined; component: string },
  around: StageSurroundings,
): Promise<{ preamble: string; preambleTokens: number; warnings: readonly Warning[] }> {
  const { registry, run } = around;
  const maxTokens = draft.budgetTokens ?? PREAMBLE_TOKENS;
  const faults = createFaults();
  checkTokens(maxTokens, faults);
  const selected = await readCounted(draft.fragments, around, faults);
  const part = partOf(registry, "preamble_generator", draft.component, "provenance");
  const input = { selected, strategiesUsed: [], dropped: new Map(), maxTokens };
  const text = await askPart(
    "preamble_generator",
    part,
    run.signal,
    (generator) => generator.generate(input, run),
    preambleFault,
  );
  const { preamble, warning } = await fitPreamble(text, maxTokens, part.name, run);
  return {
    preamble: preamble.text,
    preambleTokens: preamble.tokens,
    warnings: warning === undefined ? [] : [warning],
  };
}

/** The skeleton compressor by itself. */
export async function compressSkeletonAlone(
  draft: { fragments: readonly FragmentDraft[]; budgetTokens: number; component: string },
  around: StageSurroundings,
): Promise<{ fragments: readonly Fragment[]; totalTokens: number; warnings: readonly Warning[] }> {
  const { registry, run } = around;
  const faults = createFaults();
  checkTokens(draft.budgetTokens, faults);
  const given = await readCounted(draft.fragments, around, faults);
  const part = partOf(registry, "skeleton_compressor", draft.component, "unchanged");
  const outline = await askPart(
    "skeleton_compressor",
    part,
    run.signal,
    (compressor) => compressor.compress(given, draft.budgetTokens, run),
    outlineFault,
  );
  const counted = await countOutline(outline, given, run);
  const { fragments, tokens, warning } = heldToShare(counted, draft.budgetTokens, part);
  return { fragments, totalTokens: tokens, warnings: warning === undefined ? [] : [warning] };
}
