import assert from "node:assert/strict";
import { test } from "node:test";
import { fragmentsOf, idsOf, scored, testRun } from "../../drafts.fixture.js";
import type { FragmentDraft } from "../../model/fragment.js";
import { source } from "./source.js";

const from = (id: string, resourceUri: string, location: string, fields: Partial<FragmentDraft> = {}) =>
  scored(id, 0.5, 1, { provenance: { resourceUri, resourceType: "", location, mergedFrom: [] }, ...fields });

async function order(...drafts: FragmentDraft[]): Promise<string[]> {
  return idsOf(await source.order(fragmentsOf(...drafts), { previous: [] }, testRun()));
}

test("resources stand one after the other, each from its start to its end", async () => {
  assert.deepEqual(
    await order(
      from("b10", "file:///b", "L10-L20"),
      from("a2", "file:///a", "chunk 2"),
      from("b9", "file:///b", "L9-L12"),
      from("a10", "file:///a", "chunk 10"),
      from("b", "file:///b", ""),
    ),
    ["a2", "a10", "b", "b9", "b10"],
  );
});

test("without a resource the node is one", async () => {
  const node = (id: string, ukoNode: string) => scored(id, 0.5, 1, { ukoNode });
  assert.deepEqual(await order(node("x", "file:///b"), from("y", "file:///a", ""), node("z", "file:///A")), [
    "z",
    "y",
    "x",
  ]);
});

test("at one place the shallower stands first, then the total order decides", async () => {
  const at = (id: string, detailDepth: number) => from(id, "file:///a", "L1", { detailDepth, ukoNode: "n" });
  assert.deepEqual(await order(at("full", 9), at("b", 1), at("name", 0), at("a", 1)), ["name", "a", "b", "full"]);
});

test("a group stands where its first member does, a call before its result", async () => {
  const second = (seconds: number) => ({ createdAt: { seconds, nanos: 0 }, groupId: "g" });
  assert.deepEqual(
    await order(
      from("result", "file:///a", "L5", second(2)),
      from("between", "file:///a", "L7", {}),
      from("call", "file:///z", "L1", second(1)),
      from("before", "file:///a", "L1", {}),
    ),
    ["before", "call", "result", "between"],
  );
});
