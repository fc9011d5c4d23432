import assert from "node:assert/strict";
import { Then, When } from "@cucumber/cucumber";
import type { AcmsWorld } from "../support/world.js";

// Some run in every order of their fragments, which is more than the usual time is meant for.
When("the client runs every vector", { timeout: 60_000 }, async function (this: AcmsWorld) {
  await this.runVectors();
});

Then("each of them has its answer", function (this: AcmsWorld) {
  const faults = this.answer("faults");
  assert.equal(faults.length, 0, faults.join("\n"));
});
