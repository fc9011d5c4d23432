import assert from "node:assert/strict";
import { test } from "node:test";
import { Reason as WireReason } from "../../../gen/acms/v1/trace.js";
import { reasonWords } from "./reasons.js";

test("every reason of the contract has words of its own", () => {
  const numbers = Object.values(WireReason).filter((value) => typeof value === "number" && value > 0);
  const names = numbers.map((reason) => reasonWords(Number(reason)).name);
  assert.equal(new Set(names).size, numbers.length);
  assert.ok(names.every((name) => !name.startsWith("reason ")));
});

test("a reason that only a newer server knows is shown by its number", () => {
  assert.equal(reasonWords(99).name, "reason 99");
});
