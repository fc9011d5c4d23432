import assert from "node:assert/strict";
import { test } from "node:test";
import { headLines } from "./head-lines.js";

const head = (lines: number, ...contents: string[]) =>
  headLines(
    contents.map((content) => ({ label: "", content })),
    lines,
  ).map(({ content }) => content);

test("the first lines stay, without the break after the last", () => {
  assert.deepEqual(head(2, "a\nb\nc\nd"), ["a\nb"]);
  assert.deepEqual(head(1, "a\nb"), ["a"]);
});

test("a text of no more lines is whole, with a break at its end or without", () => {
  for (const text of ["a\nb", "a\nb\n", "a\r\nb\r\n", "a", "\n", "\r\n"]) assert.deepEqual(head(2, text), [text]);
});

test("a blank line is a line", () => {
  assert.deepEqual(head(2, "a\nb\n\n"), ["a\nb"]);
  assert.deepEqual(head(1, "\na"), [""]);
  assert.deepEqual(head(3, "\n\n\n\n"), ["\n\n"]);
});

test("a carriage return before a line feed is of the same break, and alone it is text", () => {
  assert.deepEqual(head(2, "a\r\nb\r\nc"), ["a\r\nb"]);
  assert.deepEqual(head(1, "a\rb\nc"), ["a\rb"]);
  assert.deepEqual(head(1, "\r\na"), [""]);
});

test("lines are counted through all parts", () => {
  assert.deepEqual(head(3, "a\nb\n", "c\nd", "e"), ["a\nb\n", "c"]);
  assert.deepEqual(head(2, "a\nb\n", "c"), ["a\nb\n"]);
  assert.deepEqual(head(9, "a\nb", "c"), ["a\nb", "c"]);
});
