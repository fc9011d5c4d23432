import assert from "node:assert/strict";
import { test } from "node:test";
import { fragmentsOf, idsOf, scored, testRun } from "../../drafts.fixture.js";
import type { FragmentDraft } from "../../model/fragment.js";
import { edges } from "./edges.js";

const order = async (...drafts: FragmentDraft[]): Promise<string> =>
  idsOf(await edges.order(fragmentsOf(...drafts), { previous: [] }, testRun())).join(" ");

const ranks = (count: number): FragmentDraft[] => Array.from({ length: count }, (_, i) => scored(`r${i + 1}`, 0.5, 1));

test("the best stand at both ends, the worst in the middle", async () => {
  assert.equal(await order(...ranks(6)), "r1 r3 r5 r6 r4 r2");
  assert.equal(await order(...ranks(5)), "r1 r3 r5 r4 r2");
  assert.equal(await order(...ranks(2)), "r1 r2");
  assert.equal(await order(...ranks(1)), "r1");
  assert.equal(await order(), "");
});

test("a group goes to one end as a whole, oldest first", async () => {
  const member = (id: string, seconds: number) =>
    scored(id, 0.5, 1, { groupId: "g", createdAt: { seconds, nanos: 0 } });
  const [best, third, fourth] = [scored("best", 0.5, 1), scored("third", 0.5, 1), scored("fourth", 0.5, 1)];
  assert.equal(
    await order(best, member("result", 2), member("call", 1), third, fourth),
    "best third fourth call result",
  );
});
