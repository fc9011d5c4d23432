import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fragmentsOf, idsOf, scored } from "../drafts.fixture.js";
import type { Fragment } from "../model/fragment.js";
import { closureOf, priceOf, wantedByName } from "./closure.js";
import { linksOf } from "./packing.fixture.js";

const never = () => false;

interface Question {
  /** Default: the first. */
  readonly start?: Fragment;
  readonly tokens?: number;
  readonly isPresent?: (fragment: Fragment) => boolean;
  readonly isOut?: (fragment: Fragment) => boolean;
  readonly oneVariant?: boolean;
}

/** What enters with the first fragment of a list. */
function entrants(fragments: readonly Fragment[], question: Question = {}) {
  const { start = fragments[0]!, tokens = Number.POSITIVE_INFINITY, isPresent = never, isOut = never } = question;
  return closureOf(wantedByName(start), tokens, { links: linksOf(fragments, question.oneVariant), isPresent, isOut });
}

const sortedIds = (fragments: readonly Fragment[] | undefined) => fragments && idsOf(fragments).sort();

test("a fragment that is alone enters where it fits", () => {
  const fragments = fragmentsOf(scored("a", 1, 5));
  assert.deepEqual(sortedIds(entrants(fragments, { tokens: 5 })), ["a"]);
  assert.equal(entrants(fragments, { tokens: 4 }), undefined);
  assert.equal(entrants(fragments, { isOut: () => true }), undefined);
  assert.deepEqual(entrants(fragments, { isPresent: () => true }), []);
});

test("the price of a closure is that of its fragments", () => {
  assert.equal(priceOf(fragmentsOf(scored("a", 1, 5), scored("b", 1, 7))), 12);
  assert.equal(priceOf([]), 0);
});

test("a fragment enters with all that it requires, and with their groups", () => {
  const fragments = fragmentsOf(
    scored("a", 1, 1, { requires: ["b"] }),
    scored("b", 1, 1, { groupId: "g" }),
    scored("c", 1, 1, { groupId: "g", requires: ["d"] }),
    scored("d", 1, 1),
    scored("e", 1, 1),
  );
  assert.deepEqual(sortedIds(entrants(fragments)), ["a", "b", "c", "d"]);
});

test("a circle of requirements ends, and one that requires itself enters once", () => {
  const fragments = fragmentsOf(
    scored("a", 1, 1, { requires: ["b", "a"] }),
    scored("b", 1, 1, { requires: ["c"] }),
    scored("c", 1, 1, { requires: ["a"] }),
  );
  for (const fragment of fragments) {
    assert.deepEqual(sortedIds(entrants(fragments, { start: fragment })), ["a", "b", "c"]);
  }
});

test("what is present costs nothing and brings nothing", () => {
  const fragments = fragmentsOf(
    scored("a", 1, 10, { requires: ["b"] }),
    scored("b", 1, 100, { requires: ["c"] }),
    scored("c", 1, 1_000),
  );
  const isPresent = ({ fragmentId }: Fragment) => fragmentId !== "a";
  assert.deepEqual(sortedIds(entrants(fragments, { tokens: 10, isPresent })), ["a"]);
});

test("nothing enters where the price of all is above the tokens", () => {
  const fragments = fragmentsOf(scored("a", 1, 10, { requires: ["b"] }), scored("b", 1, 10));
  assert.equal(entrants(fragments, { tokens: 19 }), undefined);
  assert.deepEqual(sortedIds(entrants(fragments, { tokens: 20 })), ["a", "b"]);
});

test("nothing enters where something that it needs is ruled out", () => {
  const fragments = fragmentsOf(scored("a", 1, 1, { requires: ["b"] }), scored("b", 1, 1));
  const isOut = ({ fragmentId }: Fragment) => fragmentId === "b";
  assert.equal(entrants(fragments, { isOut }), undefined);
});

test("what enters is the closure under groups and requirements, whatever the circles", () => {
  const ids = ["a", "b", "c", "d", "e", "f"];
  const shapes = fc.array(
    fc.record({
      group: fc.constantFrom("", "", "g", "h"),
      requires: fc.uniqueArray(fc.constantFrom(...ids), { maxLength: 2 }),
    }),
    { minLength: 6, maxLength: 6 },
  );
  fc.assert(
    fc.property(shapes, fc.nat(5), (shape, start) => {
      const drafts = shape.map(({ group, requires }, i) => scored(ids[i]!, 1, i, { groupId: group, requires }));
      const fragments = fragmentsOf(...drafts);
      const closure = new Set([ids[start]!]);
      for (let before = 0; before !== closure.size; ) {
        before = closure.size;
        for (const { fragmentId, groupId, requires } of fragments) {
          if (!closure.has(fragmentId)) continue;
          for (const id of requires) closure.add(id);
          for (const other of fragments) if (groupId !== "" && other.groupId === groupId) closure.add(other.fragmentId);
        }
      }
      assert.deepEqual(sortedIds(entrants(fragments, { start: fragments[start]! })), [...closure].sort());
    }),
    { seed: 1, numRuns: 300 },
  );
});

/** A call whose answer comes long or short, and which needs its question too. */
const conversation = fragmentsOf(
  scored("question", 1, 10, { groupId: "g" }),
  scored("long", 1, 50, { groupId: "g", variantKey: "answer", detailDepth: 9 }),
  scored("short", 1, 5, { groupId: "g", variantKey: "answer", detailDepth: 2 }),
);

test("a group is whole with one of each variant key, the deepest that fits", () => {
  assert.deepEqual(sortedIds(entrants(conversation, { oneVariant: true })), ["long", "question"]);
  assert.deepEqual(sortedIds(entrants(conversation, { oneVariant: true, tokens: 59 })), ["question", "short"]);
  assert.equal(entrants(conversation, { oneVariant: true, tokens: 14 }), undefined);
});

test("the last part gives way first", () => {
  const part = (name: string, depth: number, price: number) =>
    scored(`${name}${depth}`, 1, price, { groupId: "g", variantKey: name, detailDepth: depth });
  const call = scored("call", 1, 0, { groupId: "g" });
  const all = fragmentsOf(call, part("x", 9, 10), part("x", 1, 1), part("y", 9, 10), part("y", 1, 1));
  assert.deepEqual(sortedIds(entrants(all, { oneVariant: true, tokens: 20 })), ["call", "x9", "y9"]);
  assert.deepEqual(sortedIds(entrants(all, { oneVariant: true, tokens: 19 })), ["call", "x9", "y1"]);
  assert.deepEqual(sortedIds(entrants(all, { oneVariant: true, tokens: 10 })), ["call", "x1", "y1"]);
});

test("a variant that is named stands, whatever its depth", () => {
  const start = conversation[2]!;
  assert.deepEqual(sortedIds(entrants(conversation, { oneVariant: true, start })), ["question", "short"]);
});

test("a part of which one is present needs no other", () => {
  const isPresent = ({ fragmentId }: Fragment) => fragmentId === "short";
  assert.deepEqual(sortedIds(entrants(conversation, { oneVariant: true, isPresent })), ["question"]);
});
