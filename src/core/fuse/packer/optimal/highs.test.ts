import assert from "node:assert/strict";
import { test } from "node:test";
import highsModule from "highs";
import { scored, testRun } from "../../../drafts.fixture.js";
import type { FragmentDraft } from "../../../model/fragment.js";
import type { Packing } from "../../packing.js";
import { createOptimal } from "../optimal.js";
import { linearProgramOf } from "./linear-program.fixture.js";
import { createDraw, inputOf } from "./random-pools.fixture.js";

// The package's types are those of a CommonJS module, whose default export is a member; its ES module is the function itself.
const loadHighs = highsModule as unknown as typeof highsModule.default;

/** How many pools, and how large at most; `HIGHS_POOLS` asks for a larger campaign, with larger pools. */
const POOLS = Number(process.env.HIGHS_POOLS ?? 60);
const MOST_FRAGMENTS = process.env.HIGHS_POOLS === undefined ? 100 : 200;

/** Without the first the solver stops within a ten-thousandth of the best. */
const EXACT = { mip_rel_gap: 0, mip_abs_gap: 1e-9, output_flag: false };

/** Twenty fragments and more; in two of three pools groups, requirements near and far, variants of groups and pins. */
function draftsOf(seed: number): { drafts: FragmentDraft[]; share: number } {
  const draw = createDraw(seed);
  const count = 20 + draw.below(MOST_FRAGMENTS - 19);
  const isLinked = seed % 3 !== 0;
  const reach = draw.of([8, count]);
  const requiring = draw.of([0.05, 0.15, 0.3]);
  const drafts = Array.from({ length: count }, (_, i) => {
    const tokens = draw.of([1 + draw.below(1_000), 100 * (1 + draw.below(9))]);
    const fields: Partial<FragmentDraft> = { ukoNode: `u${i}`, createdAt: { seconds: i, nanos: 0 } };
    if (draw.next() < 0.4) Object.assign(fields, { ukoNode: `n${draw.below(count / 3)}`, detailDepth: draw.below(9) });
    if (isLinked && draw.next() < 0.2) fields.groupId = `g${draw.below(count / 12)}`;
    if (fields.groupId !== undefined && draw.next() < 0.2) fields.variantKey = draw.of(["p", "q"]);
    if (isLinked && draw.next() < requiring) {
      const near = [draw.below(reach), draw.below(reach)].map((step) => (i + step + count - (reach >> 1)) % count);
      fields.requires = [...new Set(near)].filter((other) => other !== i).map((other) => `f${other}`);
    }
    if (isLinked && draw.next() < 0.02) fields.pinned = true;
    return scored(`f${i}`, draw.of([draw.next(), draw.below(101) / 100]), tokens, fields);
  });
  return { drafts, share: draw.of([0.05, 0.1, 0.3, 0.5]) };
}

test(`the value is what a solver of linear programs finds, in ${POOLS} pools of 20 to ${MOST_FRAGMENTS} fragments`, async () => {
  const highs = await loadHighs();
  for (let seed = 0; seed < POOLS; seed++) {
    const { drafts, share } = draftsOf(seed);
    const total = drafts.reduce((sum, { tokenCount }) => sum + (tokenCount ?? 0), 0);
    const input = inputOf(drafts, Math.floor(total * share));
    const { report } = createOptimal({}).pack(input, testRun()) as Packing;
    const pins = [...input.committed].reduce((sum, { relevanceScore }) => sum + relevanceScore, 0);
    const { ObjectiveValue } = highs.solve(linearProgramOf(input), EXACT);
    const best = pins + ObjectiveValue;
    assert.ok(report!.upperBound >= best - 1e-6, `seed ${seed}: the bound ${report!.upperBound} is below ${best}`);
    assert.ok(Math.abs(report!.value - best) <= 1e-6, `seed ${seed}: ${report!.value} is not ${best}`);
    assert.ok(report!.provenOptimal, `seed ${seed}: not proven`);
  }
});

/** Every fragment needs up to four of those before it, so that nearly everything hangs together: no list of situations is short enough. */
function webOf(seed: number, count: number): FragmentDraft[] {
  const draw = createDraw(seed);
  return Array.from({ length: count }, (_, i) => {
    const needed = new Set(Array.from({ length: i === 0 ? 0 : draw.below(5) }, () => `f${draw.below(i)}`));
    return scored(`f${i}`, draw.next(), 50 + draw.below(500), { ukoNode: `u${i}`, requires: [...needed] });
  });
}

for (const [count, most] of [
  [50, 0],
  [120, 0.1],
] as const) {
  test(`webs of ${count} fragments end within ${most} of the best value, below a bound that holds`, async () => {
    const highs = await loadHighs();
    for (let seed = 0; seed < 6; seed++) {
      const drafts = webOf(seed, count);
      const total = drafts.reduce((sum, { tokenCount }) => sum + (tokenCount ?? 0), 0);
      const input = inputOf(drafts, Math.floor(total * [0.1, 0.3, 0.5][seed % 3]!));
      const report = (createOptimal({}).pack(input, testRun()) as Packing).report!;
      const best = highs.solve(linearProgramOf(input), EXACT).ObjectiveValue;
      assert.ok(report.upperBound >= best - 1e-6, `seed ${seed}: the bound ${report.upperBound} is below ${best}`);
      assert.ok(
        report.value <= best + 1e-6 && report.value >= best * (1 - most) - 1e-6,
        `seed ${seed}: ${report.value}`,
      );
      assert.ok(!report.provenOptimal || report.value >= best - 1e-6, `seed ${seed}: a false proof`);
    }
  });
}
