import assert from "node:assert/strict";
import { test } from "node:test";
import { sortInSlices } from "./sort-in-slices.js";

for (const count of [0, 1, 1_024, 1_025, 2_048, 5_000, 10_000]) {
  test(`${count} numbers are sorted as sort does it, equal ones in their order, in pieces`, () => {
    const given = Uint32Array.from({ length: count }, (_, i) => (i * 7_919) % 100_003);
    const compare = (a: number, b: number): number => (a % 97) - (b % 97);
    const numbers = given.slice();
    const yields = [...sortInSlices(numbers, compare)].length;
    assert.deepEqual(numbers, given.slice().sort(compare));
    assert.ok(count <= 1_024 ? yields === 0 : yields >= count / 1_024, `${yields} yields`);
  });
}
