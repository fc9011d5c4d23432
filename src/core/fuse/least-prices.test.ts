import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fragmentsOf, scored } from "../drafts.fixture.js";
import type { FragmentDraft } from "../model/fragment.js";
import { cheapestClosure, priceOf, wantedByName } from "./closure.js";
import { leastPrices } from "./least-prices.js";
import { linksOf } from "./packing.fixture.js";

/** The least price of each linked fragment, by id. */
function pricesOf(drafts: readonly FragmentDraft[], oneVariant = false): Record<string, number> {
  const prices = leastPrices(linksOf(fragmentsOf(...drafts), oneVariant));
  return Object.fromEntries([...prices].map(([{ fragmentId }, price]) => [fragmentId, price]));
}

const needs = (id: string, tokens: number, ...requires: string[]) => scored(id, 0.5, tokens, { requires });

test("a chain costs all of it, from each of its members on", () => {
  assert.deepEqual(pricesOf([needs("a", 1, "b"), needs("b", 2, "c"), needs("c", 4)]), { a: 7, b: 6 });
});

test("a cycle costs all of it, with what any of it requires", () => {
  const drafts = [needs("a", 1, "b"), needs("b", 2, "a", "c"), needs("c", 4), needs("d", 8, "a")];
  assert.deepEqual(pricesOf(drafts), { a: 7, b: 7, d: 15 });
});

test("where requirements fork the dearest counts", () => {
  assert.deepEqual(pricesOf([needs("a", 1, "b", "c"), needs("b", 2), needs("c", 4)]), { a: 5 });
});

test("a group costs a member of each part, with what it cannot be without", () => {
  const drafts = [
    scored("call", 0.5, 3, { groupId: "g", requires: ["log"] }),
    scored("short", 0.5, 1, { groupId: "g", variantKey: "k" }),
    scored("deep", 0.5, 5, { groupId: "g", variantKey: "k", detailDepth: 1, requires: ["rare"] }),
    scored("log", 0.5, 10),
    scored("rare", 0.5, 100),
  ];
  assert.deepEqual(pricesOf(drafts, true), { call: 14, short: 14, deep: 14 });
});

const piece = fc.record({
  price: fc.integer({ min: 0, max: 9 }),
  group: fc.constantFrom("", "", "g", "h"),
  key: fc.constantFrom("", "k"),
  requires: fc.uniqueArray(fc.nat(9), { maxLength: 3 }),
});

test("no closure costs less", () =>
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 10 }), (pieces) => {
      const drafts = pieces.map(({ price, group, key, requires }, i) =>
        scored(`f${i}`, 0.5, price, {
          groupId: group,
          variantKey: key,
          requires: requires.filter((id) => id < pieces.length).map((id) => `f${id}`),
        }),
      );
      const fragments = fragmentsOf(...drafts);
      const links = linksOf(fragments, true);
      const around = { links, isPresent: () => false, isOut: () => false };
      for (const [fragment, least] of leastPrices(links)) {
        const closure = cheapestClosure(wantedByName(fragment), around);
        assert.ok(closure !== undefined && least <= priceOf(closure));
      }
    }),
    { numRuns: 500, seed: 3 },
  ));
