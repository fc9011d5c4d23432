/** Requests whose budgets have sections. */
import { assembled, budgetOf, idsOf, pipelineDraft, requestDraft } from "./drafts.fixture.js";
import type { FragmentDraft } from "./model/fragment.js";
import type { Payload, Reason } from "./model/payload.js";
import type { PipelineSpecDraft } from "./model/pipeline-spec.js";
import type { SectionDraft } from "./model/sections.js";
import type { StrategySpecDraft } from "./model/strategy-spec.js";

export const [HOT, WARM, COLD] = [1, 2, 3];
export const [USER, TOOL] = [2, 4];
export const PACKERS = ["in_order", "greedy_knapsack", "relaxation", "optimal", "diverse"];

export const tierOf = (value: number, fields: Partial<SectionDraft>): SectionDraft =>
  sectionOf({ $case: "tier", value }, fields);
export const roleOf = (value: number, fields: Partial<SectionDraft>): SectionDraft =>
  sectionOf({ $case: "role", value }, fields);

export function sectionOf(selector: SectionDraft["selector"], fields: Partial<SectionDraft>): SectionDraft {
  return { selector, floorTokens: 0, capTokens: 0, ...fields };
}

export interface Case {
  readonly fragments: readonly FragmentDraft[];
  readonly tokens: number;
  readonly sections: readonly SectionDraft[];
  readonly packer?: string;
  readonly pipeline?: Partial<PipelineSpecDraft>;
  readonly strategies?: readonly StrategySpecDraft[];
}

export function payloadOf({
  fragments,
  tokens,
  sections,
  packer = "",
  pipeline = {},
  strategies = [],
}: Case): Promise<Payload> {
  return assembled(
    requestDraft({
      fragments,
      budget: { ...budgetOf(tokens), sections },
      trace: 3,
      pipeline: pipelineDraft({ packer, ...pipeline }),
      strategies,
    }),
  );
}

export async function selected(given: Case): Promise<string[]> {
  return idsOf((await payloadOf(given)).fragments).sort();
}

export async function decisionsOf(
  given: Case,
): Promise<Map<string, { reason: Reason; tokensMissing: number | undefined }>> {
  const { decisions } = await payloadOf(given);
  return new Map(
    decisions.toArray().map(({ fragmentId, reason, tokensMissing }) => [fragmentId, { reason, tokensMissing }]),
  );
}
