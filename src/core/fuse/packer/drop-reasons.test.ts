import assert from "node:assert/strict";
import { test } from "node:test";
import { fragmentsOf, scored } from "../../drafts.fixture.js";
import { Reason } from "../../model/payload.js";
import { DropReasons } from "./drop-reasons.js";

const [a, b, c] = fragmentsOf(scored("a", 1, 1), scored("b", 1, 1), scored("c", 1, 1));

function reasonsOfTwo(): DropReasons {
  const reasons = new DropReasons([a!, b!, c!]);
  reasons.setAt(2, Reason.OTHER_VARIANT);
  reasons.setAt(0, Reason.SECTION_CAP);
  reasons.setAt(2, Reason.REQUIREMENT_MISSING);
  return reasons;
}

test("reasons stand in the order in which fragments had their first, each with its last", () => {
  const reasons = reasonsOfTwo();
  const expected = [
    [c, Reason.REQUIREMENT_MISSING],
    [a, Reason.SECTION_CAP],
  ];
  const visited: unknown[] = [];
  reasons.forEach((reason, fragment) => {
    visited.push([fragment, reason]);
  });
  assert.equal(reasons.size, 2);
  assert.deepEqual([...reasons], expected);
  assert.deepEqual(visited, expected);
  assert.deepEqual([...reasons.keys()], [c, a]);
  assert.deepEqual([...reasons.values()], [Reason.REQUIREMENT_MISSING, Reason.SECTION_CAP]);
});

test("a fragment without a reason has none, nor has one of another request at the same position", () => {
  const reasons = reasonsOfTwo();
  const [stranger] = fragmentsOf(scored("a", 1, 1));
  assert.deepEqual(
    [a, b, stranger].map((one) => reasons.has(one!)),
    [true, false, false],
  );
  assert.equal(reasons.get(stranger!), undefined);
});
