import { type DataTable, Given, When } from "@cucumber/cucumber";
import { ContentMode } from "../../gen/acms/v1/assembly_service.js";
import { ContextBudget, type SectionBudget } from "../../gen/acms/v1/budget.js";
import { PipelineSpec } from "../../gen/acms/v1/component.js";
import { Role, Tier } from "../../gen/acms/v1/fragment.js";
import { Trace } from "../../gen/acms/v1/trace.js";
import type { StageRole } from "../../src/core/index.js";
import { enumNumber, timestampOf } from "../support/tables.js";
import type { AcmsWorld } from "../support/world.js";

Given("a budget of {int} tokens", function (this: AcmsWorld, maxTokens: number) {
  this.request.budget = ContextBudget.fromPartial({ maxTokens });
});

Given(
  "a budget of {int} tokens, {int} of them reserved",
  function (this: AcmsWorld, maxTokens: number, reservedTokens) {
    this.request.budget = ContextBudget.fromPartial({ maxTokens, reservedTokens });
  },
);

Given("of the budget these sections:", function (this: AcmsWorld, table: DataTable) {
  const sections = table.hashes().map(({ section = "", floor = "", cap = "" }) => ({
    selector: selectorOf(section),
    ...amountOf("floor", floor),
    ...amountOf("cap", cap),
  }));
  this.request.budget = ContextBudget.fromPartial({ ...this.request.budget, sections });
});

/** `tier cold`, `role tool`, `group g` or `metadata team=a`. */
function selectorOf(section: string): NonNullable<SectionBudget["selector"]> {
  const [kind, name = ""] = section.split(" ");
  switch (kind) {
    case "tier":
      return { $case: "tier", value: enumNumber(Tier, "TIER", name) };
    case "role":
      return { $case: "role", value: enumNumber(Role, "ROLE", name) };
    case "group":
      return { $case: "groupId", value: name };
    default: {
      const [key = "", value = ""] = name.split("=");
      return { $case: "metadata", value: { key, value } };
    }
  }
}

/** A number of tokens, or a share of the available ones in per cent; empty: none. */
function amountOf(field: "floor" | "cap", amount: string): Partial<SectionBudget> {
  if (amount === "") return {};
  return amount.endsWith("%")
    ? { [`${field}Share`]: Number.parseFloat(amount) / 100 }
    : { [`${field}Tokens`]: Number(amount) };
}

Given("no budget", function (this: AcmsWorld) {
  this.request.budget = undefined;
});

Given("{string} counts as now", function (this: AcmsWorld, iso: string) {
  this.request.asOf = timestampOf(iso);
});

Given("the query {string}", function (this: AcmsWorld, query: string) {
  this.request.query = query;
});

Given("the request is for the plan {string}", function (this: AcmsWorld, planId: string) {
  this.request.planId = planId;
});

Given("the request names the {stage} {string}", function (this: AcmsWorld, role: StageRole, name: string) {
  this.choose(role, name);
});

Given("the request names the profile {string}", function (this: AcmsWorld, profile: string) {
  this.request.pipeline = PipelineSpec.fromPartial({ ...this.request.pipeline, profile });
});

Given("the request asks for the whole trace", function (this: AcmsWorld) {
  this.request.trace = Trace.TRACE_FULL;
});

Given("the request asks for ids only", function (this: AcmsWorld) {
  this.request.contentMode = ContentMode.CONTENT_MODE_IDS_ONLY;
});

Given("the request grants the parents a share of {float}", function (this: AcmsWorld, ratio: number) {
  this.request.skeletonRatio = ratio;
});

When("the client assembles", async function (this: AcmsWorld) {
  await this.assemble();
});

When("the client assembles by {names}", async function (this: AcmsWorld, strategies: string[]) {
  await this.assembleBy(...strategies);
});
