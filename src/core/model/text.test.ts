import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { codePointCount, compareUtf8, cutToCodePoints, cutToUnits, isLongerThan } from "./text.js";

/** Well-formed texts in which neighbours of the surrogates are common. */
const texts = fc.string({
  unit: fc.oneof(
    fc.constantFrom("a", "b", "é", "\u{d7ff}", "\u{e000}", "\u{ffff}", "\u{10000}", "\u{10ffff}", "😀", "😁"),
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
  ),
  maxLength: 12,
});

test("a character outside the basic plane counts once", () => {
  assert.equal(codePointCount("a😀b"), 3);
  assert.equal(codePointCount(""), 0);
});

test("each half of a broken pair counts once", () => {
  assert.equal(codePointCount("\ud83d"), 1);
  assert.equal(codePointCount("\ude00\ud83d"), 2);
  assert.equal(codePointCount("\ud83d\ud83d\ude00"), 2);
});

test("code points are counted as iteration over a text counts them", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => assert.equal(codePointCount(text), [...text].length)),
    { seed: 1, numRuns: 300 },
  );
});

test("a text is longer than a limit by code points, not by units", () => {
  assert.equal(isLongerThan("😀".repeat(128), 128), false);
  assert.equal(isLongerThan("😀".repeat(129), 128), true);
  assert.equal(isLongerThan("a".repeat(128), 128), false);
});

test("a cut never ends inside a pair", () => {
  assert.equal(cutToUnits("a😀b", 2), "a");
  assert.equal(cutToUnits("a😀b", 3), "a😀");
  assert.equal(cutToUnits("a😀b", 9), "a😀b");
  assert.equal(cutToUnits("😀", 1), "");
});

test("a cut to nothing, or less, is empty", () => {
  assert.equal(cutToUnits("ab", 0), "");
  assert.equal(cutToUnits("ab", -3), "");
  assert.equal(cutToUnits("", 0), "");
});

test("a cut is the longest well-formed start within its units", () => {
  fc.assert(
    fc.property(texts, fc.nat(14), (text, units) => {
      const cut = cutToUnits(text, units);
      assert.ok(text.startsWith(cut) && cut.isWellFormed() && cut.length <= units);
      assert.ok(cut === text || cut.length >= units - 1);
    }),
    { seed: 1, numRuns: 500 },
  );
});

test("texts compare as their UTF-8 bytes do", () => {
  fc.assert(
    fc.property(texts, texts, (a, b) => {
      assert.equal(Math.sign(compareUtf8(a, b)), Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
    { seed: 1, numRuns: 5_000 },
  );
});

test("a character outside the basic plane comes after every one within it", () => {
  assert.ok(compareUtf8("\u{10000}", "\u{ffff}") > 0);
  assert.ok("\u{10000}" < "\u{ffff}", "where UTF-16 units say the opposite");
});

test("a text comes after its own beginning", () => {
  assert.ok(compareUtf8("ab", "a") > 0);
  assert.ok(compareUtf8("", "a") < 0);
  assert.equal(compareUtf8("a", "a"), 0);
});

test("a text is cut to code points", () => {
  assert.equal(cutToCodePoints("abc", 3), "abc");
  assert.equal(cutToCodePoints("a😀b", 2), "a😀");
  assert.equal(cutToCodePoints("😀😀😀", 2), "😀😀");
  assert.equal(cutToCodePoints("a😀", 0), "");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(5), (text, count) =>
      assert.equal(cutToCodePoints(text, count), [...text].slice(0, count).join("")),
    ),
  );
});
