import assert from "node:assert/strict";
import { type DataTable, Given, Then, When } from "@cucumber/cucumber";
import { promptSectionsOf, textOf } from "../support/prompt_tables.js";
import type { AcmsWorld } from "../support/world.js";

Given("the prompt sections:", function (this: AcmsWorld, table: DataTable) {
  this.prompt.sections = promptSectionsOf(table);
});

Given("a margin of {int} per cent", function (this: AcmsWorld, marginPercent: number) {
  this.prompt.marginPercent = marginPercent;
});

Given("the prompt has the layout {string}", function (this: AcmsWorld, layout: string) {
  this.prompt.layout = layout;
});

Given("the note says {string}", function (this: AcmsWorld, template: string) {
  this.prompt.noteTemplate = template;
});

Given("{names} is/are trimmed first", function (this: AcmsWorld, sections: string[]) {
  this.prompt.trimOrder = sections;
});

When("the client fits the prompt into {int} tokens", async function (this: AcmsWorld, budget: number) {
  await this.fitPrompt(budget);
});

Then("the prompt is whole", function (this: AcmsWorld) {
  const { prompt, report } = this.fitted;
  for (const { parts } of this.prompt.sections) for (const { content } of parts) assert(prompt.includes(content));
  const { omitted, projectShrunk, planTruncationPercent, hardFailed, noteInjected } = report;
  assert.deepEqual(
    { omitted, projectShrunk, planTruncationPercent, hardFailed, noteInjected },
    { omitted: [], projectShrunk: false, planTruncationPercent: 0, hardFailed: false, noteInjected: false },
  );
});

Then("the prompt reads:", function (this: AcmsWorld, text: string) {
  assert.equal(this.fitted.prompt, text);
});

Then("the prompt has {names}", function (this: AcmsWorld, texts: string[]) {
  for (const text of texts) assert(this.fitted.prompt.includes(text), `${text} is not in it`);
});

Then("the prompt does not have {names}", function (this: AcmsWorld, texts: string[]) {
  for (const text of texts) assert(!this.fitted.prompt.includes(text), `${text} is in it`);
});

Then("{string} has {int} characters in the prompt", function (this: AcmsWorld, heading: string, characters: number) {
  assert.equal(textUnder(this.fitted.prompt, heading).length, characters);
});

Then("{string} has the text {string} in the prompt", function (this: AcmsWorld, heading: string, text: string) {
  assert.equal(textUnder(this.fitted.prompt, heading), textOf(text));
});

Then("the estimate is {int} token(s)", function (this: AcmsWorld, tokens: number) {
  assert.equal(this.fitted.report.estimatedTokens, tokens);
});

Then("the effective budget is {int} token(s)", function (this: AcmsWorld, tokens: number) {
  assert.equal(this.fitted.report.effectiveBudget, tokens);
});

Then("the estimate is within the effective budget", function (this: AcmsWorld) {
  const { estimatedTokens, effectiveBudget } = this.fitted.report;
  assert(estimatedTokens <= effectiveBudget, `${estimatedTokens} > ${effectiveBudget}`);
});

Then("nothing is omitted", function (this: AcmsWorld) {
  assert.deepEqual(this.fitted.report.omitted, []);
});

Then("{names} is/are omitted", function (this: AcmsWorld, sections: string[]) {
  assert.deepEqual(this.fitted.report.omitted, sections);
});

Then("the project is cut", function (this: AcmsWorld) {
  assert(this.fitted.report.projectShrunk);
});

Then("the plans lose {int} to {int} per cent", function (this: AcmsWorld, least: number, most: number) {
  const { planTruncationPercent: percent } = this.fitted.report;
  assert(percent >= least && percent <= most, `they lose ${percent}`);
});

Then("a note says {string}", function (this: AcmsWorld, words: string) {
  const { prompt, report } = this.fitted;
  assert(report.noteInjected);
  const note = prompt.split("\n\n").find((piece) => piece.includes(words));
  assert(note !== undefined && note.length <= 240, `no piece of the prompt says so:\n${prompt.slice(0, 500)}`);
});

Then("there is no note", function (this: AcmsWorld) {
  assert(!this.fitted.report.noteInjected && !this.fitted.prompt.includes("Note:"));
});

Then("a prompt fits", function (this: AcmsWorld) {
  assert.deepEqual([this.fitted.report.hardFailed, this.fitted.report.failedLimit], [false, ""]);
});

Then("no prompt fits, for the limit {string}", function (this: AcmsWorld, limit: string) {
  const { hardFailed, failedLimit } = this.fitted.report;
  assert.deepEqual([hardFailed, failedLimit, this.fitted.prompt], [true, limit, ""]);
});

/** What stands under a heading, up to the next one. */
function textUnder(prompt: string, heading: string): string {
  const [, rest] = prompt.split(`${heading}\n\n`);
  assert(rest !== undefined, `there is no heading ${heading}`);
  return rest.split("\n\n##")[0]!;
}
