import assert from "node:assert/strict";
import { test } from "node:test";
import { ContextError } from "../core/index.js";
import { counterOf, tokenizerNames } from "./counters.js";
import { estimateCounter } from "./estimate-counter.js";

test("a counter is found by its tokenizer's name", () => {
  for (const name of tokenizerNames) assert.equal(counterOf(name, "chars4").name, name);
});

test("without a name the default counts", () => {
  assert.equal(counterOf("", "chars4"), estimateCounter);
});

test("a tokenizer that does not exist is refused with the names that do", () => {
  for (const [name, fallback] of [
    ["gpt9", "chars4"],
    ["", "gpt9"],
  ] as const) {
    assert.throws(
      () => counterOf(name, fallback),
      (error) => {
        assert.ok(error instanceof ContextError);
        assert.equal(error.reason, "UNKNOWN_TOKENIZER");
        assert.deepEqual(error.metadata, { tokenizer: "gpt9", known: [...tokenizerNames].sort().join(", ") });
        return true;
      },
    );
  }
});

test("names of an object's own are no tokenizers", () => {
  for (const name of ["constructor", "__proto__", "toString"])
    assert.throws(() => counterOf(name, "chars4"), ContextError);
});
