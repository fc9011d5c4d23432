/** Small requests of which every drop can be followed by hand. */
import { assembled, budgetOf, fragmentDraft, idsOf, pipelineDraft, requestDraft } from "./drafts.fixture.js";
import type { FragmentDraft } from "./model/fragment.js";
import type { Decision, Payload, Reason } from "./model/payload.js";
import type { PipelineSpecDraft } from "./model/pipeline-spec.js";
import type { StrategySpecDraft } from "./model/strategy-spec.js";

export const fusion = pipelineDraft({ profile: "fusion" });
export const fusionAsScored = pipelineDraft({ profile: "fusion", scorer: "pass_through" });
export const inOrderDeepest = pipelineDraft({ depthResolver: "max_depth" });
export const windowOf = (windowSize: number): StrategySpecDraft => ({
  name: "sliding_window",
  config: { $case: "slidingWindow", value: { windowSize, windowMode: 0 } },
});

export interface Corner {
  readonly fragments: readonly FragmentDraft[];
  readonly tokens: number;
  readonly pipeline?: PipelineSpecDraft;
  readonly strategies?: readonly StrategySpecDraft[];
}

export function fragment(
  id: string,
  relevance: number,
  tokens: number,
  fields: Partial<FragmentDraft> = {},
): FragmentDraft {
  const own = {
    fragmentId: id,
    ukoNode: id,
    content: `content of ${id}`,
    relevanceScore: relevance,
    tokenCount: tokens,
  };
  return fragmentDraft({ ...own, ...fields });
}

export async function payloadOf({ fragments, tokens, pipeline, strategies }: Corner): Promise<Payload> {
  const { payload } = {
    payload: await assembled(
      requestDraft({
        fragments,
        budget: budgetOf(tokens),
        trace: 3,
        ...(pipeline && { pipeline }),
        ...(strategies && { strategies }),
      }),
    ),
  };
  return payload;
}

export async function selected(corner: Corner): Promise<string[]> {
  return idsOf((await payloadOf(corner)).fragments);
}

export async function reasons(corner: Corner): Promise<Record<string, Reason>> {
  const { decisions } = await payloadOf(corner);
  return Object.fromEntries(decisions.toArray().map(({ fragmentId, reason }) => [fragmentId, reason]));
}

export async function decisionsById(corner: Corner): Promise<Record<string, Decision>> {
  const { decisions } = await payloadOf(corner);
  return Object.fromEntries(decisions.toArray().map((decision) => [decision.fragmentId, decision]));
}

export const at = (detailDepth: number, ukoNode = "X"): Partial<FragmentDraft> => ({ ukoNode, detailDepth });
