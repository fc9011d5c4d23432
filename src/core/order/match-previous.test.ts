import assert from "node:assert/strict";
import { test } from "node:test";
import { contentHash } from "../context-hash.js";
import { fragmentsOf, scored } from "../drafts.fixture.js";
import type { FragmentDraft } from "../model/fragment.js";
import { matchPrevious } from "./match-previous.js";

const byId = (fragmentId: string) => ({ fragmentId, contentHash: "" });
const byContent = (content: string) => ({ fragmentId: "", contentHash: contentHash(content) });
const byBoth = (fragmentId: string, content: string) => ({ fragmentId, contentHash: contentHash(content) });

/** The ids of what is found for each, `-` for nothing. */
function found(previous: readonly ReturnType<typeof byId>[], ...drafts: FragmentDraft[]): string[] {
  return matchPrevious(previous, fragmentsOf(...drafts)).map((fragment) => fragment?.fragmentId ?? "-");
}

const saying = (id: string, content: string, second: number, fields: Partial<FragmentDraft> = {}) =>
  scored(id, 0.5, 1, { content, createdAt: { seconds: second, nanos: 0 }, ...fields });

test("a fragment is the same where all that is given of it is equal", () => {
  const drafts = [saying("a", "alpha", 1), saying("b", "beta", 2)];
  assert.deepEqual(found([byId("b"), byContent("alpha")], ...drafts), ["b", "a"]);
  assert.deepEqual(found([byBoth("a", "alpha"), byBoth("b", "changed")], ...drafts), ["a", "-"]);
  assert.deepEqual(found([byId("c"), byContent("gamma"), byBoth("a", "beta")], ...drafts), ["-", "-", "-"]);
});

test("no fragment is found twice", () => {
  assert.deepEqual(found([byId("a"), byId("a"), byContent("alpha")], saying("a", "alpha", 1)), ["a", "-", "-"]);
});

test("equal contents are found in the order of stable, whatever the order of the input", () => {
  const drafts = [saying("late", "ok", 9), saying("early", "ok", 1), saying("rule", "ok", 5, { role: 1 })];
  const wanted = [byContent("ok"), byContent("ok"), byContent("ok"), byContent("ok")];
  assert.deepEqual(found(wanted, ...drafts), ["rule", "early", "late", "-"]);
  assert.deepEqual(found(wanted, ...drafts.toReversed()), ["rule", "early", "late", "-"]);
});

test("what is named elsewhere is found by its content only where no other has it", () => {
  const drafts = [saying("early", "ok", 1), saying("late", "ok", 2)];
  assert.deepEqual(found([byContent("ok"), byId("early")], ...drafts), ["late", "early"]);
  assert.deepEqual(found([byContent("ok"), byContent("ok"), byId("early")], ...drafts), ["late", "early", "-"]);
});
