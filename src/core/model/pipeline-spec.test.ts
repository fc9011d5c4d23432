import assert from "node:assert/strict";
import { test } from "node:test";
import { pipelineDraft } from "../drafts.fixture.js";
import { createFaults } from "./faults.js";
import {
  DEFAULT_PIPELINE,
  type PipelineOptionsDraft,
  type PipelineSpecDraft,
  readPipelineSpec,
} from "./pipeline-spec.js";

function read(fields: Partial<PipelineSpecDraft> | undefined) {
  const faults = createFaults();
  const spec = readPipelineSpec(fields && pipelineDraft(fields), faults);
  return { spec, found: faults.found, fields: faults.found.map(({ field }) => field) };
}

const fieldsOf = (options: PipelineOptionsDraft): string[] => read({ options }).fields;

test("no pipeline is the default one", () => {
  assert.deepEqual(read(undefined), { spec: DEFAULT_PIPELINE, found: [], fields: [] });
});

test("an empty name leaves a stage to the profile", () => {
  const { spec } = read({ profile: "direct", packer: "in_order", skeletonCompressor: "unchanged" });
  assert.deepEqual(spec, {
    profile: "direct",
    components: { packer: "in_order", skeleton_compressor: "unchanged" },
    options: {},
  });
});

test("each stage has its own field", () => {
  const { spec } = read({
    strategySelector: "1",
    budgetAllocator: "2",
    strategyExecutor: "3",
    deduplicator: "4",
    depthResolver: "5",
    scorer: "6",
    packer: "7",
    orderer: "8",
    preambleGenerator: "9",
    skeletonCompressor: "10",
  });
  assert.deepEqual(Object.values(spec.components), ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]);
});

test("a name of more than 128 characters is a fault with its path", () => {
  assert.deepEqual(read({ profile: "x".repeat(129), depthResolver: "x".repeat(129) }).fields.sort(), [
    "pipeline.depth_resolver",
    "pipeline.profile",
  ]);
});

test("the length of a name counts code points", () => {
  assert.deepEqual(read({ scorer: "😀".repeat(128) }).found, []);
});

test("options keep what is given, zero too, and nothing else", () => {
  const marks = { highWaterMark: 0.9, lowWaterMark: 0.5 };
  const options = {
    minFragmentTokens: 0,
    minRelevance: 0.25,
    packerTimeLimit: { seconds: 1, nanos: 500_000_000 },
    ...marks,
  };
  assert.deepEqual(read({ options }).spec.options, {
    minFragmentTokens: 0,
    minRelevance: 0.25,
    packerTimeLimitMs: 1_500,
    ...marks,
  });
});

test("every fault of the options is found at once, each with its path", () => {
  const fields = fieldsOf({
    scorerWeights: { relevance: -1, hierarchy: 0, quality: 0, recency: Number.NaN },
    minFragmentTokens: -1,
    minRelevance: 1.1,
    valueExponent: -0.1,
    packerStepLimit: 0,
    packerTimeLimit: { seconds: -1, nanos: 2 },
    highWaterMark: 1.1,
    lowWaterMark: 0,
    similarityThreshold: 0,
    diversityLambda: 1.5,
  });
  assert.deepEqual(fields.sort(), [
    "pipeline.options.diversity_lambda",
    "pipeline.options.high_water_mark",
    "pipeline.options.low_water_mark",
    "pipeline.options.min_fragment_tokens",
    "pipeline.options.min_relevance",
    "pipeline.options.packer_step_limit",
    "pipeline.options.packer_time_limit",
    "pipeline.options.scorer_weights.recency",
    "pipeline.options.scorer_weights.relevance",
    "pipeline.options.similarity_threshold",
    "pipeline.options.value_exponent",
  ]);
});

test("a threshold of similarity is above 0 and at most 1, a lambda may be both", () => {
  for (const similarityThreshold of [0, -0.1, 1.1, Number.NaN]) {
    assert.deepEqual(fieldsOf({ similarityThreshold }), ["pipeline.options.similarity_threshold"]);
  }
  assert.match(read({ options: { similarityThreshold: 0 } }).found[0]!.description, /^is 0; allowed are .* above 0\.0/);
  const options = { similarityThreshold: 1, diversityLambda: 0 };
  assert.deepEqual(read({ options }).spec.options, options);
  assert.deepEqual(fieldsOf({ similarityThreshold: Number.MIN_VALUE, diversityLambda: 1 }), []);
});

test("a fault of an option says what came", () => {
  assert.match(read({ options: { minRelevance: 1.5 } }).found[0]!.description, /1\.5/);
});

test("weights that are all 0 are refused", () => {
  assert.deepEqual(fieldsOf({ scorerWeights: { relevance: 0, hierarchy: 0, quality: 0, recency: 0 } }), [
    "pipeline.options.scorer_weights",
  ]);
  assert.deepEqual(fieldsOf({ scorerWeights: { relevance: -1, hierarchy: 0, quality: 0, recency: 0 } }), [
    "pipeline.options.scorer_weights.relevance",
  ]);
});

test("a time limit of nothing is refused", () => {
  assert.deepEqual(fieldsOf({ packerTimeLimit: { seconds: 0, nanos: 0 } }), ["pipeline.options.packer_time_limit"]);
});

test("what is to happen where a hosted component fails is kept by stage, with the time that it has", () => {
  const { spec, found } = read({
    failurePolicies: [
      { stage: 6, policy: 2, timeout: { seconds: 1, nanos: 500_000_000 } },
      { stage: 7, policy: 0 },
    ],
  });
  assert.deepEqual(found, []);
  assert.deepEqual(spec.hosted, { scorer: { policy: "skip", timeoutMs: 1_500 }, packer: {} });
});

test("a stage that has no time at all is refused", () => {
  const { fields } = read({ failurePolicies: [{ stage: 6, policy: 2, timeout: { seconds: 0, nanos: 0 } }] });
  assert.deepEqual(fields, ["pipeline.failure_policies[0].timeout"]);
});

test("a failure policy names a stage and one of three policies, each stage once", () => {
  const { fields } = read({
    failurePolicies: [
      { stage: 1, policy: 1 },
      { stage: 10, policy: 3 },
      { stage: 0, policy: 1 },
      { stage: 11, policy: 1 },
      { stage: 1, policy: 2 },
      { stage: 2, policy: 4 },
    ],
  });
  assert.deepEqual(fields, [
    "pipeline.failure_policies[2].stage",
    "pipeline.failure_policies[3].stage",
    "pipeline.failure_policies[4].stage",
    "pipeline.failure_policies[5].policy",
  ]);
});
