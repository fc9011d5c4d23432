import assert from "node:assert/strict";
import { type DataTable, Given, Then, When } from "@cucumber/cucumber";
import { ContextBudget } from "../../gen/acms/v1/budget.js";
import { PipelineOptions, PipelineSpec, ScorerWeights } from "../../gen/acms/v1/component.js";
import type { ScoredFragment } from "../../gen/acms/v1/scored_fragment.js";
import { deduplicate, introduce, order, pack, resolveDepths, score } from "../support/stage_calls.js";
import { camelCase, scoredFragmentsOf } from "../support/tables.js";
import type { AcmsWorld } from "../support/world.js";

Given("these scored fragments:", function (this: AcmsWorld, table: DataTable) {
  this.scored = scoredFragmentsOf(table);
});

Given("the request sets {word} to {float}", function (this: AcmsWorld, option: string, value: number) {
  const options = PipelineOptions.fromPartial({ ...this.request.pipeline?.options, [camelCase(option)]: value });
  this.request.pipeline = PipelineSpec.fromPartial({ ...this.request.pipeline, options });
});

Given("the request weighs scores by:", function (this: AcmsWorld, table: DataTable) {
  const options = PipelineOptions.fromPartial({ ...this.request.pipeline?.options, scorerWeights: weightsOf(table) });
  this.request.pipeline = PipelineSpec.fromPartial({ ...this.request.pipeline, options });
});

When("the client deduplicates the fragments", async function (this: AcmsWorld) {
  await deduplicate(this);
});

When("the client deduplicates the fragments with {string}", async function (this: AcmsWorld, component: string) {
  await deduplicate(this, component);
});

When("the client resolves the depths", async function (this: AcmsWorld) {
  await resolveDepths(this);
});

When("the client resolves the depths with {string}", async function (this: AcmsWorld, component: string) {
  await resolveDepths(this, component);
});

When("the client scores the fragments", async function (this: AcmsWorld) {
  await score(this);
});

When("the client scores the fragments by:", async function (this: AcmsWorld, table: DataTable) {
  await score(this, weightsOf(table));
});

When("the client scores again what came back", async function (this: AcmsWorld) {
  this.request.fragments = [...this.fragments];
  await score(this);
});

When("the client packs the fragments", async function (this: AcmsWorld) {
  await pack(this);
});

When("the client packs the fragments with {string}", async function (this: AcmsWorld, component: string) {
  await pack(this, component);
});

When("the client packs the fragments into {int} tokens", async function (this: AcmsWorld, maxTokens: number) {
  this.request.budget = ContextBudget.fromPartial({ maxTokens });
  await pack(this);
});

When("the client orders the fragments", async function (this: AcmsWorld) {
  await order(this);
});

When("the client orders the fragments with {string}", async function (this: AcmsWorld, component: string) {
  await order(this, component);
});

When("the client introduces the fragments", async function (this: AcmsWorld) {
  await introduce(this);
});

When("the client introduces the fragments in {int} tokens", async function (this: AcmsWorld, tokens: number) {
  await introduce(this, tokens);
});

Then("the client is left with {names}", function (this: AcmsWorld, contents: string[]) {
  assert.deepEqual(
    this.fragments.map(({ content }) => content),
    contents,
  );
});

Then("the client is left with nothing", function (this: AcmsWorld) {
  assert.deepEqual(this.fragments, []);
});

Then("they take {int} tokens", function (this: AcmsWorld, tokens: number) {
  assert.equal(this.answer("packed").totalTokens, tokens);
});

Then("these scores come back:", function (this: AcmsWorld, table: DataTable) {
  const columns = table.raw()[0] ?? [];
  const rows = scoresOf(this).map((scored) => columns.map((column) => String(valueIn(scored, column))));
  assert.deepEqual(rows, table.rows());
});

function scoresOf(world: AcmsWorld): readonly ScoredFragment[] {
  const answer = world.outcomes.newest("scored", "packed");
  return "packed" in answer ? answer.packed : answer.scored;
}

function valueIn(scored: ScoredFragment, column: string): unknown {
  const fields: Record<string, unknown> = { ...scored.fragment, ...scored.components, ...scored };
  return fields[camelCase(column)];
}

function weightsOf(table: DataTable): ScorerWeights {
  return ScorerWeights.fromPartial(
    Object.fromEntries(Object.entries(table.rowsHash()).map(([part, weight]) => [part, Number(weight)])),
  );
}
