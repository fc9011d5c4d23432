import type { TestContext } from "node:test";
import { ComponentRole } from "../../gen/acms/v1/hosted_component.js";
import { assembled, budgetOf, pipelineDraft, requestDraft, scored, testRun } from "../core/drafts.fixture.js";
import { builtInRegistry, ContextError, type Payload } from "../core/index.js";
import type { FakeClient } from "./fake-client.fixture.js";
import { createHosting, type Hosting } from "./host.js";
import type { HostingLimits } from "./limits.js";

export const scorer = { role: ComponentRole.COMPONENT_ROLE_SCORER, name: "mine" };

/** The stages of a pipeline, as a request names them, in running order. */
export const STAGE_FIELDS = [
  "strategySelector",
  "budgetAllocator",
  "strategyExecutor",
  "deduplicator",
  "depthResolver",
  "scorer",
  "packer",
  "orderer",
  "preambleGenerator",
  "skeletonCompressor",
] as const;

/** Time enough on a machine with much else to do, for questions that are to be answered. */
export const AMPLE_TIME = { stageTimeoutMs: 20_000, strategyTimeoutMs: 20_000 };

export function hostingWith(limits: Partial<HostingLimits> = {}, exists = false): Hosting {
  let ids = 0;
  const surroundings = { newId: () => `session${ids++}`, exists: () => exists };
  return createHosting(surroundings, { ...AMPLE_TIME, ...limits });
}

/** Stops the clock of what is hosted; it goes on as far as the function is told, in milliseconds. */
export function mockTime(t: TestContext): (ms: number) => void {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let nowMs = 0;
  t.mock.method(performance, "now", () => nowMs);
  return (ms) => {
    nowMs += ms;
    t.mock.timers.tick(ms);
  };
}

export const draft = requestDraft({
  budget: budgetOf(50),
  fragments: [scored("a", 0.9, 40), scored("b", 0.1, 40)],
  pipeline: pipelineDraft({ profile: "fusion", scorer: "mine" }),
});

export function withPolicy(policy: number) {
  return { ...draft, pipeline: { ...draft.pipeline!, failurePolicies: [{ stage: 6, policy }] } };
}

export const assembleWith = (
  hosting: Hosting,
  request = draft,
  signal = new AbortController().signal,
): Promise<Payload> => assembled(request, hosting.registryOf("", builtInRegistry()), testRun({ signal }));

export const reasonOf = (error: unknown) => (error instanceof ContextError ? error.reason : error);

/** Waits until the client was asked something. */
export async function asked(client: FakeClient, times = 1): Promise<number> {
  while (client.heard.filter(({ $case }) => $case === "invoke").length < times) await new Promise(setImmediate);
  return client.last("invoke").invocation;
}

export const scores = (...values: number[]) => ({
  $case: "scorer" as const,
  value: { scores: values, parts: undefined, baseline: 0 },
});
