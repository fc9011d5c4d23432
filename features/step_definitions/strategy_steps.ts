import assert from "node:assert/strict";
import { type DataTable, Given, Then, When } from "@cucumber/cucumber";
import { Source, type Strategy } from "../../gen/acms/v1/strategy.js";
import { lastFirst, wantNothing } from "../support/client_parts.js";
import { selectStrategies } from "../support/stage_calls.js";
import { getStrategy, listStrategies, rankStrategies } from "../support/strategy_calls.js";
import { camelCase } from "../support/tables.js";
import type { AcmsWorld } from "../support/world.js";

Given(
  "a client's strategy {string} that ranks the last fragment first",
  async function (this: AcmsWorld, name: string) {
    await this.host(name, lastFirst);
  },
);

Given("a client's strategy {string} that wants nothing", async function (this: AcmsWorld, name: string) {
  await this.host(name, wantNothing);
});

When("the client looks at the strategy {string}", async function (this: AcmsWorld, name: string) {
  await getStrategy(this, name);
});

When("the client lists the strategies", async function (this: AcmsWorld) {
  await listStrategies(this);
});

When("the client ranks the strategies", async function (this: AcmsWorld) {
  await rankStrategies(this);
});

When("the client ranks the strategies for {string}", async function (this: AcmsWorld, query: string) {
  await rankStrategies(this, query);
});

When("the client selects strategies without naming any", async function (this: AcmsWorld) {
  await selectStrategies(this, []);
});

When("the client selects the strategies {names}", async function (this: AcmsWorld, hint: string[]) {
  await selectStrategies(this, hint);
});

Then("these strategies are among them:", function (this: AcmsWorld, table: DataTable) {
  for (const expected of table.hashes()) {
    const strategy = strategyOf(this, expected.name ?? "");
    for (const [column, value] of Object.entries(expected)) {
      assert.equal(String(fieldOf(strategy, column)), value, `${strategy.name}: ${column}`);
    }
  }
});

Then("{string} explains that it goes by {string}", function (this: AcmsWorld, name: string, phrase: string) {
  assert(strategyOf(this, name).explanation.includes(phrase), strategyOf(this, name).explanation);
});

Then("every strategy that exists is a candidate", async function (this: AcmsWorld) {
  await listStrategies(this);
  const names = this.answer("strategies").map(({ name }) => name);
  const candidates = this.answer("candidates").map(({ strategy }) => strategy);
  assert.deepEqual([...candidates].sort(), [...names].sort());
});

Then("the candidates are, highest confidence first, among others:", function (this: AcmsWorld, table: DataTable) {
  const candidates = this.answer("candidates");
  const expected = table.hashes();
  const known = new Set(expected.map(({ strategy }) => strategy));
  const confidences = candidates.map(({ confidence }) => confidence);
  assert.deepEqual(
    candidates
      .filter(({ strategy }) => known.has(strategy))
      .map(({ strategy, confidence }) => ({ strategy, confidence: String(confidence) })),
    expected,
  );
  assert.deepEqual(
    confidences,
    [...confidences].sort((a, b) => b - a),
  );
});

Then("the candidates are {names}", function (this: AcmsWorld, names: string[]) {
  assert.deepEqual(
    this.answer("candidates").map(({ strategy }) => strategy),
    names,
  );
});

function strategyOf(world: AcmsWorld, name: string): Strategy {
  const strategy = world.answer("strategies").find((candidate) => candidate.name === name);
  assert(strategy, `there is no strategy ${name}`);
  return strategy;
}

function fieldOf(strategy: Strategy, column: string): unknown {
  const source = Source[strategy.source]?.replace("SOURCE_", "").toLowerCase().replaceAll("_", " ");
  const fields: Record<string, unknown> = { ...strategy.capabilities, ...strategy, source };
  return fields[camelCase(column)];
}
