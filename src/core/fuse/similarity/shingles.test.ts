import assert from "node:assert/strict";
import { test } from "node:test";
import { jaccard, jaccardFromLeast } from "./jaccard.js";
import { shinglesInSlices, shinglesOf } from "./shingles.js";

const similarity = (a: string, b: string): number => jaccard(shinglesOf(a), shinglesOf(b));

test("a text has a shingle for each three tokens in a row, each once, in rising order", () => {
  // one two three / two three four / three four five / four five one / five one two; the sixth would be the first again.
  const shingles = shinglesOf("one two three four five one two three");
  assert.equal(shingles.length, 5);
  assert.deepEqual(shingles, Float64Array.from(new Set(shingles)).sort());
  assert.ok(
    shingles.every((fingerprint) => Number.isInteger(fingerprint) && fingerprint >= 0 && fingerprint < 2 ** 52),
  );
});

test("case, white space and the way a character is composed say nothing", () => {
  assert.equal(similarity("The  Quick\n brown\tfox", "the quick brown fox "), 1);
  assert.equal(similarity("caf\u00e9 au lait ici", "cafe\u0301 AU LAIT ici"), 1);
});

test("marks are tokens, so that code with other operators is another text", () => {
  // a+b | +b; is 3 shingles each: "a + b", "+ b ;" against "a - b", "- b ;".
  assert.equal(similarity("a + b;", "a - b;"), 0);
  assert.equal(similarity("a+b;", "a + b ;"), 1);
});

test("half of the shingles of two texts that differ in the last word but one", () => {
  // Shingles 123 234 345 | 124x: of "a b c d e f" and "a b c d e g" are abc bcd cde in both, def and deg in one: 3 of 5.
  assert.equal(similarity("a b c d e f", "a b c d e g"), 3 / 5);
});

test("the order of words counts", () => {
  assert.equal(similarity("alpha beta gamma", "gamma beta alpha"), 0);
});

test("what is too short for a shingle is one as a whole", () => {
  assert.equal(shinglesOf("yes").length, 1);
  assert.equal(similarity("yes", "Yes"), 1);
  assert.equal(similarity("yes", "no"), 0);
  assert.equal(similarity("yes sir", "sir yes"), 0);
  assert.equal(similarity("", " \n"), 1);
  assert.equal(similarity("", "."), 0);
});

test("where a script has no spaces each character is a token", () => {
  // Six characters have four shingles; the last one differs, so three of five are shared.
  assert.equal(shinglesOf("今日は良い天").length, 4);
  assert.equal(similarity("今日は良い天", "今日は良い日"), 3 / 5);
  // A character of two units is one token: three of them, one shingle.
  assert.equal(shinglesOf("😀😁😂").length, 1);
  assert.equal(similarity("😀😁😂", "😀😁😃"), 0);
});

test("words of other scripts with spaces are words", () => {
  assert.equal(shinglesOf("Привет как дела сегодня").length, 2);
  assert.equal(similarity("ПРИВЕТ как дела сегодня", "привет Как дела сегодня"), 1);
});

test("a long text in slices has the shingles of the whole", () => {
  const text = Array.from({ length: 40_000 }, (_, i) => `w${i % 9_973}`).join(" ");
  const slices = shinglesInSlices(text);
  let count = 1;
  let slice = slices.next();
  for (; !slice.done; slice = slices.next()) count++;
  assert.ok(count > 1);
  assert.deepEqual(slice.value, shinglesOf(text));
});

test("a comparison that ends early is right wherever the similarity reaches what is asked for", () => {
  for (let shared = 0; shared <= 20; shared++) {
    for (let own = 0; own <= 20; own++) {
      const both = Array.from({ length: shared }, (_, i) => 3 * i);
      const a = Float64Array.from([...both, ...Array.from({ length: own }, (_, i) => 3 * i + 1), 1_000]).sort();
      const b = Float64Array.from([...both, ...Array.from({ length: 20 - own }, (_, i) => 3 * i + 2), 1_000]).sort();
      const exact = (shared + 1) / (a.length + b.length - shared - 1);
      assert.equal(jaccard(a, b), exact);
      for (const least of [0.05, 0.3, 0.5, 0.8, 1, exact]) {
        const found = jaccardFromLeast(a, b, least);
        if (exact >= least) assert.equal(found, exact);
        else assert.ok(found < least, `${found} is not below ${least}`);
      }
    }
  }
});
