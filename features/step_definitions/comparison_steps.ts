import assert from "node:assert/strict";
import { type DataTable, Given, Then, When } from "@cucumber/cucumber";
import { CompareVariant, type VariantFailure, type VariantSummary } from "../../gen/acms/v1/comparison.js";
import { ErrorReason } from "../../gen/acms/v1/error_reason.js";
import { StrategySpec } from "../../gen/acms/v1/strategy.js";
import { compare, idsOf, variantOf } from "../support/comparison_calls.js";
import { type Settings, specOf } from "../support/settings.js";
import { camelCase, enumNumber } from "../support/tables.js";
import type { AcmsWorld } from "../support/world.js";

const byStrategy = (name: string): CompareVariant =>
  CompareVariant.fromPartial({ label: name, strategies: [StrategySpec.fromPartial({ name })] });

Given("the fragment {string} is pinned", function (this: AcmsWorld, fragmentId: string) {
  const fragment = this.request.fragments.find((each) => each.fragmentId === fragmentId);
  assert(fragment, `there is no fragment ${fragmentId}`);
  fragment.pinned = true;
});

When("the client compares the strategies {names}", async function (this: AcmsWorld, names: string[]) {
  await compare(this, names.map(byStrategy));
});

When(
  "the client compares the strategies {string} and {settings}",
  async function (this: AcmsWorld, name: string, settings: Settings) {
    await compare(this, [byStrategy(name), CompareVariant.fromPartial({ strategies: [specOf(settings)] })]);
  },
);

When("the client compares the packers {names}", async function (this: AcmsWorld, names: string[]) {
  await compare(
    this,
    names.map((packer) => CompareVariant.fromPartial({ pipeline: { packer } })),
  );
});

When("the client compares:", async function (this: AcmsWorld, table: DataTable) {
  await compare(this, table.hashes().map(variantOf));
});

When("the client compares {int} variants", async function (this: AcmsWorld, count: number) {
  await compare(
    this,
    Array.from({ length: count }, (_, i) => CompareVariant.fromPartial({ label: `variant ${i}` })),
  );
});

When("the client compares the same with its fragments the other way round", async function (this: AcmsWorld) {
  const [newest] = this.comparisons.slice(-1);
  this.request.fragments.reverse();
  await compare(this, newest?.variants ?? []);
});

Then("the variants come to:", function (this: AcmsWorld, table: DataTable) {
  const rows = this.answer("comparison").results.map(({ label, outcome }) => {
    assert.equal(outcome?.$case, "summary", label);
    return { label, ...outcome.value };
  });
  const shown = rows.map((row) =>
    Object.fromEntries(table.raw()[0]!.map((column) => [column, cellOf(row[camelCase(column) as keyof typeof row])])),
  );
  assert.deepEqual(shown, table.hashes());
});

Then("the variants differ on:", function (this: AcmsWorld, table: DataTable) {
  const rows = this.answer("comparison").differences.map(({ fragment, keptBy }) => {
    return { fragment_id: fragment?.fragmentId ?? "", kept_by: keptBy.join(", ") };
  });
  assert.deepEqual(rows, table.hashes());
});

Then("the variants differ on nothing", function (this: AcmsWorld) {
  assert.deepEqual(this.answer("comparison").differences, []);
});

Then("all variants keep {names}, and none keeps {int}", function (this: AcmsWorld, ids: string[], none: number) {
  assertShared(this, ids, none);
});

Then("all variants keep nothing, and none keeps {int}", function (this: AcmsWorld, none: number) {
  assertShared(this, [], none);
});

Then("no text comes back", function (this: AcmsWorld) {
  const contents = this.request.fragments.map(({ content }) => content);
  const answer = JSON.stringify(this.answer("comparison"));
  for (const content of contents) assert(!answer.includes(content), `${content} is in the answer`);
});

Then("variant {int} has the context hash of the payload", function (this: AcmsWorld, position: number) {
  assert.equal(summaryOf(this, position).contextHash, this.payload.contextHash);
});

Then("variant {int} keeps {names}", function (this: AcmsWorld, position: number, ids: string[]) {
  assert.deepEqual(idsOf(summaryOf(this, position).selected), ids);
});

Then(
  "variant {int} is proven optimal with the value {float}",
  function (this: AcmsWorld, position: number, value: number) {
    const { packing } = summaryOf(this, position);
    assert.deepEqual([packing?.value, packing?.provenOptimal], [value, true]);
  },
);

Then(
  "variant {int} fails with {word} for {string}, naming {names}",
  function (this: AcmsWorld, position: number, status: string, reason: string, texts: string[]) {
    const failure = failureOf(this, position);
    assert.deepEqual([failure.status, failure.reason], [status, enumNumber(ErrorReason, "ERROR_REASON", reason)]);
    for (const text of texts) assert(failure.message.includes(text), `${text} is not in: ${failure.message}`);
  },
);

Then("both comparisons say the same", function (this: AcmsWorld) {
  const [first, second] = this.comparisons.map(({ response }) => ({
    results: response.results.map(({ label, outcome }) => [
      label,
      outcome?.$case === "summary" && [outcome.value.contextHash, idsOf(outcome.value.selected)],
    ]),
    differences: response.differences.map(({ fragment, keptBy }) => [fragment?.fragmentId, keptBy]),
    keptByAll: idsOf(response.keptByAll),
  }));
  assert.deepEqual(second, first);
});

function assertShared(world: AcmsWorld, ids: readonly string[], none: number): void {
  const { keptByAll, keptByNone } = world.answer("comparison");
  assert.deepEqual([idsOf(keptByAll), keptByNone], [ids, none]);
}

function summaryOf(world: AcmsWorld, position: number): VariantSummary {
  const outcome = world.answer("comparison").results[position]?.outcome;
  assert.equal(outcome?.$case, "summary", JSON.stringify(outcome));
  return outcome.value;
}

function failureOf(world: AcmsWorld, position: number): VariantFailure {
  const outcome = world.answer("comparison").results[position]?.outcome;
  assert.equal(outcome?.$case, "failure", `variant ${position} did not fail`);
  return outcome.value;
}

/** A field of a summary as a table shows it. */
function cellOf(value: unknown): string {
  if (!Array.isArray(value)) return String(value);
  return value.map((each) => (typeof each === "string" ? each : String(each.fragmentId))).join(", ");
}
