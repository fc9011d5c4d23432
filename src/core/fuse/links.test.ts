import assert from "node:assert/strict";
import { test } from "node:test";
import { fragmentsOf, idsOf, scored } from "../drafts.fixture.js";
import type { Fragment } from "../model/fragment.js";
import { linksOf } from "./packing.fixture.js";

const at = (seconds: number) => ({ createdAt: { seconds, nanos: 0 } });

test("fragments without groups and requirements stand alone", () => {
  const [a, b] = fragmentsOf(scored("a", 1, 5), scored("b", 1, 5)) as [Fragment, Fragment];
  const links = linksOf([a, b]);
  assert.equal(links.any, false);
  assert.equal(links.isAlone(a), true);
  assert.deepEqual(links.groupOf(a), [a]);
  assert.deepEqual(links.partsOf(a), [[a]]);
  assert.deepEqual(links.requiredBy(a), []);
});

test("a group stands oldest first, in input order where times are equal", () => {
  const fragments = fragmentsOf(
    scored("late", 1, 1, { groupId: "g", ...at(9) }),
    scored("first", 1, 1, { groupId: "g", ...at(1) }),
    scored("twin 1", 1, 1, { groupId: "g", ...at(5) }),
    scored("twin 2", 1, 1, { groupId: "g", ...at(5) }),
    scored("other", 1, 1, { groupId: "h", ...at(0) }),
  );
  const links = linksOf(fragments);
  for (const member of fragments.slice(0, 4)) {
    assert.deepEqual(idsOf(links.groupOf(member)), ["first", "twin 1", "twin 2", "late"]);
  }
});

test("a group of one is alone, a group of two is not", () => {
  const fragments = fragmentsOf(
    scored("one", 1, 1, { groupId: "g" }),
    scored("a", 1, 1, { groupId: "h" }),
    scored("b", 1, 1, { groupId: "h" }),
  );
  assert.deepEqual(
    fragments.map((fragment) => linksOf(fragments).isAlone(fragment)),
    [true, false, false],
  );
});

test("what requires another is not alone, and what is required is", () => {
  const fragments = fragmentsOf(scored("a", 1, 1, { requires: ["b"] }), scored("b", 1, 1));
  assert.deepEqual(
    fragments.map((fragment) => linksOf(fragments).isAlone(fragment)),
    [false, true],
  );
});

test("a fragment knows what it requires itself", () => {
  const fragments = fragmentsOf(
    scored("a", 1, 1, { requires: ["b"] }),
    scored("b", 1, 1, { requires: ["c"] }),
    scored("c", 1, 1),
  );
  assert.deepEqual(idsOf(linksOf(fragments).requiredBy(fragments[0]!)), ["b"]);
});

test("whoever requires a duplicate is met by its survivor", () => {
  const fragments = fragmentsOf(scored("a", 1, 1, { requires: ["b"] }), scored("b", 1, 1), scored("c", 1, 1));
  const links = linksOf(fragments);
  assert.deepEqual(idsOf(fragments.filter(links.isRequired)), ["b"]);
  links.redirect(fragments[1]!, fragments[2]!);
  assert.deepEqual(idsOf(links.requiredBy(fragments[0]!)), ["c"]);
  assert.deepEqual(idsOf(fragments.filter(links.isRequired)), ["c"]);
});

const variants = fragmentsOf(
  scored("short", 1, 1, { groupId: "g", variantKey: "k", detailDepth: 2 }),
  scored("deep", 1, 1, { groupId: "g", variantKey: "k", detailDepth: 9 }),
  scored("other", 1, 1, { groupId: "g" }),
);

test("a group needs each of its members where every variant is kept", () => {
  const parts = linksOf(variants).partsOf(variants[0]!);
  assert.deepEqual(parts.map(idsOf), [["short"], ["deep"], ["other"]]);
});

test("a group needs one of each variant key where one is kept, the deepest first", () => {
  const parts = linksOf(variants, true).partsOf(variants[0]!);
  assert.deepEqual(parts.map(idsOf), [["deep", "short"], ["other"]]);
});
