import assert from "node:assert/strict";
import { test } from "node:test";
import { printable } from "../printable.js";
import { shorten, widthOf, wrap } from "./fit-text.js";

test("a long text loses its middle, and more of its beginning than of its end", () => {
  assert.equal(shorten("src/core/model/budget.ts", 24), "src/core/model/budget.ts");
  assert.equal(shorten("src/core/model/budget.ts", 16), "src/c…/budget.ts");
  assert.equal(shorten("abc", 1), "…");
});

test("wide characters take two columns, marks none", () => {
  assert.equal(widthOf("日本"), 4);
  assert.equal(widthOf("e\u0301"), 1);
  assert.equal(shorten("日本語日本語", 8), "日…本語");
  assert.ok(widthOf(shorten("日本語日本語日本語", 9)) <= 9);
});

test("a pair of surrogates is never cut", () => {
  for (let width = 1; width < 20; width++) {
    assert.ok(shorten("🦊".repeat(12), width).isWellFormed());
  }
});

test("what would steer a terminal is spelled out", () => {
  assert.equal(printable("a\u001b[31mb\n\u202ec"), "a\\u{001b}[31mb\\u{000a}\\u{202e}c");
  assert.equal(printable("plain é 日本"), "plain é 日本");
});

test("text breaks at spaces", () => {
  assert.deepEqual(wrap("one two three", 7), ["one two", "three"]);
  assert.deepEqual(wrap("extraordinary word", 5), ["extraordinary", "word"]);
});
