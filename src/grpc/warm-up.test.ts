import assert from "node:assert/strict";
import { test } from "node:test";
import { warmUp } from "./warm-up.js";

test("what is assembled before the first call is valid", async () => {
  await assert.doesNotReject(warmUp());
});
