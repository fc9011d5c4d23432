import assert from "node:assert/strict";
import { test } from "node:test";
import { idsOf, scored, testRun } from "../../../drafts.fixture.js";
import type { Packing, PackingInput } from "../../packing.js";
import { createOptimal } from "../optimal.js";
import { createRelaxation } from "../relaxation.js";
import { judgeOf } from "./best-set.fixture.js";
import type { Objective } from "./pool.js";
import { createDraw, inputOf, type PoolShape, type RandomPool, randomPool } from "./random-pools.fixture.js";

/** How many pools of each shape; `BEST_SET_POOLS` asks for a larger campaign. */
const POOLS = Number(process.env.BEST_SET_POOLS ?? 2_000);
const TOLERANCE = 1e-9;

const SHAPES: Readonly<Record<string, PoolShape>> = {
  "single fragments": { fewest: 5, most: 11, isLinked: false },
  "groups, requirements with cycles, variants and pins": { fewest: 5, most: 11, isLinked: true },
  "webs too large for their sets to be listed": { fewest: 14, most: 17, isLinked: true },
};

function pack(input: PackingInput, objective: Objective, packerStepLimit?: number): Packing {
  const options = { ...objective, ...(packerStepLimit !== undefined && { packerStepLimit }) };
  return createOptimal(options).pack(input, testRun()) as Packing;
}

/** The fragments chosen beside what is committed, as bits. */
function chosenOf({ chosenBy }: Packing, committed: number): number {
  return chosenBy.reduce((set, number, i) => (number === 0 ? set : set | (1 << i)), 0) & ~committed;
}

for (const [name, shape] of Object.entries(SHAPES)) {
  test(`the set is the best of all, proven, in ${POOLS} pools of ${name}`, () => {
    for (let seed = 0; seed < POOLS; seed++) {
      const { input, objective } = randomPool(seed, shape);
      const judge = judgeOf(input, objective);
      const packing = pack(input, objective);
      const chosen = chosenOf(packing, judge.committed);
      const { value, upperBound, provenOptimal } = packing.report!;
      assert.ok(judge.isPossible(chosen), `seed ${seed}: not possible`);
      assert.ok(judge.tokensOf(chosen) <= input.tokens, `seed ${seed}: over budget`);
      assert.equal(judge.best & ~chosen, 0, `seed ${seed}: another set`);
      assert.equal(judge.valueOf(chosen & ~judge.best), 0, `seed ${seed}: something of worth beside the best`);
      assert.ok(Math.abs(value - judge.bestValue) <= TOLERANCE * (1 + value), `seed ${seed}: ${value}`);
      assert.ok(provenOptimal && upperBound >= judge.bestValue - TOLERANCE * (1 + value), `seed ${seed}: not proven`);
    }
  });

  test(`a search cut short is possible, says no lower bound and proves nothing false, among ${name}`, () => {
    for (let seed = 0; seed < POOLS / 5; seed++) {
      const { input, objective } = randomPool(seed, shape);
      const judge = judgeOf(input, objective);
      for (const limit of [1, 5, 25])
        checkInexact(pack(input, objective, limit), judge, { seed, tokens: input.tokens });
      const relaxation = createRelaxation(objective).pack(input, testRun()) as Packing;
      checkInexact(relaxation, judge, { seed, tokens: input.tokens });
    }
  });

  test(`any order of the input gives the same set, among ${name}`, () => {
    for (let seed = 0; seed < POOLS / 5; seed++) {
      const pool = randomPool(seed, shape);
      const [first, other] = [pool, shuffled(pool, seed)].map(({ input, objective }) => {
        const { chosenBy, report } = pack(input, objective);
        const chosen = input.fragments.filter(({ inputIndex }) => chosenBy[inputIndex] !== 0);
        return { ids: idsOf(chosen).sort(), report };
      });
      assert.deepEqual(other, first, `seed ${seed}`);
    }
  });
}

test("any order of the input gives the same set, where the search of a web does not end", () => {
  for (let seed = 0; seed < 4; seed++) {
    const draw = createDraw(seed);
    const drafts = Array.from({ length: 150 }, (_, i) => {
      const requires = [...new Set(Array.from({ length: draw.below(4) }, () => `f${draw.below(150)}`))];
      const fields = { requires: requires.filter((id) => id !== `f${i}`), createdAt: { seconds: i, nanos: 0 } };
      return scored(`f${i}`, draw.below(50) / 50, 50 + draw.below(500), { ukoNode: `n${draw.below(90)}`, ...fields });
    });
    const pool = { drafts, input: inputOf(drafts, 12_000), objective: {} };
    const [first, other] = [pool, shuffled(pool, seed)].map(({ input }) => {
      const { chosenBy, report } = pack(input, {}, 3_000);
      return { ids: idsOf(input.fragments.filter(({ inputIndex }) => chosenBy[inputIndex] !== 0)).sort(), report };
    });
    assert.deepEqual(other, first, `seed ${seed}`);
  }
});

function checkInexact(
  packing: Packing,
  judge: ReturnType<typeof judgeOf>,
  { seed, tokens }: { seed: number; tokens: number },
): void {
  const { value, upperBound, gap, provenOptimal } = packing.report!;
  const chosen = chosenOf(packing, judge.committed);
  const slack = TOLERANCE * (1 + judge.bestValue);
  assert.ok(judge.isPossible(chosen) && judge.tokensOf(chosen) <= tokens, `seed ${seed}: not possible`);
  assert.ok(value <= judge.bestValue + slack, `seed ${seed}: better than the best`);
  assert.ok(upperBound >= judge.bestValue - slack, `seed ${seed}: the bound is too low`);
  assert.ok(!provenOptimal || value >= judge.bestValue - slack, `seed ${seed}: a false proof`);
  assert.ok(gap >= 0 && gap <= 1, `seed ${seed}: gap ${gap}`);
}

/** The same pool in another order, where the order says nothing. */
function shuffled({ drafts, input, objective }: RandomPool, seed: number): RandomPool {
  const draw = createDraw(seed);
  const order = drafts.map((draft) => ({ draft, key: draw.next() })).sort((a, b) => a.key - b.key);
  const before = new Map(input.fragments.map((fragment) => [fragment.fragmentId, fragment.inputIndex]));
  const indexOf = ({ fragmentId }: { fragmentId: string }): number => before.get(fragmentId)!;
  const again = order.map(({ draft }) => draft);
  const fields = {
    baseline: input.baseline,
    isOut: (fragment: { fragmentId: string }) => input.out[indexOf(fragment)] === 1,
    isNominated: (fragment: { fragmentId: string }) => input.scores[indexOf(fragment)]! >= 0,
  };
  return { drafts: again, input: inputOf(again, input.tokens, fields), objective };
}
