/** The packers for value within caps, against every set of small pools. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { idsOf, testRun } from "../../../../drafts.fixture.js";
import type { Packing } from "../../../packing.js";
import { createOptimal } from "../../optimal.js";
import { createRelaxation } from "../../relaxation.js";
import { judgeOf } from "../best-set.fixture.js";
import { relaxationReport } from "../relaxation-report.js";
import { afterFloors, type CappedShape, cappedPool, isWithinCaps, turnedAround } from "./capped-pools.fixture.js";

/** How many pools of each shape; `CAPPED_POOLS` asks for a larger campaign. */
const POOLS = Number(process.env.CAPPED_POOLS ?? 400);
const TOLERANCE = 1e-9;

const SHAPES: Readonly<Record<string, CappedShape>> = {
  "single fragments, caps apart": { fewest: 5, most: 12, isLinked: false, isCrossed: false },
  "single fragments, caps that overlap": { fewest: 5, most: 12, isLinked: false, isCrossed: true },
  "groups, requirements, variants and pins, caps apart": { fewest: 5, most: 12, isLinked: true, isCrossed: false },
  "groups, requirements, variants and pins, caps that overlap": {
    fewest: 5,
    most: 12,
    isLinked: true,
    isCrossed: true,
  },
};

/** Judges a packing; answers how far it is from the best. */
function judge(seed: number, shape: CappedShape, pack: "optimal" | "relaxation" | number) {
  const { input, objective, sections } = cappedPool(seed, shape);
  const filled = afterFloors(input, objective);
  const best = judgeOf(filled, objective, (fragments) => isWithinCaps(sections, fragments));
  const packer =
    pack === "relaxation"
      ? createRelaxation(objective)
      : createOptimal({ ...objective, ...(typeof pack === "number" && { packerStepLimit: pack }) });
  const packing = packer.pack(input, testRun()) as Packing;
  const chosen = packing.chosenBy.reduce((set, by, i) => (by === 0 ? set : set | (1 << i)), 0) & ~best.committed;
  const { value, upperBound, gap, provenOptimal } = packing.report!;
  const where = `seed ${seed}`;
  const slack = TOLERANCE * (1 + best.bestValue);
  assert.equal(
    filled.fragments.filter((one) => filled.committed.has(one) && packing.chosenBy[one.inputIndex] === 0).length,
    0,
    `${where}: a floor is not in`,
  );
  assert.ok(best.isPossible(chosen), `${where}: not possible`);
  assert.ok(best.tokensOf(chosen) <= filled.tokens, `${where}: over budget`);
  assert.ok(upperBound >= best.bestValue - slack, `${where}: the bound ${upperBound} is below ${best.bestValue}`);
  assert.ok(value <= best.bestValue + slack, `${where}: better than the best`);
  assert.ok(!provenOptimal || value >= best.bestValue - slack, `${where}: a false proof`);
  assert.ok(gap >= 0 && gap <= 1, `${where}: gap ${gap}`);
  return { isOptimal: value >= best.bestValue - slack, provenOptimal, best, chosen };
}

for (const [name, shape] of Object.entries(SHAPES)) {
  test(`within caps the set is the best of all, in ${POOLS} pools of ${name}`, () => {
    const count = { missed: 0, open: 0 };
    for (let seed = 0; seed < POOLS; seed++) {
      const { isOptimal, provenOptimal, best, chosen } = judge(seed, shape, "optimal");
      if (!isOptimal) count.missed++;
      if (!provenOptimal) {
        count.open++;
        continue;
      }
      assert.equal(best.best & ~chosen, 0, `seed ${seed}: an equal that stands later`);
      assert.equal(best.valueOf(chosen & ~best.best), 0, `seed ${seed}: something of worth beside the best`);
    }
    if (process.env.CAPPED_POOLS !== undefined) console.log(name, count);
    assert.ok(count.missed <= POOLS / 1_000 && count.open <= POOLS / 100, JSON.stringify(count));
  });

  test(`a search cut short breaks nothing, says no lower bound and proves nothing false, among ${name}`, () => {
    for (let seed = 0; seed < POOLS / 4; seed++) {
      for (const how of [1, 5, 50, 500, "relaxation"] as const) judge(seed, shape, how);
    }
  });

  test(`any order of the input gives the same set, among ${name}`, () => {
    for (let seed = 0; seed < POOLS / 4; seed++) {
      const pool = cappedPool(seed, shape);
      const { input, objective } = pool;
      const turned = turnedAround(pool);
      for (const options of [{}, { packerStepLimit: 20 }]) {
        const [first, other] = [input, turned].map((given) => {
          const { chosenBy, report } = createOptimal({ ...objective, ...options }).pack(given, testRun()) as Packing;
          return { ids: idsOf(given.fragments.filter((_, i) => chosenBy[i] !== 0)).sort(), report };
        });
        assert.deepEqual(other, first, `seed ${seed}`);
      }
    }
  });
}

test("the report on another packer's payload knows the caps", async () => {
  for (const [name, shape] of Object.entries(SHAPES)) {
    let lower = 0;
    for (let seed = 0; seed < 100; seed++) {
      const { input, objective, sections } = cappedPool(seed, shape);
      const filled = afterFloors(input, objective);
      const best = judgeOf(filled, objective, (fragments) => isWithinCaps(sections, fragments));
      const { chosenBy } = createRelaxation(objective).pack(filled, testRun()) as Packing;
      const packed = { packer: "another", objective, chosenBy };
      const { upperBound } = (await relaxationReport(filled, packed, testRun()))();
      const free = (await relaxationReport({ ...filled, sections: undefined }, packed, testRun()))();
      assert.ok(
        upperBound >= best.bestValue - TOLERANCE * (1 + best.bestValue),
        `${name}, seed ${seed}: ${upperBound}`,
      );
      if (upperBound < free.upperBound - TOLERANCE) lower++;
    }
    assert.ok(lower >= 40, `${name}: only ${lower} of 100 bounds are lower than without caps`);
  }
});

test("the caps of these pools keep something out of most best sets", () => {
  let binding = 0;
  for (let seed = 0; seed < 100; seed++) {
    const { input, objective, sections } = cappedPool(seed, SHAPES["single fragments, caps that overlap"]!);
    const filled = afterFloors(input, objective);
    const free = judgeOf(filled, objective);
    const within = judgeOf(filled, objective, (fragments) => isWithinCaps(sections, fragments));
    if (within.bestValue < free.bestValue) binding++;
  }
  assert.ok(binding >= 50, `${binding} of 100`);
});
