import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fragmentsOf, idsOf, scored } from "../drafts.fixture.js";
import type { Fragment } from "../model/fragment.js";
import { linksOf } from "./packing.fixture.js";

const at = (seconds: number) => ({ createdAt: { seconds, nanos: 0 } });
const never = () => false;
const ALL = Number.POSITIVE_INFINITY;

const sortedIds = (fragments: readonly Fragment[] | undefined) => fragments && idsOf(fragments).sort();

test("fragments without groups and requirements stand alone", () => {
  const [a, b] = fragmentsOf(scored("a", 1, 5), scored("b", 1, 5)) as [Fragment, Fragment];
  const links = linksOf([a, b]);
  assert.equal(links.any, false);
  assert.equal(links.isAlone(a), true);
  assert.deepEqual(links.groupOf(a), [a]);
  assert.deepEqual(links.entrants(a, 5, never, never), [a]);
  assert.equal(links.entrants(a, 4, never, never), undefined);
  assert.deepEqual(
    links.entrants(a, 5, () => true, never),
    [],
  );
  assert.equal(
    links.entrants(a, 5, never, () => true),
    undefined,
  );
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

test("a fragment enters with all that it requires, and with their groups", () => {
  const fragments = fragmentsOf(
    scored("a", 1, 1, { requires: ["b"] }),
    scored("b", 1, 1, { groupId: "g" }),
    scored("c", 1, 1, { groupId: "g", requires: ["d"] }),
    scored("d", 1, 1),
    scored("e", 1, 1),
  );
  assert.deepEqual(sortedIds(linksOf(fragments).entrants(fragments[0]!, ALL, never, never)), ["a", "b", "c", "d"]);
});

test("a circle of requirements ends, and one that requires itself enters once", () => {
  const fragments = fragmentsOf(
    scored("a", 1, 1, { requires: ["b", "a"] }),
    scored("b", 1, 1, { requires: ["c"] }),
    scored("c", 1, 1, { requires: ["a"] }),
  );
  for (const fragment of fragments) {
    assert.deepEqual(sortedIds(linksOf(fragments).entrants(fragment, ALL, never, never)), ["a", "b", "c"]);
  }
});

test("what is present costs nothing and brings nothing", () => {
  const fragments = fragmentsOf(
    scored("a", 1, 10, { requires: ["b"] }),
    scored("b", 1, 100, { requires: ["c"] }),
    scored("c", 1, 1_000),
  );
  const isPresent = ({ fragmentId }: Fragment) => fragmentId !== "a";
  assert.deepEqual(sortedIds(linksOf(fragments).entrants(fragments[0]!, 10, isPresent, never)), ["a"]);
});

test("nothing enters where the price of all is above the tokens", () => {
  const fragments = fragmentsOf(scored("a", 1, 10, { requires: ["b"] }), scored("b", 1, 10));
  const links = linksOf(fragments);
  assert.equal(links.entrants(fragments[0]!, 19, never, never), undefined);
  assert.deepEqual(sortedIds(links.entrants(fragments[0]!, 20, never, never)), ["a", "b"]);
});

test("nothing enters where something that it needs is ruled out", () => {
  const fragments = fragmentsOf(scored("a", 1, 1, { requires: ["b"] }), scored("b", 1, 1));
  const isOut = ({ fragmentId }: Fragment) => fragmentId === "b";
  assert.equal(linksOf(fragments).entrants(fragments[0]!, ALL, never, isOut), undefined);
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
      const entrants = linksOf(fragments).entrants(fragments[start]!, ALL, never, never);
      assert.deepEqual(sortedIds(entrants), [...closure].sort());
    }),
    { seed: 1, numRuns: 300 },
  );
});
