/** Components with more options than are listed, so that they become networks. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { idsOf, scored, testRun } from "../../../drafts.fixture.js";
import type { FragmentDraft } from "../../../model/fragment.js";
import type { Packing, PackingInput } from "../../packing.js";
import { createOptimal } from "../optimal.js";
import { judgeOf } from "./best-set.fixture.js";
import { createDraw, inputOf } from "./random-pools.fixture.js";

const pack = (input: PackingInput): Packing => createOptimal({}).pack(input, testRun()) as Packing;

/** Nodes in a row, of which each deepest variant may require that of the next. */
function rowOf(seed: number, { nodes, variants }: { nodes: number; variants: number }): FragmentDraft[] {
  const draw = createDraw(seed);
  return Array.from({ length: nodes * variants }, (_, i) => {
    const node = Math.floor(i / variants);
    const isDeepest = i % variants === 0;
    const requires = isDeepest && node + 1 < nodes ? [`f${(node + 1) * variants}`] : [];
    const fields = { ukoNode: `n${node}`, detailDepth: variants - (i % variants), requires };
    return scored(`f${i}`, draw.next(), 20 + draw.below(80), fields);
  });
}

test("a variant that requires another one of its own key is never taken, however good it is", () => {
  for (let seed = 0; seed < 20; seed++) {
    const drafts = rowOf(seed, { nodes: 7, variants: 2 });
    drafts[0] = { ...drafts[0]!, relevanceScore: 1, tokenCount: 1, requires: ["f1", "f2"] };
    const input = inputOf(drafts, 400);
    const { chosenBy } = pack(input);
    const { best } = judgeOf(input, {});
    assert.equal(chosenBy[0], 0, `seed ${seed}`);
    assert.equal(
      chosenBy.reduce((set, number, i) => (number === 0 ? set : set | (1 << i)), 0),
      best,
      `seed ${seed}`,
    );
  }
});

test("what a plentiful budget takes was over budget, and what it does not has another reason", () => {
  let reasons = 0;
  for (let seed = 0; seed < 100; seed++) {
    const drafts = rowOf(seed, { nodes: 6, variants: 3 });
    const { chosenBy, unreachable } = pack(inputOf(drafts, 250));
    const input = inputOf(drafts, 1_000_000);
    const plenty = pack(input);
    const expected = input.fragments.filter((_, i) => chosenBy[i] === 0 && plenty.chosenBy[i] === 0);
    assert.deepEqual(idsOf([...unreachable.keys()]), idsOf(expected), `seed ${seed}`);
    reasons += unreachable.size;
  }
  assert.ok(reasons > 0);
});
