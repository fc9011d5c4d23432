/** The stages that present, by themselves, with the same checks as in an assembly. */
import { askPart } from "../assembly.js";
import { createFaults } from "../model/faults.js";
import type { Fragment, FragmentDraft } from "../model/fragment.js";
import type { Warning } from "../model/payload.js";
import { checkOutline } from "../present/check-outline.js";
import { skeletonWarning } from "../present/compress-skeleton.js";
import { fitPreamble } from "../present/generate-preamble.js";
import { isSameSet } from "../present/order-fragments.js";
import { checked, checkTokens, partOf, readCounted, type StageSurroundings } from "./surroundings.js";

/** Tokens of a preamble that is asked for by itself. */
const PREAMBLE_TOKENS = 128;

/** The orderer by itself. */
export async function orderAlone(
  draft: { fragments: readonly FragmentDraft[]; component: string },
  around: StageSurroundings,
): Promise<readonly Fragment[]> {
  const { registry, run } = around;
  const given = await readCounted(draft.fragments, around, createFaults());
  const part = partOf(registry, "orderer", draft.component, "strategy");
  const ordered = await askPart("orderer", part, run.signal, (orderer) => orderer.order(given, run));
  const fault = isSameSet(given, ordered) ? undefined : "did not answer with the fragments that it was given";
  return checked("orderer", part.name, ordered, fault);
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
  const text = await askPart("preamble_generator", part, run.signal, (generator) => generator.generate(input, run));
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
  const outline = await askPart("skeleton_compressor", part, run.signal, (compressor) =>
    compressor.compress(given, draft.budgetTokens, run),
  );
  const fragments = await checkOutline(outline, given, part.name, run);
  const totalTokens = fragments.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
  const warning = skeletonWarning(totalTokens, draft.budgetTokens, part.name);
  return { fragments, totalTokens, warnings: warning === undefined ? [] : [warning] };
}
