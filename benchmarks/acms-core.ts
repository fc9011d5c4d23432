import {
  assemble as assembleCore,
  builtInRegistry,
  DEFAULT_LIMITS,
  type Payload,
  readRequest,
} from "../src/core/index.js";
import { createRun, newId, now } from "../src/run.js";
import { counterOf } from "../src/tokens/counters.js";
import type { Contestant } from "./contestant.js";
import { expectRankedIds, type Task } from "./selection.js";

/**
 * The core under one strategy, from parsed fragments to the sealed payload with the trace of the dropped ones. The
 * request is read before the clock starts; every run assembles it anew.
 */
export async function createAcms(task: Task, strategy: "relevance" | "recency"): Promise<Contestant> {
  const { signal } = new AbortController();
  const counter = counterOf("", "chars4");
  const limits = { ...DEFAULT_LIMITS, maxFragments: task.fragments.length };
  const request = await readRequest(createDraft(task, strategy), { limits, now: now(), newId, counter, signal });
  const registry = builtInRegistry();
  return {
    name: "core",
    run: () => assembleCore(request, registry, createRun({ signal, counter })),
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
