import { Given, When } from "@cucumber/cucumber";
import { ContentMode } from "../../gen/acms/v1/assembly_service.js";
import { ContextBudget } from "../../gen/acms/v1/budget.js";
import { PipelineSpec } from "../../gen/acms/v1/component.js";
import { Trace } from "../../gen/acms/v1/trace.js";
import type { StageRole } from "../../src/core/index.js";
import { timestampOf } from "../support/tables.js";
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
