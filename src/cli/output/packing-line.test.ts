import assert from "node:assert/strict";
import { test } from "node:test";
import { packingLine } from "./packing-line.js";

const report = { value: 1.1, upperBound: 1.1, gap: 0, provenOptimal: true, packer: "optimal", steps: 3 };

test("a value that is proven the greatest says so", () => {
  assert.equal(packingLine(report), "value 1.100 of at most 1.100 (gap 0.0%, proven the greatest)");
});

test("a value that may be bettered says by how much", () => {
  const open = { ...report, value: 950, upperBound: 1_000, gap: 0.05, provenOptimal: false };
  assert.equal(packingLine(open), "value 950.0 of at most 1000.0 (gap 5.0%, not proven the greatest)");
});

test("a gap that is not nothing does not show as nothing", () => {
  assert.match(packingLine({ ...report, gap: 1e-9 }), /\(gap under 0\.1%, proven/);
  assert.match(packingLine({ ...report, gap: 0.0006, provenOptimal: false }), /\(gap 0\.1%, not proven/);
});
