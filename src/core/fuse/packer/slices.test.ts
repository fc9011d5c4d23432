/** How much is done between two turns of other calls, counted in looks at fragments: no clock decides whether these tests pass. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { builtInRegistry } from "../../built-in.js";
import { fragmentsOf, scored, testRun } from "../../drafts.fixture.js";
import { ContextError } from "../../errors.js";
import type { Fragment, FragmentDraft } from "../../model/fragment.js";
import type { Run } from "../../run.js";
import { runAtOnce, runInSlices } from "../../run-in-slices.js";
import { linksOf, packingInputOf } from "../packing.fixture.js";
import type { Packing, PackingInput } from "../packing.js";
import { compileVariants } from "../variants.js";

const NODES = 4_000;

/** Every node with three variants; a fifth of the nodes in groups, and a tenth of the fragments require another. */
function linkedDrafts(): FragmentDraft[] {
  return Array.from({ length: 3 * NODES }, (_, i) => {
    const node = Math.floor(i / 3);
    const depth = i % 3;
    const groupId = node < NODES / 5 ? `group${Math.floor(node / 3)}` : "";
    const tokens = 10 + Math.floor(((i * 104_729) % 991) / (1 + depth));
    return scored(`${node}-${depth}`, ((i * 7_919) % 10_007) / 10_007, tokens, {
      ukoNode: `project://${node}`,
      detailDepth: 9 - depth,
      groupId,
      variantKey: groupId === "" ? "" : `node${node}`,
      requires: i % 10 === 7 ? [`${(node * 31 + 17) % NODES}-0`] : [],
    });
  });
}

/** The same fragments, each of which counts how often somebody looks at which one it is. */
function watched(fragments: readonly Fragment[]): { looks: number; fragments: Fragment[] } {
  const watch = {
    looks: 0,
    fragments: fragments.map((fragment, i) =>
      Object.defineProperty({ ...fragment }, "inputIndex", {
        get: () => {
          watch.looks++;
          return i;
        },
      }),
    ),
  };
  return watch;
}

interface Pool {
  readonly input: PackingInput;
  /** Looks so far. */
  looks(): number;
}

function linkedPool(): Pool {
  const watch = watched(fragmentsOf(...linkedDrafts()));
  const { fragments } = watch;
  const scores = Float64Array.from(fragments, ({ relevanceScore }) => relevanceScore);
  const variants = runAtOnce(compileVariants(fragments, fragments.length));
  const order = [...fragments.keys()].sort((a, b) => scores[b]! - scores[a]!);
  const input = packingInputOf(fragments, 200_000, { scores, variants, links: linksOf(fragments, true) });
  const [nomination] = input.nominations;
  const nominations = [{ ...nomination!, positions: Uint32Array.from(order) }];
  return { input: { ...input, nominations }, looks: () => watch.looks };
}

/** A run that notes the most looks between two of its breaths. */
function watchingRun({ looks }: Pool): { run: Run; most(): number; breaths(): number } {
  let last = looks();
  let most = 0;
  let breaths = 0;
  const note = (): void => {
    most = Math.max(most, looks() - last);
    last = looks();
  };
  const breathe = (): void => {
    breaths++;
    note();
  };
  return {
    run: testRun({ breathe }),
    breaths: () => breaths,
    most: () => {
      note();
      return most;
    },
  };
}

/** Two looks at each fragment in one go; a packing takes six to fifteen in all, and its shortfalls up to twenty. */
const MOST_LOOKS = 2 * 3 * NODES;

for (const name of ["greedy_knapsack", "in_order", "diverse", "optimal", "relaxation"]) {
  test(`${name} lets others have a turn while it packs, explains and says what was missing`, async () => {
    const pool = linkedPool();
    const packing = watchingRun(pool);
    const packer = builtInRegistry().component("packer", name, {});
    const packed = await packer.pack(pool.input, packing.run);
    assert.ok(packing.most() < MOST_LOOKS, `${packing.most()} looks in one piece of the packing`);
    assert.ok(packing.breaths() >= 8, `${packing.breaths()} breaths in the packing`);
    const shortfalls = watchingRun(pool);
    const { tokens } = await runInSlices(packed.shortfalls!(), shortfalls.run);
    assert.ok(tokens.some((missing) => missing > 0));
    assert.ok(shortfalls.most() < MOST_LOOKS, `${shortfalls.most()} looks in one piece of the shortfalls`);
    assert.ok(shortfalls.breaths() > 15, `${shortfalls.breaths()} breaths in the shortfalls`);
  });

  test(`${name} ends where an abort comes in the middle of it, or of what was missing`, async () => {
    const pool = linkedPool();
    const packer = builtInRegistry().component("packer", name, {});
    await checkAbort(pool, 8, async (run) => packer.pack(pool.input, run));
    const packed: Packing = await packer.pack(pool.input, testRun());
    await checkAbort(pool, 8, async (run) => runInSlices(packed.shortfalls!(), run));
  });
}

/** Aborts at a breath, after which nobody looks at a fragment any more. */
async function checkAbort(pool: Pool, at: number, work: (run: Run) => Promise<unknown>): Promise<void> {
  const controller = new AbortController();
  const gone = new ContextError("CANCELLED", "gone");
  let breaths = 0;
  let looks = 0;
  const breathe = async (): Promise<void> => {
    breaths++;
    if (breaths === at) controller.abort(gone);
    looks = pool.looks();
  };
  await assert.rejects(work(testRun({ signal: controller.signal, breathe })), gone);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(breaths, at);
  assert.equal(pool.looks(), looks);
}
