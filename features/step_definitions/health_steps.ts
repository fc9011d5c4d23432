import assert from "node:assert/strict";
import { Then, When } from "@cucumber/cucumber";
import type { AcmsWorld } from "../support/world.js";

When("the client asks for the health of the server", async function (this: AcmsWorld) {
  await this.checkHealth("");
});

When("the client asks for the health of {string}", async function (this: AcmsWorld, service: string) {
  await this.checkHealth(service);
});

Then("the answer is {word}", function (this: AcmsWorld, status: string) {
  assert.equal(this.answer("health"), status);
});
