import assert from "node:assert/strict";
import { type DataTable, Then } from "@cucumber/cucumber";
import type { AcmsWorld } from "../support/world.js";

Then("the call fails with {word}", function (this: AcmsWorld, status: string) {
  assert.equal(this.refusal.status, status);
});

Then("the call is refused for {names}", function (this: AcmsWorld, fields: string[]) {
  const { status, reason, violations } = this.refusal;
  assert.deepEqual([status, reason], ["INVALID_ARGUMENT", "INVALID_REQUEST"]);
  assert.deepEqual(
    violations.map(({ field }) => field),
    fields,
  );
});

Then("the message names {names}", function (this: AcmsWorld, texts: string[]) {
  const { message } = this.refusal;
  for (const text of texts) assert(message.includes(text), `${text} is not in: ${message}`);
});

Then("the reason is {word} with:", function (this: AcmsWorld, reason: string, table: DataTable) {
  const { metadata } = this.refusal;
  assert.equal(this.refusal.reason, reason);
  for (const [key = "", value] of table.raw()) assert.equal(metadata.get(key), value, key);
});
