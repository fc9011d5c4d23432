import assert from "node:assert/strict";
import { test } from "node:test";
import { fragmentsOf, scored } from "../../drafts.fixture.js";
import type { FragmentDraft } from "../../model/fragment.js";
import { runAtOnce } from "../../run-in-slices.js";
import { linksOf, nominationOf, packingInputOf } from "../packing.fixture.js";
import { NOT_NOMINATED } from "../packing.js";
import { compileVariants } from "../variants.js";
import { fill, openLedger } from "./fill.js";

/** Fills a budget with fragments in the order given. */
function filled(tokens: number, drafts: FragmentDraft[], miss: "skip" | "end" = "skip") {
  const fragments = fragmentsOf(...drafts);
  const input = packingInputOf(fragments, tokens);
  const ledger = openLedger(input);
  ledger.tokens = tokens;
  runAtOnce(fill(nominationOf(fragments, { miss }), 1, ledger));
  return {
    chosen: fragments.filter((_, i) => ledger.chosenBy[i] !== 0).map(({ fragmentId }) => fragmentId),
    required: [...ledger.required].map(([fragment, by]) => `${fragment.fragmentId} for ${by.fragmentId}`).sort(),
    left: ledger.tokens,
  };
}

test("what does not fit is skipped and what comes after is tried", () => {
  const drafts = [scored("a", 0.9, 900), scored("b", 0.8, 300), scored("c", 0.7, 200), scored("d", 0.6, 100)];
  assert.deepEqual(filled(600, drafts), { chosen: ["b", "c", "d"], required: [], left: 0 });
});

test("where a miss ends it, nothing comes after", () => {
  const drafts = [scored("a", 1, 10), scored("b", 1, 50), scored("c", 1, 1)];
  assert.deepEqual(filled(40, drafts, "end"), { chosen: ["a"], required: [], left: 30 });
});

test("a fragment of no tokens always fits", () => {
  assert.deepEqual(filled(0, [scored("a", 1, 0), scored("b", 1, 1)]).chosen, ["a"]);
});

test("a group enters whole at its first member's turn, or not at all", () => {
  const drafts = [scored("a", 1, 10, { groupId: "g" }), scored("x", 1, 15), scored("b", 1, 10, { groupId: "g" })];
  assert.deepEqual(filled(20, drafts), { chosen: ["a", "b"], required: [], left: 0 });
  assert.deepEqual(filled(19, drafts), { chosen: ["x"], required: [], left: 4 });
});

test("what is required enters before its turn, and says for whom", () => {
  const drafts = [scored("a", 1, 10, { requires: ["c"] }), scored("b", 1, 10), scored("c", 1, 10)];
  assert.deepEqual(filled(20, drafts), { chosen: ["a", "c"], required: ["c for a"], left: 0 });
});

test("what came in at its own turn is not required by those that come after", () => {
  const drafts = [scored("a", 1, 10), scored("b", 1, 10, { requires: ["a"] })];
  assert.deepEqual(filled(20, drafts), { chosen: ["a", "b"], required: [], left: 0 });
});

test("a unit that is too large leaves room to those that come after, a part of it too", () => {
  const drafts = [scored("a", 1, 10, { requires: ["b"] }), scored("b", 1, 15)];
  assert.deepEqual(filled(20, drafts), { chosen: ["b"], required: [], left: 5 });
});

test("a circle is one unit with one price", () => {
  const drafts = [scored("a", 1, 10, { requires: ["b"] }), scored("b", 1, 10, { requires: ["a"] })];
  assert.deepEqual(filled(19, drafts).chosen, []);
  assert.deepEqual(filled(20, drafts), { chosen: ["a", "b"], required: ["b for a"], left: 0 });
});

test("a unit that missed ends it where a miss ends it", () => {
  const drafts = [scored("a", 1, 10, { groupId: "g" }), scored("b", 1, 10, { groupId: "g" }), scored("c", 1, 1)];
  assert.deepEqual(filled(15, drafts, "end").chosen, []);
});

test("what is committed is in, costs nothing, and belongs to the first that nominates it", () => {
  const fragments = fragmentsOf(scored("pin", 1, 100), scored("b", 1, 5), scored("uninvited", 1, 9));
  const input = packingInputOf(fragments, 5, {
    committed: new Set([fragments[0]!, fragments[2]!]),
    nominations: [nominationOf([fragments[1]!]), nominationOf(fragments.slice(0, 2))],
  });
  const ledger = openLedger(input);
  assert.deepEqual([...ledger.chosenBy], [2, 0, NOT_NOMINATED]);
  ledger.tokens = 5;
  runAtOnce(fill(nominationOf(fragments), 1, ledger));
  assert.deepEqual([...ledger.chosenBy], [2, 1, NOT_NOMINATED]);
  assert.equal(ledger.tokens, 0);
});

test("a group has one turn, whether it fits or not, however many members it has", () => {
  const count = 2_000;
  const fragments = fragmentsOf(
    ...Array.from({ length: 2 * count }, (_, i) =>
      scored(`f${i}`, 1, 10 + 10 * (i % 2), { groupId: "g", variantKey: `k${i >> 1}`, detailDepth: i % 2 }),
    ),
  );
  const variants = runAtOnce(compileVariants(fragments, fragments.length));
  for (const [tokens, chosen] of [
    [9 * count, 0],
    [15 * count, count],
    [20 * count, count],
  ] as const) {
    const input = packingInputOf(fragments, tokens, { links: linksOf(fragments, true), variants });
    const ledger = openLedger(input);
    ledger.tokens = tokens;
    runAtOnce(fill(nominationOf(fragments), 1, ledger));
    assert.equal(
      ledger.chosenBy.reduce((sum, number) => sum + number, 0),
      chosen,
    );
    assert.ok(ledger.steps.walked < 5 * count, `${ledger.steps.walked} steps for ${tokens} tokens`);
  }
});
