/** Requests of a conversation's turn: with a payload before it, and an orderer that keeps its start. */
import { budgetOf, idsOf, pipelineDraft, requestDraft } from "../../drafts.fixture.js";
import type { FragmentDraft } from "../../model/fragment.js";
import type { Payload } from "../../model/payload.js";
import type { PipelineOptionsDraft, PipelineSpecDraft } from "../../model/pipeline-spec.js";
import type { RequestDraft } from "../../model/request.js";

/** A previous payload of so many ids, whatever their contents were. */
export const previousOf = (...ids: string[]) => ({
  fragments: ids.map((fragmentId) => ({ fragmentId, contentHash: "" })),
});

/** `id(score/tokens)` for a payload after one that had so many ids. */
export function turn(
  previous: readonly string[],
  fragments: readonly FragmentDraft[],
  fields: Partial<RequestDraft> & { options?: PipelineOptionsDraft; stages?: Partial<PipelineSpecDraft> } = {},
): RequestDraft {
  const { options, stages, ...rest } = fields;
  return requestDraft({
    budget: budgetOf(100),
    previous: previousOf(...previous),
    pipeline: pipelineDraft({ orderer: "stable", ...stages, options }),
    ...rest,
    fragments,
  });
}

/** The ids of a payload in order of their letters. */
export const selected = ({ fragments }: Payload): string => idsOf(fragments).sort().join(" ");
/** The codes of its warnings. */
export const codes = ({ warnings }: Payload): string => warnings.map(({ code }) => code).join(" ");
