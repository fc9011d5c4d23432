import { createApp } from "../src/app.js";
import {
  assemble as assembleCore,
  builtInRegistry,
  type Fragment,
  type Payload,
  type RequestDraft,
  readRequest,
} from "../src/core/index.js";
import { now } from "../src/run.js";
import type { Contestant } from "./contestant.js";
import { expectRankedIds, type Task } from "./selection.js";

/**
 * The core under one strategy, from parsed fragments to the sealed payload with the trace of the dropped ones. The
 * request is read before the clock starts; every run assembles it anew.
 */
export async function createAcms(
  task: Task,
  strategy: "relevance" | "recency",
  more: Partial<RequestDraft> = {},
): Promise<Contestant & { readonly fragments: readonly Fragment[] }> {
  const { signal } = new AbortController();
  const app = createApp({ limits: { maxFragments: task.fragments.length + 1_000 } });
  const { limits, newId } = app;
  const { counter, expressions, breathe } = app.createRun("", { namespace: "", signal });
  const around = { limits, now: now(), newId, counter, expressions, signal, breathe };
  const request = await readRequest({ ...createDraft(task, strategy), ...more }, around);
  const registry = builtInRegistry();
  return {
    name: "core",
    fragments: request.fragments,
    run: () => assembleCore(request, registry, app.createRun("", { namespace: "", signal })),
    check: (answer) => checkPayload(answer as Payload, task),
  };
}

function createDraft({ fragments, tokenBudget }: Task, strategy: string): Parameters<typeof readRequest>[0] {
  return {
    requestId: "",
    fragments,
    budget: { maxTokens: tokenBudget, reservedTokens: 0, sections: [] },
    strategies: [{ name: strategy }],
    query: "",
    parentFragments: [],
    trace: 0,
    contentMode: 0,
  };
}

function checkPayload({ fragments, totalTokens, decisions }: Payload, task: Task): void {
  const ids = fragments.map(({ fragmentId }) => fragmentId);
  expectRankedIds(ids, task.expected);
  const dropped = task.fragments.length - ids.length;
  if (totalTokens !== task.expected.totalTokens || decisions.length !== dropped) {
    throw new Error(`${totalTokens} tokens and ${decisions.length} decisions do not add up.`);
  }
}
