import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { contentHash } from "../../context-hash.js";
import { fragmentsOf, idsOf, scored, testRun } from "../../drafts.fixture.js";
import type { Fragment, FragmentDraft } from "../../model/fragment.js";
import { compareStable } from "../../order/stable-order.js";
import { stable } from "./stable.js";

const at = (id: string, seconds: number, fields: Partial<FragmentDraft> = {}) =>
  scored(id, 0.5, 1, { createdAt: { seconds, nanos: 0 }, ...fields });

const before = (...ids: string[]) => ids.map((id) => ({ fragmentId: id, contentHash: contentHash(id) }));

async function order(drafts: readonly FragmentDraft[], previous = before()): Promise<string> {
  return idsOf(await stable.order(fragmentsOf(...drafts), { previous }, testRun())).join(" ");
}

const system = { role: 1 };
const pinned = { pinned: true };
const drafts = [
  at("new", 9),
  at("old", 1),
  at("pin", 5, pinned),
  at("older pin", 2, pinned),
  at("rule", 7, system),
  at("pinned rule", 6, { ...system, ...pinned }),
];

test("system first, then pins, then the rest, each oldest first", async () => {
  assert.equal(await order(drafts), "pinned rule rule older pin pin old new");
});

test("scores decide nothing", async () => {
  const rated = (x: number, y: number) => [
    at("x", 1, { relevanceScore: x, ukoNode: "n" }),
    at("y", 1, { relevanceScore: y, ukoNode: "n" }),
  ];
  assert.equal(await order(rated(0, 1)), "x y");
  assert.equal(await order(rated(1, 0)), "x y");
});

test("what leads the previous payload keeps its place, and newcomers follow in order", async () => {
  const previous = before("old", "rule", "pin");
  assert.equal(await order(drafts, previous), "old rule pin pinned rule older pin new");
});

test("from the first that is missing on, everything is in order anew", async () => {
  assert.equal(await order(drafts, before("new", "gone", "old")), "new pinned rule rule older pin pin old");
});

test("a changed content breaks the prefix, an id alone does not see it", async () => {
  const changed = [{ fragmentId: "new", contentHash: contentHash("as it was") }];
  assert.equal(await order(drafts, changed), await order(drafts));
  assert.match(await order(drafts, [{ fragmentId: "new", contentHash: "" }]), /^new pinned rule/);
});

test("a content alone is found under any id", async () => {
  const previous = [{ fragmentId: "", contentHash: contentHash("new") }];
  assert.match(await order(drafts, previous), /^new pinned rule/);
});

const g = { groupId: "g" };
const call = at("call", 3, g);
const result = at("result", 4, g);
const more = at("more", 5, g);

test("a call at the end of the prefix is followed by its results, before any newcomer", async () => {
  const turn = [at("hello", 1), call, result, at("rule", 9, system)];
  assert.equal(await order(turn, before("hello", "call")), "hello call result rule");
});

test("a group of which a part changed follows the part that did not", async () => {
  const turn = [at("hello", 1), at("rule", 9, system), call, { ...result, content: "changed" }, more];
  assert.equal(await order(turn, before("hello", "call", "result", "more")), "hello call result more rule");
});

test("a group that the previous payload had cut stays cut", async () => {
  const turn = [at("hello", 1), call, result, at("thanks", 6)];
  assert.equal(await order(turn, before("hello", "call", "thanks")), "hello call thanks result");
});

test("nothing that it is given is changed, and everything comes back", async () => {
  const given = Object.freeze(fragmentsOf(...drafts));
  const ordered = await stable.order(given, { previous: before("new") }, testRun());
  assert.deepEqual(new Set(ordered), new Set(given));
});

test("the longest common prefix is kept, whatever was there, and the rest is in order", () =>
  fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(drafts.map(({ fragmentId }) => fragmentId).concat("gone")),
      fc.shuffledSubarray(drafts),
      async (ids, selected) => {
        const given: Fragment[] = fragmentsOf(...selected);
        const ordered = await stable.order(given, { previous: before(...ids) }, testRun());
        const missing = ids.findIndex((id) => !idsOf(given).includes(id));
        const prefix = missing < 0 ? ids : ids.slice(0, missing);
        assert.deepEqual(idsOf(ordered.slice(0, prefix.length)), prefix);
        const rest = ordered.slice(prefix.length);
        assert.deepEqual(rest, [...rest].sort(compareStable));
        assert.equal(ordered.length, given.length);
      },
    ),
    { seed: 7, numRuns: 300 },
  ));
