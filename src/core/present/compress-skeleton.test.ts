import assert from "node:assert/strict";
import { test } from "node:test";
import { builtInRegistry } from "../built-in.js";
import {
  assembled,
  budgetOf,
  fragmentDraft,
  idsOf,
  pipelineDraft,
  requestDraft,
  scored,
  testRun,
} from "../drafts.fixture.js";
import { ContextError } from "../errors.js";
import { hostedError } from "../hosted/hosted-error.js";
import { Registry } from "../registry.js";
import type { Deduplicator, SkeletonCompressor } from "../stages.js";

const hostedWith = (compressor: SkeletonCompressor): Registry =>
  new Registry(builtInRegistry(), "hosted").addComponent("skeleton_compressor", "mine", () => compressor);

test("a client's outline is held to its share, and the payload says what it was over", async () => {
  const parentFragments = [scored("a", 0.9, 60), scored("b", 0.8, 50), scored("c", 0.7, 40)];
  const draft = requestDraft({ parentFragments, budget: budgetOf(500), skeletonRatio: 0.2 });
  const unchanged: SkeletonCompressor = { compress: (parents) => parents };
  const payload = await assembled(
    { ...draft, pipeline: pipelineDraft({ skeletonCompressor: "mine" }) },
    hostedWith(unchanged),
  );
  // The share is 100: a and c fit.
  assert.deepEqual([idsOf(payload.skeletonFragments), payload.skeletonTokens], [["a", "c"], 100]);
  assert.deepEqual(
    payload.warnings.map(({ code, message }) => [code, message]),
    [["skeleton_over_share", "the skeleton takes 150 tokens; its share is 100"]],
  );
  const own = await assembled({ ...draft, pipeline: pipelineDraft({ skeletonCompressor: "unchanged" }) });
  assert.equal(own.skeletonTokens, 150);
});

test("parents of more tokens than a number of the contract holds are no fault", async () => {
  const most = 2_147_483_647;
  const parentFragments = [scored("a", 0.9, most), scored("b", 0.8, most)];
  const payload = await assembled(requestDraft({ parentFragments, budget: budgetOf(100), skeletonRatio: 0.2 }));
  assert.equal(payload.skeletonTokens, most);
});

test("a hosted token counter that a compressor asks fails the request, whatever holds for the compressor", async () => {
  const parentFragments = [fragmentDraft({ fragmentId: "p", content: "one\ntwo\nthree", tokenCount: 90 })];
  const count = (): never => {
    throw hostedError({ role: "token_counter", name: "theirs" }, "timeout", "did not answer");
  };
  const failurePolicies = [{ stage: 10, policy: 2 }];
  const pipeline = pipelineDraft({ skeletonCompressor: "depth_reduction", failurePolicies });
  const draft = requestDraft({ parentFragments, budget: budgetOf(100), skeletonRatio: 0.2, pipeline });
  const counter = { name: "theirs", estimated: false, count };
  await assert.rejects(assembled(draft, builtInRegistry(), testRun({ counter })), (error) => {
    assert.ok(error instanceof ContextError);
    assert.deepEqual([error.reason, error.metadata.component], ["COMPONENT_TIMED_OUT", "theirs"]);
    return true;
  });
});

test("a deduplicator that calls a member of a group a copy breaks its contract", async () => {
  const fragments = [
    scored("call", 0.9, 10, { groupId: "g" }),
    scored("result", 0.8, 10, { groupId: "g" }),
    scored("c", 0.7, 10),
  ];
  for (const [copy, survivor] of [
    [0, 2],
    [2, 0],
  ] as const) {
    const deduplicator: Deduplicator = {
      deduplicate: (given) => ({
        kept: given.filter((_, i) => i !== copy),
        duplicates: [{ fragment: given[copy]!, survivor: given[survivor]! }],
      }),
    };
    const registry = new Registry(builtInRegistry(), "hosted").addComponent("deduplicator", "mine", () => deduplicator);
    const payload = await assembled(
      requestDraft({ fragments, pipeline: pipelineDraft({ deduplicator: "mine" }) }),
      registry,
    );
    assert.equal(payload.fragments.length, 3);
    assert.deepEqual(
      payload.warnings.map(({ code }) => code),
      ["component_failed_invariant"],
    );
  }
});
