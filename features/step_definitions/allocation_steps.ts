import assert from "node:assert/strict";
import { Then, When } from "@cucumber/cucumber";
import { allocate } from "../support/stage_calls.js";
import type { AcmsWorld } from "../support/world.js";

When("{int} tokens are split by {numbers}", async function (this: AcmsWorld, tokens: number, confidences: number[]) {
  await allocate(this, tokens, confidences);
});

Then("the shares are {numbers}", function (this: AcmsWorld, shares: number[]) {
  assert.deepEqual(
    this.answer("allocations").map(({ tokens }) => tokens),
    shares,
  );
});

Then("the shares add up to {int}", function (this: AcmsWorld, tokens: number) {
  assert.equal(
    this.answer("allocations").reduce((sum, share) => sum + share.tokens, 0),
    tokens,
  );
});
