import assert from "node:assert/strict";
import { test } from "node:test";
import { relevances } from "./relevance.js";

const files = [
  { path: "budget.ts", text: "export function splitBudget(budget: number) {}" },
  { path: "order.ts", text: "sort all by their position" },
  { path: "readme.md", text: "A long text on many things, of which a budget is one, and how we like them." },
].map((file) => ({ ...file, modifiedAt: new Date(0) }));

test("the best file has 1, others their share, and files without a match 0", () => {
  const scores = relevances(files, "how are budgets split");
  assert.equal(scores.get("budget.ts"), 1);
  assert.equal(scores.get("order.ts"), 0);
  const share = scores.get("readme.md") ?? 0;
  assert.ok(share > 0 && share < 1, String(share));
});

test("names in code are found by their words and as a whole", () => {
  assert.equal(relevances(files, "splitbudget").get("budget.ts"), 1);
  assert.equal(relevances(files, "SPLIT").get("budget.ts"), 1);
});

test("a path counts too", () => {
  assert.equal(relevances(files, "readme").get("readme.md"), 1);
});

test("words of a question do not make a file relevant, unless there are no others", () => {
  assert.equal(relevances(files, "how do we sort?").get("readme.md"), 0);
  assert.equal(relevances(files, "how").get("readme.md"), 1);
});

test("without any match every file has 0", () => {
  for (const query of ["zebra", "???"]) {
    assert.deepEqual([...relevances(files, query).values()], [0, 0, 0]);
  }
  assert.equal(relevances([], "budget").size, 0);
});

test("paths and words that objects know by themselves are ordinary", () => {
  const odd = [{ path: "__proto__", text: "constructor toString", modifiedAt: new Date(0) }];
  assert.equal(relevances(odd, "constructor").get("__proto__"), 1);
});
