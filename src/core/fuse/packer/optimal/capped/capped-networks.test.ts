/** Networks within caps: of pools in which fragments require one another so that large components arise. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { idsOf, testRun } from "../../../../drafts.fixture.js";
import type { Packing } from "../../../packing.js";
import { createOptimal } from "../../optimal.js";
import { largePool } from "./capped-large-pools.fixture.js";
import { type CappedPool, turnedAround } from "./capped-pools.fixture.js";
import { chosenOf, judgeBy, openSolver } from "./solver.fixture.js";

/** How many pools of a family and size are given to the solver; `CAPPED_PROGRAMS` asks for a larger campaign. */
const PROGRAMS = Number(process.env.CAPPED_PROGRAMS ?? 2);

const FAMILIES = [
  ["5 % require another", { requiring: 0.05, isGrouped: false }],
  ["15 % require another", { requiring: 0.15, isGrouped: false }],
  ["30 % require another", { requiring: 0.3, isGrouped: false }],
] as const;

const TIERS = [
  { tiersBy: "key", isCrossed: false },
  { tiersBy: "variant", isCrossed: true },
] as const;

function pack({ input }: CappedPool, packerStepLimit?: number): Packing {
  return createOptimal({ ...(packerStepLimit && { packerStepLimit }) }).pack(input, testRun()) as Packing;
}

for (const [name, family] of FAMILIES) {
  for (const [keys, most] of [
    [15, 0],
    [30, 0],
    [50, 0.02],
  ] as const) {
    test(`${keys} keys of which ${name}: the best value of a solver, and a gap of ${most} at most`, async () => {
      const solve = await openSolver();
      for (const tiers of TIERS) {
        for (let seed = 0; seed < (keys === 50 ? PROGRAMS / 2 : PROGRAMS); seed++) {
          const pool = largePool(seed, { ...family, ...tiers, keys });
          const packing = pack(pool);
          const where = `seed ${seed}, tiers by ${tiers.tiersBy}`;
          assert.equal(judgeBy(solve(pool.input), pool, packing, where), 0, `${where}: not the best`);
          assert.ok(packing.report!.gap <= most, `${where}: ${packing.report!.gap}`);
        }
      }
    });
  }

  test(`100 and 200 keys of which ${name}: the gap is at most a hundredth`, () => {
    for (const keys of [100, 200]) {
      for (let seed = 0; seed < 2; seed++) {
        const { gap } = pack(largePool(seed, { ...family, ...TIERS[0], keys })).report!;
        assert.ok(gap <= 0.01, `${keys} keys, seed ${seed}: ${gap}`);
      }
    }
  });
}

test("a search cut short breaks nothing, says no bound below the best value and proves nothing false", async () => {
  const solve = await openSolver();
  for (const [, family] of FAMILIES.slice(1)) {
    for (let seed = 0; seed < PROGRAMS; seed++) {
      const pool = largePool(seed, { ...family, ...TIERS[seed % 2]!, keys: 30 });
      const best = solve(pool.input);
      for (const limit of [1, 300, 3_000, 30_000]) {
        const packing = pack(pool, limit);
        judgeBy(best, pool, packing, `seed ${seed}, ${limit} steps`);
        assert.ok(packing.report!.steps <= 2 * limit + 20_000, `${packing.report!.steps} of ${limit}`);
      }
    }
  }
});

test("any order of the input gives the same set, also where many sets are equal and where the search is cut short", () => {
  for (let seed = 0; seed < 3; seed++) {
    const pool = largePool(seed, { ...FAMILIES[2][1], ...TIERS[seed % 2]!, keys: 30 + 10 * (seed % 2) });
    const coarse = pool.drafts.map((draft) => ({
      ...draft,
      relevanceScore: Math.ceil(draft.relevanceScore! * 4) / 4,
      tokenCount: Math.ceil(draft.tokenCount! / 200) * 200,
    }));
    for (const drafts of [pool.drafts, coarse]) {
      const given = { ...pool, drafts };
      const turned = turnedAround(given);
      const again = turnedAround({ ...given, drafts: [...drafts].reverse(), input: turned });
      for (const limit of [undefined, 20_000]) {
        const [first, other] = [again, turned].map((input) => {
          const packing = pack({ ...given, input }, limit);
          return { ids: idsOf(chosenOf(input, packing)).sort(), report: packing.report };
        });
        assert.deepEqual(other, first, `seed ${seed}`);
      }
    }
  }
});
