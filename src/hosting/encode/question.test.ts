import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { HostResponse } from "../../../gen/acms/v1/component_service.js";
import { ContextFragment } from "../../../gen/acms/v1/fragment.js";
import type { FragmentField } from "../../../gen/acms/v1/hosted_component.js";
import { fragmentDraft, fragmentsOf, NOON } from "../../core/drafts.fixture.js";
import type { Fragment } from "../../core/index.js";
import { createFragmentWriter } from "./fragment-writer.js";
import { type Asked, encodeQuestion, type Input } from "./question.js";

const PLENTY = Number.POSITIVE_INFINITY;
const HEAD = { invocation: 300, name: "mine \u{1F600}", timeout: { seconds: 1, nanos: 5 } };

/** The fields of the wire by their numbers, as the generated code calls them. */
const NAMES: readonly (keyof ContextFragment)[] = [
  "fragmentId",
  "ukoNode",
  "content",
  "tokenCount",
  "relevanceScore",
  "detailDepth",
  "tier",
  "role",
  "metadata",
  "createdAt",
  "provenance",
  "pinned",
  "groupId",
  "requires",
  "variantKey",
  "vector",
];

/** A fragment as the contract says that it travels: with some fields, and without those that nobody needs. */
function expectedOf(fragment: Fragment, needs: readonly FragmentField[]): ContextFragment {
  const fields = needs.length === 0 ? Array.from({ length: 15 }, (_, i) => i + 1) : needs;
  const whole = fragment as unknown as ContextFragment;
  return ContextFragment.fromPartial(
    Object.fromEntries(fields.map((field) => [NAMES[field - 1]!, whole[NAMES[field - 1]!]])),
  );
}

function decoded(asked: Asked, needs: readonly FragmentField[] = [], maxBytes = PLENTY): HostResponse {
  return HostResponse.decode(encodeQuestion(HEAD, asked, { write: createFragmentWriter(needs), maxBytes }));
}

function inputOf(response: HostResponse): Input {
  assert.equal(response.message?.$case, "invoke");
  return (response.message.value as { input: Input }).input;
}

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary", maxLength: 300 }).map((one) => one.toWellFormed()),
  // Around the lengths at which a length takes a byte more.
  fc.constantFrom("", "x".repeat(63), "x".repeat(64), "x".repeat(65), "é".repeat(64), "x".repeat(127), "x".repeat(128)),
  fc.constantFrom("é".repeat(63), "\u{1F600}".repeat(42), "x".repeat(16_383), "x".repeat(16_384), "é".repeat(8_192)),
);

const fragments: fc.Arbitrary<Fragment> = fc
  .record({
    fragmentId: text,
    ukoNode: text,
    content: text,
    tokenCount: fc.constantFrom(0, 1, 127, 128, 300, 2_147_483_647),
    relevanceScore: fc.double({ min: 0, max: 1, noNaN: true }),
    detailDepth: fc.nat(9),
    tier: fc.constantFrom(1, 2, 3),
    role: fc.nat(4),
    metadata: fc.array(fc.tuple(text, text), { maxLength: 3 }).map((entries) => new Map(entries)),
    createdAt: fc.constantFrom(
      NOON,
      { seconds: 0, nanos: 0 },
      { seconds: -62_135_596_800, nanos: 999_999_999 },
      { seconds: 253_402_300_799, nanos: 1 },
    ),
    pinned: fc.boolean(),
    groupId: text,
    requires: fc.array(text, { maxLength: 3 }),
    variantKey: text,
    vector: fc.array(fc.double({ noNaN: true }), { maxLength: 20 }),
    location: text,
    mergedFrom: fc.array(fc.record({ resourceUri: text, resourceType: text, location: text }), { maxLength: 2 }),
  })
  .map(({ location, mergedFrom, ...fields }) => ({
    ...fragmentsOf(fragmentDraft())[0]!,
    ...(fields as Partial<Fragment>),
    provenance: {
      resourceUri: "uri",
      resourceType: "",
      location,
      mergedFrom: mergedFrom.map((source) => ({ ...source, mergedFrom: [] })),
    },
  }));

test("fragments travel as the generated code reads them, with the fields that are needed", () => {
  const needs = fc.uniqueArray(fc.integer({ min: 1, max: 16 }), { maxLength: 16 });
  fc.assert(
    fc.property(fc.array(fragments, { maxLength: 4 }), needs, (given, fields) => {
      const response = decoded({ $case: "depthResolver", fragments: given, value: {} }, fields);
      const value = { fragments: given.map((fragment) => expectedOf(fragment, fields)) };
      assert.deepEqual(response, {
        message: { $case: "invoke", value: { ...HEAD, input: { $case: "depthResolver", value } } },
      });
    }),
    { numRuns: 300 },
  );
});

test("every kind of question is where the contract has it, with its fragments and all else", () => {
  const given = fragmentsOf(fragmentDraft({ ukoNode: "a" }), fragmentDraft({ ukoNode: "b" }));
  const sent = given.map((fragment) => expectedOf(fragment, []));
  const candidates = [{ strategy: "s", confidence: 0.5 }];
  const previous = [{ fragmentId: "p", contentHash: "" }];
  const dropped = [{ reason: 3, count: 2 }];
  const packer = {
    tokenCounts: [1, 2],
    scores: [0.5, -1],
    tokens: 300,
    committed: [0],
    groups: [{ fragments: [0, 1] }],
    requirements: [{ fragment: 0, requires: [1] }],
    variants: [],
    nominations: [{ strategy: "s", confidence: 1, tokens: 5, nominated: [1] }],
    baseline: 0.3,
    sections: [{ name: "hot", fragments: [0], floorTokens: 1, capTokens: undefined }],
  };
  const asked: Asked[] = [
    { $case: "strategy", fragments: given, value: { query: "q", asOf: NOON } },
    { $case: "strategySelector", fragments: given, value: { hint: ["s"], query: "q", strategies: candidates } },
    { $case: "budgetAllocator", value: { tokens: 9, candidates } },
    {
      $case: "strategyExecutor",
      fragments: given,
      value: { query: "q", asOf: NOON, allocations: [{ strategy: "s", tokens: 4 }] },
    },
    { $case: "deduplicator", fragments: given, value: { committed: [1], uninvited: [0] } },
    { $case: "depthResolver", fragments: given, value: {} },
    { $case: "scorer", fragments: given, nominationScores: Float64Array.of(0.1, 0.2), value: {} },
    { $case: "packer", fragments: given, value: packer },
    { $case: "orderer", fragments: given, value: { previous } },
    { $case: "preambleGenerator", fragments: given, value: { strategiesUsed: ["s"], dropped, maxTokens: 7 } },
    { $case: "skeletonCompressor", fragments: given, value: { maxTokens: 7 } },
    { $case: "tokenCounter", value: { texts: ["", "x"] } },
  ] as Asked[];
  for (const question of asked) {
    const { $case, value } = inputOf(decoded(question));
    const expected = {
      ...question.value,
      ...(question.fragments !== undefined && { fragments: sent }),
      ...(question.nominationScores !== undefined && { nominationScores: [0.1, 0.2] }),
    };
    assert.deepEqual({ $case, value }, { $case: question.$case, value: expected });
  }
  assert.equal(asked.length, 12);
});

test("a question over its limit is not made, and says how large it is, or that it is larger", () => {
  const given = fragmentsOf(...Array.from({ length: 50 }, () => fragmentDraft({ content: "x".repeat(1_000) })));
  const asked: Asked = { $case: "depthResolver", fragments: given, value: {} };
  const { length } = encodeQuestion(HEAD, asked, { write: createFragmentWriter([]), maxBytes: PLENTY });
  assert.ok(decoded(asked, [], length));
  assert.throws(() => decoded(asked, [], length - 1), { name: "RangeError", message: `has ${length} bytes` });
  assert.throws(() => decoded(asked, [], 2_000), { name: "RangeError", message: "has more than 2000 bytes" });
});

test("a large question leaves nothing of itself in the next one", () => {
  const large = fragmentsOf(fragmentDraft({ content: "x".repeat(900_000) }));
  const small = fragmentsOf(fragmentDraft({ content: "y" }));
  for (const given of [large, small, large, small]) {
    const { value } = inputOf(decoded({ $case: "depthResolver", fragments: given, value: {} }));
    assert.deepEqual(
      (value as { fragments: ContextFragment[] }).fragments,
      given.map((one) => expectedOf(one, [])),
    );
  }
});
