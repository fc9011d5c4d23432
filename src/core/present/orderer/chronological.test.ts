import assert from "node:assert/strict";
import { test } from "node:test";
import { fragmentsOf, idsOf, scored, testRun } from "../../drafts.fixture.js";
import type { Fragment, FragmentDraft } from "../../model/fragment.js";
import { chronological } from "./chronological.js";

const at = (id: string, seconds: number, nanos = 0, groupId = "") =>
  scored(id, 0.5, 1, { createdAt: { seconds, nanos }, groupId });

const order = async (...given: Fragment[]): Promise<string[]> =>
  idsOf(await chronological.order(given, { previous: [] }, testRun()));

test("the oldest stands first, to the nanosecond", async () => {
  const given = fragmentsOf(at("new", 9), at("later", 1, 2), at("sooner", 1, 1));
  assert.deepEqual(await order(...given), ["sooner", "later", "new"]);
});

test("equal times keep the order of the ranking, which no order of the input changes", async () => {
  const given = fragmentsOf(at("third", 1), at("second", 1), at("first", 1));
  assert.deepEqual(await order(...given.toReversed()), ["first", "second", "third"]);
});

test("a group stands where its oldest member does", async () => {
  const given = fragmentsOf(at("result", 5, 0, "g"), at("between", 3), at("call", 1, 0, "g"), at("before", 0));
  assert.deepEqual(await order(...given), ["before", "call", "result", "between"]);
});

test("members of equal age keep the order of the input", async () => {
  const calls: FragmentDraft[] = [at("call", 1, 0, "g"), at("one", 1, 0, "g"), at("two", 1, 0, "g")];
  assert.deepEqual(await order(...fragmentsOf(...calls).toReversed()), ["call", "one", "two"]);
});
