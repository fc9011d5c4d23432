import assert from "node:assert/strict";
import { test } from "node:test";
import { runAtOnce } from "../../run-in-slices.js";
import { type Swept, sweepBudgets } from "./swept-budgets.js";

/** Sweeps over packings that come out differently from these further tokens on; each lets in the fragments at some positions. */
function sweep(packings: readonly [from: number, chosen: readonly number[]][], { wanted = [0, 1], most = 100 } = {}) {
  const tried: number[] = [];
  const packWith = function* (further: number): Generator<void, Swept> {
    tried.push(further);
    const at = packings.findLastIndex(([from]) => from <= further);
    const next = packings[at + 1]?.[0] ?? Number.POSITIVE_INFINITY;
    return { chosenBy: Uint8Array.from([0, 1], (i) => Number(packings[at]![1].includes(i))), shortBy: next - further };
  };
  const { entries, swept } = runAtOnce(sweepBudgets(wanted, packWith, most));
  return { entries: [...entries], swept, tried };
}

test("each fragment has the first budget that lets it in, though a larger one does not", () => {
  const { entries } = sweep([
    [0, []],
    [5, [1]],
    [8, []],
    [20, [0]],
  ]);
  assert.deepEqual(entries, [
    [1, 5],
    [0, 20],
  ]);
});

test("no budget is tried between two at which a packing may differ, nor any once all are in", () => {
  const { tried } = sweep(
    [
      [0, []],
      [5, []],
      [8, [0, 1]],
      [9, [0]],
    ],
    {},
  );
  assert.deepEqual(tried, [0, 5, 8]);
});

test("what no budget lets in has none, which is known once no further tokens change anything", () => {
  const { entries, swept } = sweep([
    [0, []],
    [5, [1]],
  ]);
  assert.deepEqual([entries, swept], [[[1, 5]], Number.POSITIVE_INFINITY]);
});

test("where it may pack no more, it says how far it has come", () => {
  const packings: [number, number[]][] = [
    [0, []],
    [5, [1]],
    [8, []],
    [20, [0]],
  ];
  assert.deepEqual(sweep(packings, { most: 2 }), { entries: [[1, 5]], swept: 8, tried: [0, 5] });
  assert.deepEqual(sweep(packings, { most: 0 }), { entries: [], swept: 0, tried: [] });
  assert.deepEqual(sweep(packings, { wanted: [] }), { entries: [], swept: 0, tried: [] });
});
