import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  type BudgetDraft,
  furtherAtMark,
  markTokens,
  preambleShare,
  readBudget,
  scaleShares,
  skeletonShare,
} from "./budget.js";
import { createFaults } from "./faults.js";
import { splitTokens } from "./split-tokens.js";

function read(draft: Partial<BudgetDraft> | undefined) {
  const faults = createFaults();
  const budget = readBudget(draft && { maxTokens: 0, reservedTokens: 0, sections: [], ...draft }, faults);
  return { budget, found: faults.found };
}

test("what is reserved is not available", () => {
  const { budget, found } = read({ maxTokens: 1_000, reservedTokens: 200 });
  assert.deepEqual(budget, { maxTokens: 1_000, reservedTokens: 200, availableTokens: 800, sections: [] });
  assert.deepEqual(found, []);
});

test("one token is a budget, and so is all but one reserved", () => {
  assert.equal(read({ maxTokens: 1 }).budget.availableTokens, 1);
  assert.equal(read({ maxTokens: 2_147_483_647, reservedTokens: 2_147_483_646 }).budget.availableTokens, 1);
});

test("no budget is a fault", () => {
  assert.deepEqual(
    read(undefined).found.map(({ field }) => field),
    ["budget"],
  );
});

test("a budget of nothing or less is a fault", () => {
  for (const maxTokens of [0, -1, -2_147_483_648]) {
    const { found } = read({ maxTokens });
    assert.deepEqual(
      found.map(({ field }) => field),
      ["budget.max_tokens"],
    );
    assert.match(found[0]!.description, new RegExp(`is ${maxTokens};`));
  }
});

test("a budget that is all reserved is refused with both numbers", () => {
  for (const reservedTokens of [100, 101]) {
    const { found } = read({ maxTokens: 100, reservedTokens });
    assert.equal(found.length, 1);
    assert.equal(found[0]!.field, "budget.reserved_tokens");
    assert.match(found[0]!.description, new RegExp(`is ${reservedTokens};.*100`));
  }
});

test("both numbers can be at fault at once", () => {
  assert.deepEqual(
    read({ maxTokens: 0, reservedTokens: -1 }).found.map(({ field }) => field),
    ["budget.max_tokens", "budget.reserved_tokens"],
  );
});

const figures: readonly { total: number; weights: number[]; shares: number[] }[] = [
  { total: 1_000, weights: [0.8, 0.2], shares: [800, 200] },
  { total: 999, weights: [1, 1, 1], shares: [333, 333, 333] },
  { total: 100, weights: [1, 1, 1], shares: [34, 33, 33] },
  { total: 100, weights: [0, 0, 0], shares: [34, 33, 33] },
  { total: 10, weights: [0.5, 0.3, 0.2], shares: [5, 3, 2] },
  { total: 7, weights: [0.1, 0.2, 0.3, 0.4], shares: [1, 1, 2, 3] },
  { total: 1_001, weights: [33, 33, 34], shares: [330, 330, 341] },
  { total: 10, weights: [1, 0], shares: [10, 0] },
  { total: 0, weights: [0.8, 0.2], shares: [0, 0] },
  { total: 2, weights: [0, 0, 0], shares: [1, 1, 0] },
  { total: 10, weights: [Number.MAX_VALUE, Number.MAX_VALUE], shares: [5, 5] },
  { total: 10, weights: [Number.MIN_VALUE, Number.MIN_VALUE], shares: [5, 5] },
  { total: 10, weights: [Number.MAX_VALUE, Number.MIN_VALUE], shares: [10, 0] },
  { total: 3, weights: [1e21, 2e21], shares: [1, 2] },
  { total: 2_147_483_647, weights: [1e-7, 1e-7], shares: [1_073_741_824, 1_073_741_823] },
  { total: 5, weights: [], shares: [] },
];

for (const { total, weights, shares } of figures) {
  test(`${total} tokens by ${weights.join(", ") || "nothing"} are ${shares.join(", ") || "nothing"}`, () => {
    assert.deepEqual(splitTokens(total, weights), shares);
  });
}

const weightLists = fc.array(
  fc.oneof(
    fc.constantFrom(0, 0.1, 0.2, 0.3, 1 / 3, 1, 33, 34),
    fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
  ),
  { minLength: 1, maxLength: 12 },
);
const totals = fc.oneof(fc.nat(200), fc.integer({ min: 0, max: 2_147_483_647 }));

test("a split loses no token and invents none", () => {
  fc.assert(
    fc.property(totals, weightLists, (total, weights) => {
      const shares = splitTokens(total, weights);
      assert.equal(shares.length, weights.length);
      assert.ok(shares.every((share) => Number.isInteger(share) && share >= 0));
      assert.equal(
        shares.reduce((a, b) => a + b, 0),
        total,
      );
    }),
    { seed: 1, numRuns: 500 },
  );
});

test("each share is its proportion, rounded up or down", () => {
  const percents = fc.array(fc.nat(1_000), { minLength: 1, maxLength: 8 }).filter((list) => list.some((x) => x > 0));
  fc.assert(
    fc.property(fc.nat(100_000), percents, (total, weights) => {
      const sum = weights.reduce((a, b) => a + b, 0);
      splitTokens(total, weights).forEach((share, i) => {
        const exact = (total * weights[i]!) / sum;
        assert.ok(share >= Math.floor(exact) && share <= Math.ceil(exact), `${share} for ${exact}`);
      });
    }),
    { seed: 1, numRuns: 500 },
  );
});

test("a larger weight never has the smaller share", () => {
  fc.assert(
    fc.property(totals, weightLists, (total, weights) => {
      const shares = splitTokens(total, weights);
      weights.forEach((weight, i) => {
        weights.forEach((other, k) => {
          if (weight > other) assert.ok(shares[i]! >= shares[k]!, `${weight} before ${other}`);
          if (weight === other && i < k) assert.ok(shares[i]! >= shares[k]!, "equal ones by position");
        });
      });
    }),
    { seed: 1, numRuns: 500 },
  );
});

test("only a weight above 0 has a share, where there is one", () => {
  fc.assert(
    fc.property(totals, weightLists, (total, weights) => {
      fc.pre(weights.some((weight) => weight > 0));
      splitTokens(total, weights).forEach((share, i) => {
        if (weights[i] === 0) assert.equal(share, 0);
      });
    }),
    { seed: 1, numRuns: 300 },
  );
});

test("the skeleton's share is the whole part of the ratio's", () => {
  assert.equal(skeletonShare(1_000, 0.15), 150);
  assert.equal(skeletonShare(2_000, 0.25), 500);
  assert.equal(skeletonShare(100, 0.29), 29, "0.29 x 100 is 28.999999999999996 in binary fractions");
  assert.equal(skeletonShare(99, 0.15), 14);
  assert.equal(skeletonShare(7, 0), 0);
  assert.equal(skeletonShare(7, 1), 7);
});

test("the preamble's share is a tenth, at most 128", () => {
  assert.equal(preambleShare(99), 9);
  assert.equal(preambleShare(1_279), 127);
  assert.equal(preambleShare(1_280), 128);
  assert.equal(preambleShare(100_000), 128);
});

test("the tokens up to a mark are the whole part of its share, and all of them at 1", () => {
  assert.equal(markTokens(5_000, 0.6), 3_000);
  assert.equal(markTokens(10, 0.7), 7, "10 x 0.7 is a little below 7 in binary fractions, or a little above");
  assert.equal(markTokens(999, 0.5), 499);
  assert.equal(markTokens(2_147_483_647, 1), 2_147_483_647);
  assert.equal(markTokens(0, 0.6), 0);
});

test("so many further tokens raise a mark by as many as are wanted, and no fewer do", () =>
  fc.assert(
    fc.property(
      fc.nat(100_000),
      fc.double({ min: 0.001, max: 1, noNaN: true }),
      fc.integer({ min: 1, max: 10_000 }),
      (tokens, mark, further) => {
        const least = furtherAtMark(tokens, mark, further);
        const wanted = markTokens(tokens, mark) + further;
        assert.ok(markTokens(tokens + least, mark) >= wanted);
        assert.ok(least === 0 || markTokens(tokens + least - 1, mark) < wanted);
      },
    ),
    { seed: 7 },
  ));

test("scaled shares are as before in proportion, and lose nothing but what was not given away", () => {
  assert.deepEqual(scaleShares([800, 200], 1_000, 600), [480, 120]);
  assert.deepEqual(scaleShares([333, 333, 333], 999, 100), [34, 33, 33]);
  assert.deepEqual(scaleShares([300, 200], 1_000, 600), [180, 120], "half was kept back, and half of it stays so");
  assert.deepEqual(scaleShares([514, 386], 900, 900), [514, 386]);
  assert.deepEqual(scaleShares([0, 0], 0, 0), [0, 0]);
  assert.deepEqual(scaleShares([], 100, 60), []);
});
