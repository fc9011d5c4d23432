import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { paint, terminalOf } from "./terminal.js";

const terminal = (columns: number) => Object.assign(new PassThrough(), { isTTY: true, columns });

test("a terminal has its width and colours", () => {
  assert.deepEqual(terminalOf({ stdout: terminal(120), env: { NO_COLOR: "" } }), { width: 120, colour: true });
  assert.equal(terminalOf({ stdout: terminal(3), env: {} }).width, 40);
});

test("NO_COLOR forbids colours, and what is no terminal has none", () => {
  assert.equal(terminalOf({ stdout: terminal(120), env: { NO_COLOR: "1" } }).colour, false);
  assert.deepEqual(terminalOf({ stdout: new PassThrough(), env: {} }), { width: 80, colour: false });
});

test("paint is reset at its end, and nothing is painted where nothing is", () => {
  assert.equal(paint({ width: 80, colour: true }, "red", "a"), "\u001b[31ma\u001b[0m");
  assert.equal(paint({ width: 80, colour: true }, "red", ""), "");
  assert.equal(paint({ width: 80, colour: false }, "red", "a"), "a");
});
