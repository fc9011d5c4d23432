import assert from "node:assert/strict";
import { test } from "node:test";
import { fragmentDraft, NOON, testRun } from "../drafts.fixture.js";
import { createFaults } from "./faults.js";
import { FRAGMENT_LIMITS, type FragmentDraft, Role, readFragment, Tier, UNCOUNTED } from "./fragment.js";

function read(fields: Partial<FragmentDraft>, inputIndex = 3) {
  const faults = createFaults();
  const around = { now: NOON, newId: testRun().newId, maxContentCharacters: 100, faults, vectorLength: {} };
  const fragment = readFragment(fragmentDraft(fields), { name: "fragments" }, inputIndex, around);
  return { fragment, found: faults.found, fields: faults.found.map(({ field }) => field) };
}

test("what is absent has its default", () => {
  const { fragment, found } = read({ ukoNode: "project://a" });
  assert.deepEqual(found, []);
  assert.deepEqual(fragment, {
    fragmentId: "01TEST00000000000000000000",
    ukoNode: "project://a",
    content: "",
    tokenCount: UNCOUNTED,
    relevanceScore: 0.5,
    detailDepth: 0,
    tier: Tier.WARM,
    role: Role.NONE,
    metadata: new Map(),
    createdAt: NOON,
    provenance: { resourceUri: "project://a", resourceType: "", location: "", mergedFrom: [] },
    pinned: false,
    groupId: "",
    requires: [],
    variantKey: "",
    vector: [],
    inputIndex: 3,
    idGiven: false,
    tokensEstimated: false,
    isRated: false,
  });
});

test("zero is a score, a count and a depth of its own", () => {
  const { fragment } = read({ relevanceScore: 0, tokenCount: 0, detailDepth: 0 });
  assert.deepEqual([fragment.relevanceScore, fragment.tokenCount, fragment.detailDepth], [0, 0, 0]);
});

test("a given id is kept, and known to be given", () => {
  const { fragment } = read({ fragmentId: "a" });
  assert.equal(fragment.fragmentId, "a");
  assert.equal(fragment.idGiven, true);
});

test("both ends of every range are allowed", () => {
  const { found } = read({
    relevanceScore: 1,
    tokenCount: FRAGMENT_LIMITS.maxTokens,
    detailDepth: 9,
    tier: 3,
    role: 4,
    fragmentId: "😀".repeat(128),
    content: "😀".repeat(100),
    groupId: "g".repeat(128),
    ukoNode: "n".repeat(2_048),
  });
  assert.deepEqual(found, []);
});

test("every fault of a fragment is found at once, each with its path", () => {
  const { fields } = read({
    fragmentId: "i".repeat(129),
    ukoNode: " \t\n",
    content: "c".repeat(101),
    groupId: "g".repeat(129),
    variantKey: "v".repeat(2_049),
    tokenCount: -1,
    relevanceScore: 1.1,
    detailDepth: 10,
    tier: 4,
    role: 5,
    createdAt: { seconds: 0, nanos: -1 },
    metadata: new Map([["k", "v".repeat(4_097)]]),
    requires: [""],
    provenance: {
      resourceUri: "u".repeat(2_049),
      resourceType: "t".repeat(257),
      location: "l".repeat(1_025),
      mergedFrom: [{}],
    },
  });
  assert.deepEqual(
    [...fields].sort(),
    [
      "fragments[3].content",
      "fragments[3].created_at",
      "fragments[3].detail_depth",
      "fragments[3].fragment_id",
      "fragments[3].group_id",
      'fragments[3].metadata["k"]',
      "fragments[3].provenance.location",
      "fragments[3].provenance.merged_from",
      "fragments[3].provenance.resource_type",
      "fragments[3].provenance.resource_uri",
      "fragments[3].relevance_score",
      "fragments[3].requires[0]",
      "fragments[3].role",
      "fragments[3].tier",
      "fragments[3].token_count",
      "fragments[3].uko_node",
      "fragments[3].variant_key",
    ].sort(),
  );
});

test("a score must be a finite number from 0 to 1", () => {
  for (const relevanceScore of [-0.001, 1.000001, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    const { found } = read({ relevanceScore });
    assert.equal(found[0]?.field, "fragments[3].relevance_score");
    assert.equal(found[0]?.description, `is ${relevanceScore}; allowed is 0.0 to 1.0`);
  }
});

test("counts and depths below 0 arrive to be refused", () => {
  assert.match(read({ tokenCount: -5 }).found[0]!.description, /^is -5;/);
  assert.match(read({ detailDepth: -1 }).found[0]!.description, /^is -1;.*0 to 9/);
});

test("an unknown tier or role is refused, a negative one too", () => {
  assert.deepEqual(read({ tier: -1, role: -1 }).fields, ["fragments[3].tier", "fragments[3].role"]);
  assert.match(read({ tier: 77 }).found[0]!.description, /is 77;.*hot \(1\), warm \(2\), cold \(3\)/);
});

test("a node that is empty or blank is refused in words that tell them apart", () => {
  assert.match(read({ ukoNode: "" }).found[0]!.description, /^is empty/);
  assert.match(read({ ukoNode: "\u00a0 " }).found[0]!.description, /^is blank/);
});

test("a length counts code points and says what came and what is allowed", () => {
  assert.equal(
    read({ content: "😀".repeat(101) }).found[0]!.description,
    "has 101 characters; at most 100 are allowed",
  );
});

test("a role in the metadata stands in for an absent role", () => {
  const roles = { system: Role.SYSTEM, user: Role.USER, assistant: Role.ASSISTANT, tool: Role.TOOL };
  for (const [name, role] of Object.entries(roles)) {
    assert.equal(read({ metadata: new Map([["role", name]]) }).fragment.role, role);
  }
});

test("the role of the field wins over the metadata's", () => {
  assert.equal(read({ role: Role.TOOL, metadata: new Map([["role", "system"]]) }).fragment.role, Role.TOOL);
});

test("an unknown role in the metadata is none, and no fault", () => {
  for (const name of ["System", "robot", "", "constructor"]) {
    const { fragment, found } = read({ metadata: new Map([["role", name]]) });
    assert.equal(fragment.role, Role.NONE);
    assert.deepEqual(found, []);
  }
});

test("64 entries of metadata are allowed and 65 are not", () => {
  const entries = (count: number) => new Map(Array.from({ length: count }, (_, i) => [`k${i}`, ""]));
  assert.deepEqual(read({ metadata: entries(64) }).found, []);
  const { found } = read({ metadata: entries(65) });
  assert.deepEqual(found, [{ field: "fragments[3].metadata", description: "has 65 entries; at most 64 are allowed" }]);
});

test("the server's own keys stand beside the 64 entries", () => {
  const metadata = new Map(Array.from({ length: 64 }, (_, i) => [`k${i}`, ""]));
  for (const key of ["original_relevance", "relevance", "hierarchy", "quality", "recency"]) {
    metadata.set(`acms.${key}`, "0.5");
  }
  assert.deepEqual(read({ metadata }).found, []);
});

test("keys that look like an object's own are keys like any other", () => {
  const metadata = new Map([
    ["__proto__", "a"],
    ["constructor", "b"],
  ]);
  const { fragment, found } = read({ metadata });
  assert.deepEqual(found, []);
  assert.equal(fragment.metadata.get("__proto__"), "a");
});

test("an empty or overlong key of metadata is refused", () => {
  assert.deepEqual(read({ metadata: new Map([["", "x"]]) }).fields, ["fragments[3].metadata"]);
  const { found } = read({ metadata: new Map([["k".repeat(129), "x"]]) });
  assert.match(found[0]!.description, /129 characters; at most 128/);
});

test("1000 requirements are allowed and 1001 are not", () => {
  const ids = (count: number) => Array.from({ length: count }, (_, i) => `r${i}`);
  assert.deepEqual(read({ requires: ids(1_000) }).found, []);
  assert.deepEqual(read({ requires: ids(1_001) }).fields, ["fragments[3].requires"]);
});

test("a provenance without a resource has the node for one", () => {
  const provenance = { resourceUri: "", resourceType: "file", location: "1-9", mergedFrom: [] };
  assert.deepEqual(read({ ukoNode: "n", provenance }).fragment.provenance, {
    resourceUri: "n",
    resourceType: "file",
    location: "1-9",
    mergedFrom: [],
  });
});

test("a provenance is copied", () => {
  const provenance = { resourceUri: "before", resourceType: "", location: "", mergedFrom: [] };
  const { fragment } = read({ provenance });
  provenance.resourceUri = "after";
  assert.equal(fragment.provenance.resourceUri, "before");
});
