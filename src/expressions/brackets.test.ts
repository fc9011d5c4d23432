import assert from "node:assert/strict";
import { test } from "node:test";
import { checkBrackets } from "./brackets.js";
import { describeFault, type SourceFault } from "./source-fault.js";

function faultIn(source: string): string | undefined {
  try {
    checkBrackets(source);
    return undefined;
  } catch (error) {
    return describeFault(source, error as SourceFault).description;
  }
}

test("brackets may stand 32 deep", () => {
  assert.equal(faultIn("(".repeat(32) + ")".repeat(32)), undefined);
  assert.equal(faultIn("[".repeat(33) + "]".repeat(33)), "at 1:33: brackets stand more than 32 deep");
});

test("a bracket that does not close, or closes another, is named with its place", () => {
  assert.equal(faultIn("f(1\n + (2)"), "at 1:2: ( is never closed");
  assert.equal(faultIn("1\n + 2)"), "at 2:5: ) closes nothing");
  assert.equal(faultIn("[1, (2]"), "at 1:7: ] stands where ) was expected");
});

test("brackets in texts and comments are no brackets", () => {
  for (const source of [
    `"(" + '[' + "\\"{"`,
    `"""(\n"[""" + '''(''\\''''`,
    String.raw`r"\" + r'(\'`,
    "1 // (\n + 2 // [",
  ]) {
    assert.equal(faultIn(source), undefined, source);
  }
});

test("a long text that never ends is left to the parser, and is gone through once", () => {
  for (const source of ['"""'.repeat(1_365), `"${"\\".repeat(4_095)}`, "'''\\".repeat(1_024)]) {
    assert.equal(faultIn(source), undefined);
  }
});
