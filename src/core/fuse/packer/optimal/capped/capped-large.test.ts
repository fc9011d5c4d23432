/** The packers for value within caps among many fragments: against a solver of linear programs, and how near value and bound come. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { idsOf, testRun } from "../../../../drafts.fixture.js";
import type { Packing } from "../../../packing.js";
import { createOptimal } from "../../optimal.js";
import { createRelaxation } from "../../relaxation.js";
import { largePool } from "./capped-large-pools.fixture.js";
import { afterFloors, isWithinCaps, turnedAround } from "./capped-pools.fixture.js";
import { chosenOf, judgeBy, openSolver } from "./solver.fixture.js";

/** How many pools are given to the solver; `CAPPED_PROGRAMS` asks for a larger campaign. */
const PROGRAMS = Number(process.env.CAPPED_PROGRAMS ?? 12);

const PLAIN = { tiersBy: "key", isCrossed: false, requiring: 0, isGrouped: false } as const;

/** By family: the most that is lost against the best value at up to 66 keys, and in how many of a hundred pools something is. */
const FAMILIES = [
  ["caps apart", 0, 0, PLAIN],
  ["caps that overlap", 0, 0, { ...PLAIN, isCrossed: true }],
  ["variants in different tiers", 0.003, 3, { ...PLAIN, tiersBy: "variant" }],
  ["variants in different tiers, caps that overlap", 0.003, 3, { ...PLAIN, tiersBy: "variant", isCrossed: true }],
  ["groups", 0, 0, { ...PLAIN, isGrouped: true }],
  ["groups, caps that overlap", 0.003, 3, { ...PLAIN, isGrouped: true, tiersBy: "variant", isCrossed: true }],
  ["requirements", 0, 0, { ...PLAIN, requiring: 0.15 }],
] as const;

for (const [name, most, missed, shape] of FAMILIES) {
  test(`${name}: no bound is below the best value of a solver, no proof false, in ${PROGRAMS} pools`, async () => {
    const solve = await openSolver();
    const count = { best: 0, proven: 0, worst: 0 };
    for (let seed = 0; seed < PROGRAMS; seed++) {
      const keys = 7 + ((seed * 13) % 60);
      const pool = largePool(seed, { ...shape, keys });
      const packing = createOptimal({}).pack(pool.input, testRun()) as Packing;
      const lost = judgeBy(solve(pool.input), pool, packing, `seed ${seed}, ${keys} keys`);
      if (lost === 0) count.best++;
      if (packing.report!.provenOptimal) count.proven++;
      count.worst = Math.max(count.worst, lost);
    }
    if (process.env.CAPPED_PROGRAMS !== undefined) console.log(name, count);
    assert.ok(count.worst <= most + 1e-9, JSON.stringify(count));
    assert.ok(PROGRAMS - count.best <= Math.ceil((PROGRAMS * missed) / 100), JSON.stringify(count));
  });
}

for (const [keys, most, pools] of [
  [30, 0.05, 6],
  [200, 0.01, 4],
  [1_000, 0.001, 2],
] as const) {
  for (const [name, , , shape] of FAMILIES) {
    test(`at ${keys} keys, ${name}: the gap is at most ${most}, and the relaxation's at most twice that`, () => {
      for (let seed = 0; seed < pools; seed++) {
        const { input, sections } = largePool(seed, { ...shape, keys });
        for (const [packer, limit] of [
          [createOptimal({}), most],
          [createRelaxation({}), most * 2],
        ] as const) {
          const packing = packer.pack(input, testRun()) as Packing;
          const chosen = chosenOf(input, packing);
          assert.ok(isWithinCaps(sections, chosen), `seed ${seed}: a cap is broken`);
          assert.ok(
            [...afterFloors(input, {}).committed].every((one) => chosen.includes(one)),
            `seed ${seed}: a floor is not in`,
          );
          assert.ok(packing.report!.gap <= limit, `seed ${seed}: ${packing.report!.packer} ${packing.report!.gap}`);
        }
      }
    });
  }
}

test("any order of the input gives the same set, among variants in different tiers and among requirements", () => {
  for (const shape of [
    { ...PLAIN, tiersBy: "variant", isCrossed: true, keys: 150 },
    { ...PLAIN, requiring: 0.15, keys: 80 },
  ] as const) {
    for (let seed = 0; seed < 3; seed++) {
      const pool = largePool(seed, shape);
      const [first, other] = [pool.input, turnedAround(pool)].map((input) => {
        const packing = createOptimal({ packerStepLimit: 200_000 }).pack(input, testRun()) as Packing;
        return { ids: idsOf(chosenOf(input, packing)).sort(), report: packing.report };
      });
      assert.deepEqual(other, first, `seed ${seed}`);
    }
  }
});

test("within the limit of steps, whatever it is", () => {
  const { input } = largePool(3, { ...PLAIN, isCrossed: true, keys: 200 });
  for (const packerStepLimit of [1, 1_000, 30_000]) {
    const { report } = createOptimal({ packerStepLimit }).pack(input, testRun()) as Packing;
    assert.ok(report!.steps <= 2 * packerStepLimit + 20_000, `${report!.steps} of ${packerStepLimit}`);
  }
});
