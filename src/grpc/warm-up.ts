/**
 * What a server does before its first call: it assembles pools of its own, from bytes to bytes, so that the code on the way is compiled when
 * a caller's ten thousand fragments come. What runs for the first time holds the thread longer.
 */
import { AssembleRequest, AssembleResponse } from "../../gen/acms/v1/assembly_service.js";
import type { ContextFragment } from "../../gen/acms/v1/fragment.js";
import { type App, createApp } from "../app.js";
import { TraceLevel } from "../core/index.js";
import { strictReader } from "./strict-reader.js";
import { payloadToWire } from "./to-wire.js";

/** Nodes of a pool, each with three variants. */
const NODES = 400;
/** How often each pipeline packs one. */
const ROUNDS = 7;
const BUDGET = 30_000;

const PIPELINES = [
  { profile: "direct", packer: "in_order" },
  { profile: "fusion", packer: "greedy_knapsack" },
  { profile: "fusion", packer: "relaxation" },
  { profile: "fusion", packer: "optimal" },
] as const;

/** Assembles pools, with turns for everything else in between; takes about a second, unless the signal ends it before. */
export async function warmUp(signal?: AbortSignal): Promise<void> {
  const app = createApp();
  for (let round = 0; round < ROUNDS; round++) {
    for (const pipeline of PIPELINES) {
      if (signal?.aborted) return;
      await assembleOnce(app, pipeline, round);
    }
  }
}

async function assembleOnce(app: App, pipeline: (typeof PIPELINES)[number], round: number): Promise<void> {
  const request = AssembleRequest.fromPartial({
    fragments: Array.from({ length: 3 * NODES }, (_, i) => fragmentOf(i, round)),
    budget: { maxTokens: BUDGET },
    pipeline,
    trace: TraceLevel.FULL,
  });
  const bytes = AssembleRequest.encode(request).finish();
  const decoded = AssembleRequest.decode(strictReader(Buffer.from(bytes)));
  const { payload, idsOnly } = await app.assemble(decoded, "", { namespace: "", signal: new AbortController().signal });
  AssembleResponse.encode({ payload: payloadToWire(payload, idsOnly), requestId: "" }).finish();
}

/**
 * One of three variants of a node. What has no links goes another way, so links come in later rounds: then a fifth of the nodes stand in
 * groups of two, and a tenth of the fragments require another.
 */
function fragmentOf(i: number, round: number): Partial<ContextFragment> {
  const node = Math.floor(i / 3);
  const depth = [9, 5, 1][i % 3]!;
  const isGrouped = round > 0 && node < NODES / 5;
  const other = (node * 7 + 3) % NODES;
  const isRequiring = round > 1 && i % 10 === 0 && other !== node;
  return {
    fragmentId: `${node}-${depth}`,
    ukoNode: `warm-up/${node}`,
    content: `Node ${node} at depth ${depth}.`,
    tokenCount: 1 + Math.floor(((50 + ((node * 37) % 900)) * depth) / 9),
    relevanceScore: (((node * 61) % 97) / 97) * (0.4 + depth / 15),
    detailDepth: depth,
    groupId: isGrouped ? `group-${node >> 1}` : "",
    variantKey: isGrouped ? `node-${node}` : "",
    requires: isRequiring ? [`${other}-9`] : [],
  };
}
