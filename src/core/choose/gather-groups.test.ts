import assert from "node:assert/strict";
import { test } from "node:test";
import { fragmentsOf, scored } from "../drafts.fixture.js";
import { linksOf, nominationOf } from "../fuse/packing.fixture.js";
import type { Fragment, FragmentDraft } from "../model/fragment.js";
import { runAtOnce } from "../run-in-slices.js";
import { gatherGroups } from "./gather-groups.js";

const at = (seconds: number, fields: Partial<FragmentDraft> = {}) => ({ createdAt: { seconds, nanos: 0 }, ...fields });

function gather(
  nominated: readonly Fragment[],
  all: readonly Fragment[],
  scores?: number[],
  committed: Fragment[] = [],
) {
  const nomination = nominationOf(nominated, scores && { scores });
  const gathered = runAtOnce(gatherGroups(nomination, all, linksOf(all), new Set(committed)));
  return {
    ids: [...gathered.positions].map((i) => all[i]!.fragmentId),
    scores: gathered.scores && [...gathered.scores],
  };
}

test("a group stands where its best ranked member stands, oldest first", () => {
  const fragments = fragmentsOf(
    scored("top", 1, 1),
    scored("late", 0.9, 1, at(9, { groupId: "g" })),
    scored("middle", 0.5, 1),
    scored("early", 0.1, 1, at(1, { groupId: "g" })),
  );
  assert.deepEqual(gather(fragments, fragments).ids, ["top", "early", "late", "middle"]);
});

test("each fragment keeps its score", () => {
  const fragments = fragmentsOf(
    scored("a", 1, 1, at(9, { groupId: "g" })),
    scored("b", 1, 1),
    scored("c", 1, 1, at(1, { groupId: "g" })),
  );
  assert.deepEqual(gather(fragments, fragments, [0.9, 0.5, 0.1]), { ids: ["c", "a", "b"], scores: [0.1, 0.9, 0.5] });
});

test("a group that is not nominated whole goes", () => {
  const fragments = fragmentsOf(
    scored("a", 1, 1, { groupId: "g" }),
    scored("b", 1, 1),
    scored("c", 1, 1, { groupId: "g" }),
  );
  assert.deepEqual(gather(fragments.slice(0, 2), fragments).ids, ["b"]);
});

test("a member that is committed already is not missed", () => {
  const fragments = fragmentsOf(scored("a", 1, 1, { groupId: "g" }), scored("b", 1, 1, { groupId: "g" }));
  assert.deepEqual(gather(fragments.slice(0, 1), fragments, undefined, [fragments[1]!]).ids, ["a"]);
});

test("without groups a nomination keeps its order, and has the scores of it", () => {
  const fragments = fragmentsOf(scored("a", 1, 1), scored("b", 1, 1));
  const { scores: _, ...nomination } = nominationOf(fragments);
  const gathered = runAtOnce(gatherGroups(nomination, fragments, linksOf(fragments), new Set()));
  assert.equal(gathered.positions, nomination.positions);
  assert.deepEqual([...gathered.scores], [1, 0.5]);
});
