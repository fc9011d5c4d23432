import assert from "node:assert/strict";
import { type DataTable, Then } from "@cucumber/cucumber";
import { type Decision, Outcome, Reason } from "../../gen/acms/v1/trace.js";
import { enumNumber } from "../support/tables.js";
import type { AcmsWorld } from "../support/world.js";

Then("every fragment has one decision, and they add up", function (this: AcmsWorld) {
  const { decisions, fragments } = this.payload;
  const selected = decisions.filter(({ outcome }) => outcome === Outcome.OUTCOME_SELECTED);
  assert.deepEqual(
    decisions.map(({ inputIndex }) => inputIndex),
    this.request.fragments.map((_, i) => i),
  );
  assert.equal(selected.length, fragments.length);
});

Then("{string} is kept as {}", function (this: AcmsWorld, content: string, reason: string) {
  assertDecision(this, content, Outcome.OUTCOME_SELECTED, reason);
});

Then("{string} is dropped as {}", function (this: AcmsWorld, content: string, reason: string) {
  assertDecision(this, content, Outcome.OUTCOME_DROPPED, reason);
});

Then("{string} went in favour of {string}", function (this: AcmsWorld, content: string, fragmentId: string) {
  assert.equal(decisionOn(this, content).relatedFragmentId, fragmentId);
});

Then("these are dropped for the budget:", function (this: AcmsWorld, table: DataTable) {
  const dropped = this.payload.decisions.filter(({ outcome }) => outcome === Outcome.OUTCOME_DROPPED);
  const rows = dropped.map(({ inputIndex, reason, tokensMissing, tokensMissingExact }) => {
    assert.equal(reason, Reason.REASON_OVER_BUDGET);
    assert(tokensMissingExact, "the missing tokens are an estimate");
    return { content: this.request.fragments[inputIndex]?.content ?? "", tokens_missing: String(tokensMissing) };
  });
  assert.deepEqual(rows, table.hashes());
});

Then("the scores of the decisions are:", function (this: AcmsWorld, table: DataTable) {
  const rows = this.decisions.map(({ inputIndex, score }) => {
    return { content: this.request.fragments[inputIndex]?.content ?? "", score: String(score) };
  });
  assert.deepEqual(rows, table.hashes());
});

function assertDecision(world: AcmsWorld, content: string, outcome: Outcome, reason: string): void {
  const decision = decisionOn(world, content);
  assert.deepEqual([decision.outcome, decision.reason], [outcome, enumNumber(Reason, "REASON", reason)]);
}

function decisionOn(world: AcmsWorld, content: string): Decision {
  const position = world.request.fragments.findIndex((fragment) => fragment.content === content);
  const decision = world.decisions.find(({ inputIndex }) => inputIndex === position);
  assert(decision, `there is no decision on ${content}`);
  return decision;
}
