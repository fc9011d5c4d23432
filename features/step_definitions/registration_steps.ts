import assert from "node:assert/strict";
import { type DataTable, Given, Then, When } from "@cucumber/cucumber";
import { type Settings, specOf } from "../support/settings.js";
import { deleteStrategy, listPages, listStrategies, registerStrategy } from "../support/strategy_calls.js";
import { rulesOf } from "../support/tables.js";
import type { AcmsWorld } from "../support/world.js";

Given("the client is in the namespace {string}", function (this: AcmsWorld, namespace: string) {
  this.namespace = namespace;
});

Given("a server that keeps its data", async function (this: AcmsWorld) {
  await this.keepData();
});

When("the server restarts", async function (this: AcmsWorld) {
  await this.restart();
});

When("the client assembles by {settings}", async function (this: AcmsWorld, settings: Settings) {
  await this.assembleBy(specOf(settings));
});

When("the client assembles by {string} as {settings}", async function (this: AcmsWorld, name: string, settings) {
  await this.assembleBy(specOf(settings as Settings, name));
});

When("the client assembles by {string} and {settings}", async function (this: AcmsWorld, name: string, settings) {
  await this.assembleBy(name, specOf(settings as Settings));
});

When("the client assembles by these rules:", async function (this: AcmsWorld, table: DataTable) {
  await this.assembleBy(specOf(rules(table)));
});

When("the client assembles by these strategies:", async function (this: AcmsWorld, table: DataTable) {
  const specs = table.hashes().map(({ name = "", confidence = "" }) => {
    return { name, confidence: confidence === "" ? undefined : Number(confidence), config: undefined };
  });
  await this.assembleBy(...specs);
});

When("the client registers {string} as {settings}", async function (this: AcmsWorld, name: string, settings: Settings) {
  await registerStrategy(this, name, settings);
});

When(
  "the client registers {string} as {settings} at a confidence of {float}",
  async function (this: AcmsWorld, name: string, settings: Settings, confidence: number) {
    await registerStrategy(this, name, settings, confidence);
  },
);

When("the client registers {string} as these rules:", async function (this: AcmsWorld, name: string, table: DataTable) {
  await registerStrategy(this, name, rules(table));
});

When("the client registers {string} as {int} rules", async function (this: AcmsWorld, name: string, count: number) {
  const rule = { field: "role", matcher: "tool", score: 1 };
  const value = { rules: Array.from({ length: count }, () => rule), scoreExpression: "" };
  await registerStrategy(this, name, { $case: "priority", value });
});

When("the client registers {string} without settings", async function (this: AcmsWorld, name: string) {
  await registerStrategy(this, name, undefined);
});

When("the client deletes the strategy {string}", async function (this: AcmsWorld, name: string) {
  await deleteStrategy(this, name);
});

When("the client lists the strategies {int} a page", async function (this: AcmsWorld, pageSize: number) {
  await listPages(this, pageSize);
});

When(
  "the client asks for a page of {int} strategies after {string}",
  async function (this: AcmsWorld, pageSize: number, pageToken: string) {
    await listStrategies(this, pageSize, pageToken);
  },
);

Then("the pages are:", function (this: AcmsWorld, table: DataTable) {
  const pages = this.answer("pages").map((names) => [names.join(", ")]);
  assert.deepEqual(pages, table.raw());
});

Then("the strategies are {names}", function (this: AcmsWorld, names: string[]) {
  assert.deepEqual(
    this.answer("strategies").map(({ name }) => name),
    names,
  );
});

Then("the strategy stands for {settings}", function (this: AcmsWorld, settings: Settings) {
  const [strategy] = this.answer("strategies");
  assert.deepEqual(strategy?.config?.config, settings);
});

Then("the strategy stands for these rules:", function (this: AcmsWorld, table: DataTable) {
  const [strategy] = this.answer("strategies");
  assert.deepEqual(strategy?.config?.config, rules(table));
});

function rules(table: DataTable): Settings {
  return { $case: "priority", value: { rules: rulesOf(table), scoreExpression: "" } };
}
