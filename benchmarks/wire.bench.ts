import type { AssembleRequest, AssembleResponse, AssemblyServiceClient } from "../gen/acms/v1/assembly_service.js";
import type { Contestant } from "./contestant.js";
import { createFragments } from "./corpus.js";
import { compare } from "./harness.js";
import type { Figures } from "./report.js";
import { createKeepAllTask, expectRankedIds, type Task } from "./selection.js";
import { call, createClient, createRequest, withServer } from "./wire-client.js";

const SIZES = [
  { count: 100, size: "100", rounds: 200 },
  { count: 1_000, size: "1k", rounds: 200 },
  { count: 10_000, size: "10k", rounds: 25 },
] as const;

/** Assemble over loopback beside the echo in the same server process, all fragments kept, at three sizes. */
export async function benchWire(figures: Figures): Promise<void> {
  await withServer(async ({ product, echo }) => {
    const productClient = createClient(product);
    const echoClient = createClient(echo);
    for (const { count, size, rounds } of SIZES) {
      const task = createKeepAllTask(createFragments(count));
      const request = createRequest(task, size);
      const { payload } = await call(echoClient, request);
      const exchange = { task, request, contextHash: payload?.contextHash };
      const contestants = [
        createCaller("wire", productClient, exchange),
        createCaller("wire_echo", echoClient, exchange),
      ];
      figures.addTimings(await compare({ contestants, rounds, turnMs: 0 }), size);
      figures.add(`wire_over_echo_${size}`, figures.get(`wire_${size}_ms`) / figures.get(`wire_echo_${size}_ms`));
    }
    productClient.close();
    echoClient.close();
  });
}

interface Exchange {
  readonly task: Task;
  readonly request: AssembleRequest;
  /** What each answer's hash has to be. */
  readonly contextHash: string | undefined;
}

function createCaller(name: string, client: AssemblyServiceClient, exchange: Exchange): Contestant {
  return {
    name,
    run: () => call(client, exchange.request),
    check: (answer) => checkResponse(answer as AssembleResponse, exchange),
  };
}

/** Every fragment comes back as it was sent, with its provenance beside it, under the one hash. */
function checkResponse({ payload }: AssembleResponse, { task, contextHash }: Exchange): void {
  const { fragments = [], provenanceMap, decisions = [] } = payload ?? {};
  const ids = fragments.map(({ fragmentId }) => fragmentId);
  expectRankedIds(ids, task.expected);
  const contentOf = new Map(task.fragments.map(({ fragmentId, content }) => [fragmentId, content]));
  const changed = fragments.find(({ fragmentId, content }) => content !== contentOf.get(fragmentId));
  if (changed !== undefined) {
    throw new Error(`The content of ${changed.fragmentId} came back changed.`);
  }
  if (payload?.contextHash !== contextHash || payload?.totalTokens !== task.expected.totalTokens) {
    throw new Error(`The hash ${payload?.contextHash} and ${payload?.totalTokens} tokens are not those expected.`);
  }
  if (provenanceMap?.size !== fragments.length || decisions.length > 0) {
    throw new Error(`${provenanceMap?.size} provenances and ${decisions.length} decisions do not add up.`);
  }
}
