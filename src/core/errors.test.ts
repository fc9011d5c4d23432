import assert from "node:assert/strict";
import { test } from "node:test";
import { ContextError, invalidRequest, quote, unknownName } from "./errors.js";

test("an error keeps its cause, and has none where none is given", () => {
  const cause = new Error("inside");
  assert.equal(new ContextError("INTERNAL", "outside", { cause }).cause, cause);
  assert.equal("cause" in new ContextError("INTERNAL", "outside"), false);
});

test("a request with one fault is refused in its words", () => {
  assert.equal(invalidRequest([{ field: "budget", description: "is absent" }]).message, "budget: is absent");
});

test("an unknown name is refused with the names that exist, sorted", () => {
  const error = unknownName("UNKNOWN_STRATEGY", "strategy", "relevant", ["tiered", "recency", "relevance"]);
  assert.equal(error.reason, "UNKNOWN_STRATEGY");
  assert.equal(error.message, 'no strategy has the name "relevant"; known: recency, relevance, tiered');
  assert.deepEqual(error.metadata, { strategy: "relevant", known: "recency, relevance, tiered" });
});

test("an unknown component says its role too", () => {
  const error = unknownName("UNKNOWN_COMPONENT", "packer", "best", ["in_order"], { role: "packer" });
  assert.deepEqual(error.metadata, { role: "packer", component: "best", known: "in_order" });
});

test("a caller's text never stands in a message at full length", () => {
  assert.equal(quote("x".repeat(64)), `"${"x".repeat(64)}"`);
  assert.equal(quote("x".repeat(65)), `"${"x".repeat(64)}…"`);
});

test("control characters and quotes of a caller's text are escaped", () => {
  assert.equal(quote('a"\n\u0000'), '"a\\"\\n\\u0000"');
});

test("a shortened text never ends inside a surrogate pair", () => {
  const name = `${"x".repeat(63)}😀`;
  const error = unknownName("UNKNOWN_STRATEGY", "strategy", `${name}y`, []);
  assert.ok(error.metadata.strategy?.isWellFormed(), JSON.stringify(error.metadata.strategy));
  assert.ok(!error.message.includes("\\ud83d"), error.message);
});
