import assert from "node:assert/strict";
import { After, AfterAll, Before, Status, setDefaultTimeout } from "@cucumber/cucumber";
import { expressions } from "./server.js";
import type { AcmsWorld } from "./world.js";

// For machines with much else to do; a step takes milliseconds.
setDefaultTimeout(60_000);

Before(async function (this: AcmsWorld) {
  await this.open();
});

After(async function (this: AcmsWorld, { result }) {
  await this.close();
  if (result?.status !== Status.PASSED) return;
  const [unexpected] = this.outcomes.unexpected;
  assert(!unexpected, `a call was refused and no step said so: ${unexpected?.status}: ${unexpected?.message}`);
});

AfterAll(async () => {
  await expressions.close();
});
