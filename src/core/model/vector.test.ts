import assert from "node:assert/strict";
import { test } from "node:test";
import { fragmentDraft, requestDraft, requestOf } from "../drafts.fixture.js";
import { ContextError, type Violation } from "../errors.js";
import type { FragmentDraft } from "./fragment.js";
import type { RequestDraft } from "./request.js";

const withVector = (...vector: number[]): FragmentDraft => fragmentDraft({ vector });

async function violationsOf(fields: Partial<RequestDraft>): Promise<readonly Violation[]> {
  try {
    await requestOf(requestDraft(fields));
    return [];
  } catch (error) {
    assert.ok(error instanceof ContextError, String(error));
    return error.violations;
  }
}

test("vectors of any one length are taken as they are", async () => {
  const fragments = [withVector(0, -3.5, Number.MAX_VALUE), fragmentDraft(), withVector(1, 0, 0)];
  const request = await requestOf(requestDraft({ fragments }));
  assert.deepEqual(
    request.fragments.map(({ vector }) => vector),
    [[0, -3.5, Number.MAX_VALUE], [], [1, 0, 0]],
  );
  assert.equal(request.hasVectors, true);
  assert.deepEqual(await violationsOf({ fragments: [withVector(-1)] }), []);
  assert.deepEqual(await violationsOf({ fragments: [withVector(...new Array(4_096).fill(1))] }), []);
});

test("a request without vectors says so", async () => {
  assert.equal((await requestOf(requestDraft({ fragments: [fragmentDraft()] }))).hasVectors, false);
});

test("two lengths are refused, and both are named", async () => {
  const fragments = [fragmentDraft(), withVector(1, 2), withVector(1), withVector(1, 2, 3)];
  assert.deepEqual(await violationsOf({ fragments, parentFragments: [withVector(4, 5, 6)] }), [
    {
      field: "fragments[2].vector",
      description: "has 1 number, and that of fragments[1] has 2; all have the same length",
    },
    {
      field: "fragments[3].vector",
      description: "has 3 numbers, and that of fragments[1] has 2; all have the same length",
    },
    {
      field: "parent_fragments[0].vector",
      description: "has 3 numbers, and that of fragments[1] has 2; all have the same length",
    },
  ]);
});

test("a vector of zeros, one that is not finite and one that is too long are refused at once", async () => {
  const fragments = [
    withVector(0, -0),
    withVector(1, Number.NaN),
    withVector(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
    withVector(...new Array(4_097).fill(1)),
  ];
  assert.deepEqual(await violationsOf({ fragments }), [
    {
      field: "fragments[0].vector",
      description: "has only zeros, which point nowhere; at least one number must be another",
    },
    { field: "fragments[1].vector[1]", description: "is NaN; allowed are finite numbers" },
    {
      field: "fragments[2].vector[0]",
      description: "is -Infinity, one of 2 numbers that are not finite; allowed are finite numbers",
    },
    { field: "fragments[3].vector", description: "has 4097 numbers; at most 4096 are allowed" },
  ]);
});
