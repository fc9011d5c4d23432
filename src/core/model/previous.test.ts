import assert from "node:assert/strict";
import { test } from "node:test";
import { contentHash } from "../context-hash.js";
import { ContextError } from "../errors.js";
import { createFaults } from "./faults.js";
import { type PreviousPayloadDraft, readPrevious } from "./previous.js";

/** The faults of a previous payload, each as its path and what is said of it. */
function faultsOf(draft: PreviousPayloadDraft | undefined, most = 10): string[] {
  const faults = createFaults();
  readPrevious(draft, most, faults);
  try {
    faults.throwIfAny();
    return [];
  } catch (error) {
    assert.ok(error instanceof ContextError);
    return error.violations.map(({ field, description }) => `${field}: ${description}`);
  }
}

const hash = contentHash("text");

test("an id, a hash or both say which fragment it was", () => {
  const fragments = [
    { fragmentId: "a", contentHash: hash },
    { fragmentId: "a", contentHash: "" },
    { fragmentId: "", contentHash: hash },
  ];
  assert.deepEqual(faultsOf({ fragments }), []);
  assert.equal(readPrevious({ fragments }, 3, createFaults()), fragments);
});

test("an absent one is empty", () => {
  assert.deepEqual(readPrevious(undefined, 10, createFaults()), []);
  assert.deepEqual(readPrevious({ fragments: [] }, 10, createFaults()), []);
});

test("every fault is found at once, with its path", () => {
  const fragments = [
    { fragmentId: "", contentHash: "" },
    { fragmentId: "x".repeat(129), contentHash: hash.toUpperCase() },
    { fragmentId: "", contentHash: hash.slice(1) },
  ];
  assert.deepEqual(faultsOf({ fragments }), [
    "previous.fragments[0]: has neither fragment_id nor content_hash; at least one of them is required",
    "previous.fragments[1].fragment_id: has more than 128 characters, which are the most allowed",
    `previous.fragments[1].content_hash: is "${hash.toUpperCase()}"; allowed are 64 hexadecimal digits in lower case`,
    `previous.fragments[2].content_hash: is "${hash.slice(1)}"; allowed are 64 hexadecimal digits in lower case`,
  ]);
});

test("it holds no more fragments than a request may", () => {
  const fragments = [1, 2, 3].map((i) => ({ fragmentId: `${i}`, contentHash: "" }));
  assert.deepEqual(faultsOf({ fragments }, 2), ["previous.fragments: has 3 entries; at most 2 are allowed"]);
});
