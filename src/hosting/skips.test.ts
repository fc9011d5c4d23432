/** What follows where a failed component is skipped, stage by stage, and where a hosted strategy fails. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { budgetOf, idsOf, pipelineDraft, requestDraft, scored } from "../core/drafts.fixture.js";
import type { Payload, RequestDraft } from "../core/index.js";
import { FakeClient, roleOf } from "./fake-client.fixture.js";
import { assembleWith, hostingWith, STAGE_FIELDS } from "./hosting.fixture.js";

/** Assembles with a client whose only component fails whenever it is asked. */
async function assembleFailing(kind: string, fields: Partial<RequestDraft>): Promise<Payload> {
  const hosting = hostingWith();
  const client = new FakeClient(hosting, "");
  client.onInvoke = ({ invocation }) =>
    setImmediate(() => client.say({ $case: "failure", value: { invocation, code: 1, message: "no" } }));
  client.attach({ role: roleOf(kind), name: "fake" });
  const request = requestDraft({
    budget: budgetOf(60),
    fragments: [scored("b", 0.1, 40), scored("a", 0.9, 40)],
    parentFragments: [scored("p", 0.5, 5)],
    ...fields,
  });
  return assembleWith(hosting, request);
}

STAGE_FIELDS.forEach((stage, at) => {
  test(`${stage}: skipped, the assembly goes on without it and says so`, async () => {
    const failurePolicies = [{ stage: at + 1, policy: 2 }];
    const pipeline = pipelineDraft({ profile: "fusion", [stage]: "fake", failurePolicies });
    const { fragments, warnings, skeletonFragments, preamble } = await assembleFailing(stage, { pipeline });
    const [warning, ...others] = warnings;
    assert.deepEqual([warning?.code, warning?.component, others], ["component_failed_failed", "fake", []]);
    assert.match(warning!.message, /skipped/);
    // Without an executor everything is nominated in the order of the input, which then is what the scores go by.
    assert.deepEqual(idsOf(fragments), [stage === "strategyExecutor" ? "b" : "a"]);
    assert.equal(skeletonFragments.length, stage === "skeletonCompressor" ? 0 : 1);
    assert.equal(preamble, "");
  });
});

test("a strategy that fails nominates nothing where it is skipped, and relevance takes its place where the request falls back", async () => {
  for (const [policy, ids, instead] of [
    [2, [], /it nominates nothing/],
    [3, ["a"], /the built-in relevance took its place/],
  ] as const) {
    const pipeline = pipelineDraft({ profile: "fusion", failurePolicies: [{ stage: 3, policy }] });
    const { fragments, warnings } = await assembleFailing("strategy", { strategies: [{ name: "fake" }], pipeline });
    assert.deepEqual(idsOf(fragments), ids);
    assert.match(warnings[0]!.message, instead);
  }
  const failing = pipelineDraft({ profile: "fusion", failurePolicies: [{ stage: 3, policy: 1 }] });
  await assert.rejects(assembleFailing("strategy", { strategies: [{ name: "fake" }], pipeline: failing }), /fake/);
});
