/** The calls of single stages. They take fragments, budget and options from the request in the making; no component named means the default one. */
import type { ScorerWeights } from "../../gen/acms/v1/component.js";
import type { AcmsWorld } from "./world.js";

const tokenizer = "";

export async function selectStrategies({ outcomes, request, server }: AcmsWorld, hint: string[]): Promise<void> {
  const draft = { hint, query: "", fragments: request.fragments, component: "" };
  await outcomes.record("candidates", async () => (await server.stages.selectStrategies(draft)).candidates);
}

export async function allocate(
  { outcomes, server }: AcmsWorld,
  budgetTokens: number,
  confidences: readonly number[],
): Promise<void> {
  const candidates = confidences.map((confidence, i) => ({ strategy: `strategy-${i + 1}`, confidence }));
  const draft = { budgetTokens, candidates, component: "" };
  await outcomes.record("allocations", async () => (await server.stages.allocateBudget(draft)).allocations);
}

export async function deduplicate({ outcomes, request, server }: AcmsWorld, component = ""): Promise<void> {
  const { fragments, pipeline } = request;
  const draft = { fragments, component, tokenizer, options: pipeline?.options };
  await outcomes.record("kept", () => server.stages.deduplicate(draft));
}

export async function resolveDepths({ outcomes, request, server }: AcmsWorld, component = ""): Promise<void> {
  const draft = { fragments: request.fragments, component, tokenizer };
  await outcomes.record("kept", () => server.stages.resolveDepth(draft));
}

export async function score({ outcomes, request, server }: AcmsWorld, weights?: ScorerWeights): Promise<void> {
  const draft = { fragments: request.fragments, weights, component: "", tokenizer };
  await outcomes.record("scored", () => server.stages.score(draft));
}

export async function pack({ outcomes, request, scored, server }: AcmsWorld, component = ""): Promise<void> {
  const { fragments, budget, pipeline } = request;
  const draft = { scored, fragments, budget, component, options: pipeline?.options, tokenizer };
  await outcomes.record("packed", () => server.stages.pack(draft));
}

export async function order({ outcomes, request, server }: AcmsWorld, component = ""): Promise<void> {
  const draft = { fragments: request.fragments, component, tokenizer, previous: request.previous };
  await outcomes.record("ordered", () => server.stages.order(draft));
}

export async function introduce({ outcomes, request, server }: AcmsWorld, budgetTokens?: number): Promise<void> {
  const draft = { fragments: request.fragments, budgetTokens, component: "", tokenizer };
  await outcomes.record("preamble", () => server.stages.generatePreamble(draft));
}

export async function compress(
  { outcomes, request, server }: AcmsWorld,
  budgetTokens: number,
  component = "",
): Promise<void> {
  const draft = { fragments: request.fragments, budgetTokens, component, tokenizer };
  await outcomes.record("outline", () => server.stages.compressSkeleton(draft));
}
