import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fragmentsOf, scored, testRun } from "../../drafts.fixture.js";
import type { Fragment, FragmentDraft } from "../../model/fragment.js";
import { runAtOnce } from "../../run-in-slices.js";
import { nominationOf, packingInputOf } from "../packing.fixture.js";
import type { Packing } from "../packing.js";
import { inOrder } from "./in-order.js";

type Miss = "skip" | "end";

function pack(fragments: readonly Fragment[], tokens: number, miss: Miss): Packing {
  const nominations = [nominationOf(fragments, { tokens, miss })];
  return inOrder.pack(packingInputOf(fragments, tokens, { nominations }), testRun()) as Packing;
}

/** What each fragment lacks, by id; one with a question mark is an estimate. */
function lacking(drafts: FragmentDraft[], tokens: number, miss: Miss = "skip"): Record<string, string> {
  const fragments = fragmentsOf(...drafts);
  const shortfalls = runAtOnce(pack(fragments, tokens, miss).shortfalls!());
  const dropped = fragments.filter((_, i) => shortfalls.tokens[i]! >= 0);
  return Object.fromEntries(
    dropped.map(({ fragmentId, inputIndex: i }) => {
      return [fragmentId, `${shortfalls.tokens[i]}${shortfalls.estimates.has(i) ? "?" : ""}`];
    }),
  );
}

test("a fragment lacks what those before it would take of the new tokens too", () => {
  const drafts = [scored("A", 0.9, 50), scored("B", 0.8, 25), scored("C", 0.7, 30)];
  assert.deepEqual(lacking(drafts, 60), { B: "15", C: "45" });
});

test("what is chosen lacks nothing", () => {
  assert.deepEqual(lacking([scored("A", 1, 10)], 10), {});
});

test("where a miss ends it, everything before must fit", () => {
  const drafts = [scored("A", 1, 50), scored("B", 1, 100), scored("C", 1, 5)];
  assert.deepEqual(lacking(drafts, 60, "end"), { B: "90", C: "95" });
});

test("a fragment that a smaller budget would take waits for the next budget that does", () => {
  // At 10 to 14 C is in, at 15 B takes its room, at 25 all three fit.
  const drafts = [scored("B", 1, 15), scored("C", 1, 10)];
  assert.deepEqual(lacking(drafts, 15), { C: "10" });
});

test("members of a group lack the same", () => {
  const drafts = [
    scored("A", 1, 40),
    scored("call", 1, 20, { groupId: "g" }),
    scored("answer", 1, 30, { groupId: "g" }),
  ];
  assert.deepEqual(lacking(drafts, 50), { call: "40", answer: "40" });
});

test("what depends on requirements is found by filling again", () => {
  const drafts = [scored("A", 1, 70), scored("B", 1, 10, { requires: ["C"] }), scored("C", 1, 60)];
  // At 70 to 139 A takes the room, and C alone fits beside it: B comes in at 140.
  assert.deepEqual(lacking(drafts, 60), { A: "10", B: "80" });
});

const prices = fc.oneof(fc.integer({ min: 0, max: 20 }), fc.constantFrom(0, 5, 5, 10));
const pools = fc.array(fc.record({ price: prices, group: fc.constantFrom("", "", "", "g", "h") }), {
  minLength: 1,
  maxLength: 8,
});

/** Compares every shortfall with what trying one budget after the other finds. */
function checkAgainstEveryBudget(fragments: readonly Fragment[], tokens: number, miss: Miss): void {
  const { chosenBy, shortfalls } = pack(fragments, tokens, miss);
  const { tokens: lacks, estimates } = runAtOnce(shortfalls!());
  const most = fragments.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
  const packings = Array.from({ length: most + 1 }, (_, further) => pack(fragments, tokens + further, miss).chosenBy);
  fragments.forEach((_, i) => {
    if (chosenBy[i] !== 0) return;
    assert.equal(estimates.has(i), false, "an estimate");
    assert.equal(
      lacks[i],
      packings.findIndex((packing) => packing[i] !== 0),
    );
  });
}

for (const miss of ["skip", "end"] as const) {
  test(`shortfalls of single fragments are what every budget tried finds, where a miss is to ${miss}`, () => {
    fc.assert(
      fc.property(pools, fc.nat(60), (pool, tokens) => {
        const drafts = pool.map(({ price }, i) => scored(`f${i}`, 1, price));
        checkAgainstEveryBudget(fragmentsOf(...drafts), tokens, miss);
      }),
      { seed: 1, numRuns: 400 },
    );
  });

  test(`shortfalls among groups are what every budget tried finds, where a miss is to ${miss}`, () => {
    fc.assert(
      fc.property(pools, fc.nat(60), (pool, tokens) => {
        const drafts = pool.map(({ price, group }, i) => scored(`f${i}`, 1, price, { groupId: group }));
        checkAgainstEveryBudget(fragmentsOf(...drafts), tokens, miss);
      }),
      { seed: 1, numRuns: 400 },
    );
  });
}
