import { PipelineSpec } from "../../gen/acms/v1/component.js";
import { createApp } from "../../src/app.js";
import {
  assemble,
  builtInRegistry,
  type Packing,
  type PackingInput,
  type PackingReport,
  Registry,
  readRequest,
  TraceLevel,
} from "../../src/core/index.js";
import { now } from "../../src/run.js";
import type { Pool } from "./pools.js";

/** The most fragments of a pool: 10,000 nodes with three variants. */
const MAX_FRAGMENTS = 30_000;

const app = createApp({ limits: { maxFragments: MAX_FRAGMENTS } });
const registry = builtInRegistry();
const { signal } = new AbortController();

/** What the packer of a pipeline is given for a pool; `withTokens` says what it may spend. */
export type Given = Omit<PackingInput, "tokens">;

/**
 * What a packer is given, caught by a packer that takes nothing: `direct` offers every variant by relevance; `fusion`
 * has found the variants of each node, and its scorer passes the relevance through, so that both spend on the same worth.
 */
export async function catchInput(pool: Pool, profile: "direct" | "fusion"): Promise<Given> {
  let caught: PackingInput | undefined;
  const catcher = new Registry(registry).addComponent("packer", "catcher", () => ({
    keepsVariants: profile === "direct",
    pack: (input) => {
      caught = input;
      return { chosenBy: new Uint8Array(input.fragments.length), required: new Map(), unreachable: new Map() };
    },
  }));
  const { limits, newId } = app;
  const { counter, expressions, breathe } = app.createRun("", { namespace: "", signal });
  const request = await readRequest(
    {
      requestId: "",
      fragments: pool.fragments,
      budget: { maxTokens: 2 ** 31 - 1, reservedTokens: 0, sections: [] },
      strategies: [{ name: "relevance" }],
      pipeline: PipelineSpec.fromPartial({ profile, scorer: "pass_through", packer: "catcher" }),
      query: "",
      parentFragments: [],
      trace: TraceLevel.NONE,
      contentMode: 0,
    },
    { limits, now: now(), newId, counter, expressions, signal, breathe },
  );
  await assemble(request, catcher, app.createRun("", { namespace: "", signal }));
  return caught as PackingInput;
}

/** Lets a built-in packer spend so many tokens, in turns with other calls as in a server. */
export function pack(name: string, given: Given, tokens: number): Packing | Promise<Packing> {
  const nominations = given.nominations.map((nomination) => ({ ...nomination, tokens }));
  const packer = registry.component("packer", name, {});
  return packer.pack({ ...given, nominations, tokens }, app.createRun("", { namespace: "", signal }));
}

/** Which fragments a packing takes, by their position in the pool. */
export function positionsOf({ chosenBy }: Packing): number[] {
  return Array.from(chosenBy.keys()).filter((position) => chosenBy[position] !== 0);
}

/** The report of a packer for value. */
export function reportOf({ report }: Packing): PackingReport {
  if (report === undefined) {
    throw new Error("The packer gave no report.");
  }
  return report;
}

/** What a selection is worth: of each node the best variant that is in it. Throws where it is over its budget. */
export function worthOf(positions: readonly number[], { fragments, variants }: Pool, tokens: number): number {
  const best = new Map<number, number>();
  let spent = 0;
  for (const position of positions) {
    const { tokenCount = 0, relevanceScore = 0 } = fragments[position] ?? {};
    const node = Math.floor(position / variants);
    spent += tokenCount;
    best.set(node, Math.max(best.get(node) ?? 0, relevanceScore));
  }
  if (spent > tokens) {
    throw new Error(`${spent} tokens are over the budget of ${tokens}.`);
  }
  let value = 0;
  for (const score of best.values()) {
    value += score;
  }
  return value;
}
