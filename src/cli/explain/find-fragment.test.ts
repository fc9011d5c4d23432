import assert from "node:assert/strict";
import { test } from "node:test";
import { ContextFragment } from "../../../gen/acms/v1/fragment.js";
import { ExitError } from "../io.js";
import { findFragment } from "./find-fragment.js";
import { nearestNames } from "./nearest-names.js";

const fragments = [
  { fragmentId: "src/main.ts", ukoNode: "n" },
  { fragmentId: "", ukoNode: "project://a" },
  { fragmentId: "#0", ukoNode: "n" },
  { fragmentId: "README.md", ukoNode: "n" },
].map((fragment) => ContextFragment.fromPartial(fragment));

function refusal(wanted: string, among = fragments): string {
  try {
    findFragment(wanted, among);
  } catch (error) {
    assert.ok(error instanceof ExitError && error.code === 1, String(error));
    return error.message;
  }
  return assert.fail("was found");
}

test("a fragment is found by its id, and by its place where no id is written so", () => {
  assert.equal(findFragment("src/main.ts", fragments), 0);
  assert.equal(findFragment("#1", fragments), 1);
  assert.equal(findFragment("#0", fragments), 2);
});

test("what does not exist is answered with the nearest ids", () => {
  assert.equal(
    refusal("src/mian.ts"),
    'error: no fragment is "src/mian.ts"; the nearest ids are "src/main.ts", "README.md", "#0"; #0 to #3 name them by place',
  );
  assert.match(refusal("#4"), /^error: no fragment is "#4"; .*#0 to #3 name them by place$/);
  assert.match(refusal(""), /^error: no fragment is ""; /);
});

test("a node is answered with the places of its fragments", () => {
  assert.equal(refusal("project://a"), 'error: no fragment is "project://a"; it is the node of #1');
  const many = Array.from({ length: 7 }, () => ContextFragment.fromPartial({ ukoNode: "n" }));
  assert.match(refusal("n", many), /it is the node of #0, #1, #2, #3, #4 and 2 more$/);
});

test("a request without fragments, or without ids, says so", () => {
  assert.match(refusal("a", []), /; the request has none$/);
  assert.match(refusal("a", fragments.slice(1, 2)), /; none has an id; #0 to #0 name them by place$/);
});

test("nearest are names that hold what was written, then those with the fewest edits", () => {
  const names = ["budget.proto@9", "trace.proto@9", "zebra", "TRACE"];
  assert.deepEqual(nearestNames("trace.proto", names, 2), ["trace.proto@9", "TRACE"]);
  assert.deepEqual(nearestNames("zebr", names, 1), ["zebra"]);
  assert.deepEqual(nearestNames("zbera", names, 1), ["zebra"]);
});

test("the nearest of ten thousand long names are found", () => {
  const many = Array.from({ length: 10_000 }, (_, i) => `${"long/".repeat(20)}${i}`.slice(0, 128));
  assert.equal(nearestNames(`x${"lnog/".repeat(25)}`, many, 5).length, 5);
});
