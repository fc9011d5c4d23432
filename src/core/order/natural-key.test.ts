import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { compareUtf8 } from "../model/text.js";
import { naturalKey } from "./natural-key.js";

const compare = (a: string, b: string): number => Math.sign(compareUtf8(naturalKey(a), naturalKey(b)));

/** Shuffled by their own text, then put in order. */
const inOrder = (...texts: string[]): string[] => [...texts].sort().sort(compare);

test("digit runs compare as numbers, wherever they stand", () => {
  for (const texts of [
    ["L9-L12", "L10-L20", "L10-L100"],
    ["2-5", "120-180", "1000"],
    ["chunk 3", "chunk 20", "chunk 100"],
    ["§2.1", "§2.9", "§2.10", "§10"],
  ]) {
    assert.deepEqual(inOrder(...texts), texts);
  }
});

test("a start of another text stands before it, and the empty text before all", () => {
  assert.deepEqual(inOrder("", "L1", "L1-L2", "L1-L20"), ["", "L1", "L1-L2", "L1-L20"]);
});

test("zeros before a number say nothing, and no number is too long", () => {
  assert.equal(compare("p007", "p7"), 0);
  assert.equal(compare("p00", "p0"), 0);
  assert.equal(compare("p007", "p10"), -1);
  assert.equal(compare(`p${"9".repeat(400)}`, `p1${"0".repeat(400)}`), -1);
});

test("what is no digit compares by UTF-8 bytes", () => {
  assert.equal(compare("\u{ffff}1", "\u{10000}1"), -1);
  assert.equal(compare("B", "a"), -1);
  assert.equal(compare("é", "z"), 1);
  assert.equal(compare("٣", "2"), 1, "only the digits 0 to 9 are digits");
});

test("it is an order: no three texts go in a circle", () => {
  const texts = fc.string({ unit: fc.constantFrom("0", "1", "9", "a", "-", "é", "\u{ffff}", "😀"), maxLength: 6 });
  fc.assert(
    fc.property(texts, texts, texts, (a, b, c) => {
      assert.equal(compare(a, b), -compare(b, a) + 0);
      if (compare(a, b) <= 0 && compare(b, c) <= 0) assert.ok(compare(a, c) <= 0, `${a} ${b} ${c}`);
    }),
    { seed: 7, numRuns: 2_000 },
  );
});
