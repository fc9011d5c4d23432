import { PipelineSpec } from "../gen/acms/v1/component.js";
import { createPool, type PoolSpec } from "./packing/pools.js";
import type { Figures } from "./report.js";
import { call, createClient, createRequest, withServer } from "./wire-client.js";

/** Servers that are started for each pool, and calls of each: a first one, and some after it. */
const SERVERS = 5;
const CALLS = 5;

/** Nodes of three variants, nearly as many fragments as a request may hold. */
const NODES = 3_333;
const SHARE = 0.1;

const POOLS: readonly { readonly name: string; readonly linked: Pick<PoolSpec, "requiring"> }[] = [
  { name: "plain", linked: {} },
  { name: "linked", linked: { requiring: "every" } },
];

/**
 * How long `optimal` holds the event loop of a server in one piece, from the bytes of a request to those of its answer: in the first call
 * after the start, and in the calls after it.
 */
export async function benchLoop(figures: Figures): Promise<void> {
  for (const { name, linked } of POOLS) {
    const first: number[] = [];
    const next: number[] = [];
    for (let server = 0; server < SERVERS; server += 1) {
      const pool = createPool({ family: "plain", nodes: NODES, variants: 3, seed: server + 1, ...linked });
      const task = { fragments: pool.fragments, tokenBudget: Math.floor(pool.fullTokens * SHARE), expected: NOTHING };
      const request = {
        ...createRequest(task, name),
        pipeline: PipelineSpec.fromPartial({ profile: "fusion", packer: "optimal" }),
      };
      await withServer(async ({ product }, longestPiece) => {
        const client = createClient(product);
        for (let round = 0; round < CALLS; round += 1) {
          const ms = await longestPiece(async () => checkProven(await call(client, request)));
          (round === 0 ? first : next).push(ms);
        }
        client.close();
      });
    }
    addPieces(figures, `loop_first_${name}`, first);
    addPieces(figures, `loop_next_${name}`, next);
  }
}

const NOTHING = { ids: [], totalTokens: 0 };

function checkProven({ payload }: Awaited<ReturnType<typeof call>>): void {
  if (payload?.packing?.provenOptimal !== true) {
    throw new Error("The packing that was to be timed is not the best one.");
  }
}

function addPieces(figures: Figures, name: string, pieces: readonly number[]): void {
  const sorted = pieces.toSorted((one, other) => one - other);
  figures.add(`${name}_ms`, sorted[Math.floor(sorted.length / 2)] as number);
  figures.add(`${name}_max_ms`, sorted.at(-1) as number);
}
