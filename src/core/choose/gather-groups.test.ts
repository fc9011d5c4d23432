import assert from "node:assert/strict";
import { test } from "node:test";
import { fragmentsOf, idsOf, scored } from "../drafts.fixture.js";
import { linksOf, nominationOf } from "../fuse/packing.fixture.js";
import type { FragmentDraft } from "../model/fragment.js";
import { gatherGroups } from "./gather-groups.js";

const at = (seconds: number, fields: Partial<FragmentDraft> = {}) => ({ createdAt: { seconds, nanos: 0 }, ...fields });

test("a group stands where its best ranked member stands, oldest first", () => {
  const fragments = fragmentsOf(
    scored("top", 1, 1),
    scored("late", 0.9, 1, at(9, { groupId: "g" })),
    scored("middle", 0.5, 1),
    scored("early", 0.1, 1, at(1, { groupId: "g" })),
  );
  const gathered = gatherGroups(nominationOf(fragments), linksOf(fragments));
  assert.deepEqual(idsOf(gathered.fragments), ["top", "early", "late", "middle"]);
  assert.deepEqual([...gathered.positions], [0, 3, 1, 2]);
});

test("each fragment keeps its score", () => {
  const fragments = fragmentsOf(
    scored("a", 1, 1, at(9, { groupId: "g" })),
    scored("b", 1, 1),
    scored("c", 1, 1, at(1, { groupId: "g" })),
  );
  const gathered = gatherGroups(nominationOf(fragments, { scores: [0.9, 0.5, 0.1] }), linksOf(fragments));
  assert.deepEqual(idsOf(gathered.fragments), ["c", "a", "b"]);
  assert.deepEqual([...gathered.scores!], [0.1, 0.9, 0.5]);
});

test("a group that is not nominated whole goes", () => {
  const fragments = fragmentsOf(
    scored("a", 1, 1, { groupId: "g" }),
    scored("b", 1, 1),
    scored("c", 1, 1, { groupId: "g" }),
  );
  const gathered = gatherGroups(nominationOf(fragments.slice(0, 2)), linksOf(fragments));
  assert.deepEqual(idsOf(gathered.fragments), ["b"]);
});

test("without groups of several a nomination stays the very same", () => {
  const fragments = fragmentsOf(scored("a", 1, 1, { groupId: "g" }), scored("b", 1, 1));
  const nomination = nominationOf(fragments);
  assert.equal(gatherGroups(nomination, linksOf(fragments)), nomination);
});
