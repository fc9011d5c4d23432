import type { AssembleResponse, AssemblyServiceClient } from "../gen/acms/v1/assembly_service.js";
import { Trace } from "../gen/acms/v1/trace.js";
import type { Contestant } from "./contestant.js";
import { createFragments } from "./corpus.js";
import { compare } from "./harness.js";
import type { Figures } from "./report.js";
import { createRelevanceTask, expectRankedIds, type Task } from "./selection.js";
import { call, createClient, createRequest, withServer } from "./wire-client.js";

const SIZES = [
  { count: 1_000, size: "1k", rounds: 150 },
  { count: 10_000, size: "10k", rounds: 25 },
] as const;

/** What a payload may tell of its decisions. */
const LEVELS = [
  { name: "wire_trace_none", trace: Trace.TRACE_NONE },
  { name: "wire_trace_dropped", trace: Trace.TRACE_DROPPED },
  { name: "wire_trace_full", trace: Trace.TRACE_FULL },
] as const;

/** What the trace costs over loopback, half of the tokens kept, the three levels in turn in one run. */
export async function benchTrace(figures: Figures): Promise<void> {
  await withServer(async ({ product }) => {
    const client = createClient(product);
    for (const { count, size, rounds } of SIZES) {
      const task = createRelevanceTask(createFragments(count));
      const contestants = LEVELS.map((level) => createCaller(level, client, task));
      figures.addTimings(await compare({ contestants, rounds, turnMs: 0 }), size);
      const noneMs = figures.get(`wire_trace_none_${size}_ms`);
      for (const level of ["dropped", "full"]) {
        figures.add(`wire_trace_${level}_over_none_${size}`, figures.get(`wire_trace_${level}_${size}_ms`) / noneMs);
      }
    }
    client.close();
  });
}

function createCaller({ name, trace }: (typeof LEVELS)[number], client: AssemblyServiceClient, task: Task): Contestant {
  const request = createRequest(task, name, trace);
  const kept = task.expected.ids.length;
  const total = task.fragments.length;
  const decisions = { [Trace.TRACE_NONE]: 0, [Trace.TRACE_DROPPED]: total - kept, [Trace.TRACE_FULL]: total }[trace];
  return {
    name,
    run: () => call(client, request),
    check: (answer) => {
      const { payload } = answer as AssembleResponse;
      const ids = payload?.fragments.map(({ fragmentId }) => fragmentId) ?? [];
      expectRankedIds(ids, task.expected);
      if (payload?.decisions.length !== decisions) {
        throw new Error(`There are ${payload?.decisions.length} decisions, not ${decisions}.`);
      }
    },
  };
}
