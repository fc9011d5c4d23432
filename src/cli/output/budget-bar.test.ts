import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ContextPayload } from "../../../gen/acms/v1/payload.js";
import { budgetBar, shareCells } from "./budget-bar.js";

const plain = { width: 40, colour: false };

function payload(totalTokens: number, availableTokens: number, reservedTokens = 0, skeletonTokens = 0): ContextPayload {
  const budget = { maxTokens: availableTokens + reservedTokens, reservedTokens, sections: [] };
  return ContextPayload.fromPartial({ totalTokens, availableTokens, budget, skeletonTokens });
}

test("the bar shows each part of the budget in proportion", () => {
  assert.deepEqual(budgetBar(payload(500, 750, 250), plain), [
    `${"█".repeat(20)}${"·".repeat(10)}${"░".repeat(10)}`,
    "█ kept 500   · free 250   ░ reserved 250",
  ]);
});

test("a part that is not there is not shown, and a small one is", () => {
  assert.deepEqual(budgetBar(payload(0, 10), plain), ["·".repeat(40), "· free 10"]);
  assert.deepEqual(budgetBar(payload(9_999, 10_000), plain)[0], `${"█".repeat(39)}·`);
});

test("an outline over what is available leaves nothing free", () => {
  assert.deepEqual(budgetBar(payload(10, 10, 0, 10), plain), [
    "█".repeat(20) + "▒".repeat(20),
    "█ kept 10   ▒ outline of the parents 10",
  ]);
});

test("each part has a cell, and together they have all", () => {
  const amounts = fc.array(fc.integer({ min: 1, max: 2_147_483_647 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(amounts, fc.integer({ min: 5, max: 200 }), (parts, cells) => {
      const shares = shareCells(parts, cells);
      assert.equal(shares.length, parts.length);
      assert.ok(shares.every((share) => Number.isInteger(share) && share >= 1));
      assert.equal(
        shares.reduce((a, b) => a + b, 0),
        cells,
      );
    }),
    { seed: 1, numRuns: 500 },
  );
});

test("a legend that is too long takes more lines", () => {
  const lines = budgetBar(payload(500_000_000, 750_000_000, 250_000_000), plain);
  assert.deepEqual(lines.slice(1), ["█ kept 500,000,000   · free 250,000,000", "░ reserved 250,000,000"]);
});
