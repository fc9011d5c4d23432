import assert from "node:assert/strict";
import { test } from "node:test";
import { builtInRegistry } from "../built-in.js";
import { contentHash } from "../context-hash.js";
import { idsOf, scored, testRun } from "../drafts.fixture.js";
import { ContextError } from "../errors.js";
import type { FragmentDraft } from "../model/fragment.js";
import type { PreviousPayloadDraft } from "../model/previous.js";
import { DEFAULT_LIMITS } from "../model/request.js";
import { orderAlone } from "./present-alone.js";

const at = (id: string, seconds: number, fields: Partial<FragmentDraft> = {}) =>
  scored(id, 0.5, 1, { createdAt: { seconds, nanos: 0 }, ...fields });

const fragments = [at("new", 2), at("rules", 3, { role: 1 }), at("old", 1)];

const order = async (component: string, previous?: PreviousPayloadDraft, maxFragments = 3): Promise<string> => {
  const around = { registry: builtInRegistry(), limits: { ...DEFAULT_LIMITS, maxFragments }, run: testRun() };
  return idsOf(await orderAlone({ fragments, component, previous }, around)).join(" ");
};

test("an orderer by itself has what it has in an assembly", async () => {
  assert.equal(await order(""), "new rules old");
  assert.equal(await order("chronological"), "old new rules");
  assert.equal(await order("stable"), "rules old new");
  assert.equal(
    await order("stable", { fragments: [{ fragmentId: "new", contentHash: contentHash("new") }] }),
    "new rules old",
  );
});

test("every fault of its fragments and of the previous payload is named at once", async () => {
  const previous = { fragments: [{ fragmentId: "", contentHash: "" }] };
  const around = { registry: builtInRegistry(), limits: DEFAULT_LIMITS, run: testRun() };
  const wrong = [{ ...fragments[0]!, ukoNode: "" }];
  await assert.rejects(orderAlone({ fragments: wrong, component: "stable", previous }, around), (error) => {
    assert.ok(error instanceof ContextError);
    assert.deepEqual(
      error.violations.map(({ field }) => field),
      ["previous.fragments[0]", "fragments[0].uko_node"],
    );
    return true;
  });
});

test("the previous payload holds no more fragments than the server takes", async () => {
  const previous = { fragments: ["a", "b", "c", "d"].map((fragmentId) => ({ fragmentId, contentHash: "" })) };
  await assert.rejects(order("stable", previous), /previous\.fragments: has 4 entries; at most 3/);
});
