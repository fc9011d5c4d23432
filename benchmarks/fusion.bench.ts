import { PipelineSpec } from "../gen/acms/v1/component.js";
import { createApp } from "../src/app.js";
import type { Payload } from "../src/core/index.js";
import { createAcms } from "./acms-core.js";
import type { Contestant } from "./contestant.js";
import { createFragments } from "./corpus.js";
import { compare } from "./harness.js";
import type { Figures } from "./report.js";
import { createRelevanceTask, type Task } from "./selection.js";

const COUNT = 10_000;
const ROUNDS = 61;
const PARENTS = 200;

/** `fusion` with every part that it has beside `direct`, and a strategy of one expression, at 10,000 fragments. */
export async function benchFusion(figures: Figures): Promise<void> {
  const task = createRelevanceTask(createFragments(COUNT));
  const direct = { ...(await createAcms(task, "relevance")), name: "direct" };
  const contestants = [direct, await createFusion(task), await createExpression(task)];
  figures.addTimings(await compare({ contestants, rounds: ROUNDS }), "10k");
  figures.add("fusion_over_direct_10k", figures.get("fusion_10k_ms") / figures.get("direct_10k_ms"));
}

/** All production parts, an introducing text and an outline of parents among them. */
async function createFusion(task: Task): Promise<Contestant> {
  const pipeline = PipelineSpec.fromPartial({ profile: "fusion", preambleGenerator: "provenance" });
  const core = await createAcms(task, "relevance", { pipeline, parentFragments: createFragments(PARENTS, 2) });
  return { ...core, name: "fusion", check: (answer) => checkFusion(answer as Payload, task) };
}

function checkFusion(payload: Payload, task: Task): void {
  const spent = payload.totalTokens + payload.preambleTokens + payload.skeletonTokens;
  const isWhole = payload.preamble !== "" && payload.skeletonFragments.length > 0 && payload.fragments.length > 0;
  if (!isWhole || spent > task.tokenBudget) throw new Error(`fusion spent ${spent} of ${task.tokenBudget} tokens.`);
}

/** One expression over all fragments, from the values to the scores, in the threads that a server has. */
async function createExpression(task: Task): Promise<Contestant> {
  const { signal } = new AbortController();
  const { expressions } = createApp().createRun("", { namespace: "", signal });
  const score = 'fragment.role == "tool" ? 1.0 : fragment.relevance_score * 0.5';
  const core = await createAcms(task, "relevance");
  const fragments = await core.fragments;
  return {
    name: "expression",
    run: () => expressions.evaluate({ score }, { fragments, query: "", asOf: { seconds: 0, nanos: 0 } }, signal),
    check: (answer) => {
      const { scores } = answer as { scores: Float64Array };
      const isRight = fragments.every(({ relevanceScore }, i) => scores[i] === relevanceScore * 0.5);
      if (!isRight) throw new Error("The expression gave other scores.");
    },
  };
}
