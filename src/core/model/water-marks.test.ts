import assert from "node:assert/strict";
import { test } from "node:test";
import { ContextError } from "../errors.js";
import { createFaults } from "./faults.js";
import { checkWaterMarks } from "./water-marks.js";

function faultsOf(highWaterMark?: number, lowWaterMark?: number): string[] {
  const faults = createFaults();
  checkWaterMarks({ highWaterMark, lowWaterMark }, (field) => field, faults);
  try {
    faults.throwIfAny();
    return [];
  } catch (error) {
    assert.ok(error instanceof ContextError);
    return error.violations.map(({ field, description }) => `${field} ${description}`);
  }
}

const RULE = "allowed is 0 < low_water_mark <= high_water_mark <= 1";

test("marks from above 0 to 1 are taken, the low one at most the high one", () => {
  for (const [high, low] of [[], [1, 1], [0.5, 0.5], [0.7], [undefined, 1], [1, Number.MIN_VALUE]]) {
    assert.deepEqual(faultsOf(high, low), []);
  }
});

test("a mark that is none is refused, and both numbers are named", () => {
  for (const high of [0, -0.1, 1.1, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.deepEqual(faultsOf(high, 0.5), [`high_water_mark is ${high}, beside a low_water_mark of 0.5; ${RULE}`]);
  }
  for (const low of [0, -0.1, 1.1, Number.NaN]) {
    assert.deepEqual(faultsOf(0.9, low), [`low_water_mark is ${low}, beside a high_water_mark of 0.9; ${RULE}`]);
  }
  assert.equal(faultsOf(2, 0).length, 2);
});

test("a low mark above the high one is refused, also where it is the default", () => {
  assert.deepEqual(faultsOf(0.5, 0.7), [`low_water_mark is 0.7, beside a high_water_mark of 0.5; ${RULE}`]);
  assert.deepEqual(faultsOf(0.5), [`high_water_mark is 0.5, beside a low_water_mark of 0.6, its default; ${RULE}`]);
});
