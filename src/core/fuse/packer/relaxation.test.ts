import assert from "node:assert/strict";
import { test } from "node:test";
import { scored, testRun } from "../../drafts.fixture.js";
import type { FragmentDraft } from "../../model/fragment.js";
import type { PackingReport } from "../../model/payload.js";
import type { Packing, PackingInput } from "../packing.js";
import { createGreedyKnapsack } from "./greedy-knapsack.js";
import { createDraw, inputOf } from "./optimal/random-pools.fixture.js";
import { relaxationReport } from "./optimal/relaxation-report.js";
import { createOptimal } from "./optimal.js";
import { createRelaxation } from "./relaxation.js";

type Draw = ReturnType<typeof createDraw>;

/** Tokens and score of the deepest variant of a node. */
const FAMILIES: Readonly<Record<string, (draw: Draw) => [tokens: number, score: number]>> = {
  plain: (draw) => [200 + draw.below(3_000), draw.next()],
  "heavy tail": (draw) => [10 + Math.floor(50 * (1 / (draw.next() + 1e-4)) ** 0.9), draw.next()],
  "few large": (draw) => [draw.next() < 0.1 ? 5_000 + draw.below(5_000) : 50 + draw.below(200), draw.next()],
  "score follows size": (draw) => {
    const tokens = 100 + draw.below(2_000);
    return [tokens, (tokens + 200) / 3_000];
  },
};

function poolOf(
  family: string,
  keys: number,
  variants: number,
  seed: number,
): { drafts: FragmentDraft[]; total: number } {
  const draw = createDraw(seed);
  let total = 0;
  const drafts = Array.from({ length: keys }, (_, k) => {
    const [tokens, score] = FAMILIES[family]!(draw);
    total += tokens;
    const lengths = [1, 0.35, 0.08].slice(0, variants);
    return lengths.map((share, shallower) => {
      const worth = [1, 0.65, 0.3][shallower]!;
      const fields = { ukoNode: `n${k}`, detailDepth: 9 - shallower };
      return scored(`${k}-${shallower}`, score * worth, Math.ceil(tokens * share), fields);
    });
  });
  return { drafts: drafts.flat(), total };
}

for (const [keys, least, pools] of [
  [50, 0.99, 12],
  [200, 0.995, 6],
  [1_000, 0.9995, 2],
] as const) {
  test(`at ${keys} keys it reaches ${least} of the best value, and its bound is not below that`, () => {
    for (const family of Object.keys(FAMILIES)) {
      for (const variants of [1, 3]) {
        for (let seed = 0; seed < pools * 3; seed++) {
          const { drafts, total } = poolOf(family, keys, variants, seed);
          const input = inputOf(drafts, Math.floor(total * [0.05, 0.1, 0.3][seed % 3]!));
          const { report } = createRelaxation({}).pack(input, testRun()) as Packing;
          const best = (createOptimal({}).pack(input, testRun()) as Packing).report!;
          const where = `${family}, ${variants} variants, seed ${seed}`;
          assert.ok(report!.value >= least * best.value, `${where}: ${report!.value / best.value}`);
          assert.ok(report!.upperBound >= best.value - 1e-9, `${where}: bound ${report!.upperBound}`);
        }
      }
    }
  });
}

async function reportOf(input: PackingInput, packer: string, chosenBy: Uint8Array): Promise<PackingReport> {
  return (await relaxationReport(input, { packer, objective: {}, chosenBy }, testRun()))();
}

test("another packer's payload is measured by the bound", async () => {
  const drafts = [scored("big", 0.7, 250), scored("s1", 0.5, 150), scored("s2", 0.45, 150)];
  const input = inputOf(
    drafts.map((draft) => ({ ...draft, ukoNode: draft.fragmentId })),
    300,
  );
  const greedy = createGreedyKnapsack({}).pack(input, testRun()) as Packing;
  const report = await reportOf(input, "greedy_knapsack", greedy.chosenBy);
  assert.deepEqual(
    [report.value, report.upperBound, report.packer, report.provenOptimal],
    [0.7, 0.95, "greedy_knapsack", false],
  );
  assert.equal(report.gap, (0.95 - 0.7) / 0.95);
});

test("what has everything is proven the best", async () => {
  const input = inputOf([scored("a", 0.7, 250)], 300);
  const report = await reportOf(input, "in_order", Uint8Array.of(1));
  assert.deepEqual([report.value, report.upperBound, report.gap, report.provenOptimal], [0.7, 0.7, 0, true]);
});
