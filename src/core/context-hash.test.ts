import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { hashOf, independentHash } from "./context-hash.fixture.js";
import { contentHash } from "./context-hash.js";
import { fragmentDraft, fragmentsOf } from "./drafts.fixture.js";

test("nothing has the hash of nothing", () => {
  assert.equal(hashOf([]), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
});

test("a known fragment has a known hash", () => {
  const [fragment] = fragmentsOf(
    fragmentDraft({ ukoNode: "project://app/main.py", content: "print('hello')", detailDepth: 9, role: 2 }),
  );
  const bytes = Buffer.concat([
    Buffer.from([0, 0, 0, 21]),
    Buffer.from("project://app/main.py"),
    Buffer.from([9, 2]),
    createHash("sha256").update("print('hello')").digest(),
  ]);
  assert.equal(hashOf([fragment!]), createHash("sha256").update(bytes).digest("hex"));
});

test("the length of a node counts its UTF-8 bytes", () => {
  const fragments = fragmentsOf(fragmentDraft({ ukoNode: "é😀", content: "ü" }));
  assert.equal(hashOf(fragments), independentHash(fragments));
});

test("ids, clocks, scores, prices, tiers, groups and provenance are not in it", () => {
  const plain = fragmentDraft({ ukoNode: "n", content: "c" });
  const dressed = fragmentDraft({
    ...plain,
    fragmentId: "id",
    tokenCount: 5,
    relevanceScore: 1,
    tier: 1,
    createdAt: { seconds: 1, nanos: 1 },
    metadata: new Map([["k", "v"]]),
    groupId: "g",
    pinned: true,
    variantKey: "v",
    provenance: { resourceUri: "u", resourceType: "", location: "", mergedFrom: [] },
  });
  assert.equal(hashOf(fragmentsOf(dressed)), hashOf(fragmentsOf(plain)));
});

test("a role in the metadata is in it as the field is", () => {
  const field = fragmentDraft({ role: 3 });
  const entry = fragmentDraft({ metadata: new Map([["role", "assistant"]]) });
  assert.equal(hashOf(fragmentsOf(entry)), hashOf(fragmentsOf(field)));
  assert.notEqual(hashOf(fragmentsOf(fragmentDraft())), hashOf(fragmentsOf(field)));
});

test("the order is in it", () => {
  const [a, b] = fragmentsOf(fragmentDraft({ content: "a" }), fragmentDraft({ content: "b" }));
  assert.notEqual(hashOf([a!, b!]), hashOf([b!, a!]));
});

test("text that moves between node and content changes it", () => {
  const hashOfTwo = (ukoNode: string, content: string) => hashOf(fragmentsOf(fragmentDraft({ ukoNode, content })));
  assert.notEqual(hashOfTwo("ab", "c"), hashOfTwo("a", "bc"));
});

test("a few independent lines make the same hash", () => {
  const text = fc.string({ unit: "binary", maxLength: 40 });
  const draft = fc
    .record({
      ukoNode: text.map((node) => `n${node}`),
      content: text,
      detailDepth: fc.integer({ min: 0, max: 9 }),
      role: fc.integer({ min: 0, max: 4 }),
    })
    .map(fragmentDraft);
  fc.assert(
    fc.property(fc.array(draft, { maxLength: 8 }), (drafts) => {
      const fragments = fragmentsOf(...drafts);
      assert.equal(hashOf(fragments), independentHash(fragments));
    }),
    { seed: 1, numRuns: 200 },
  );
});

test("the hash of a content is that of its UTF-8 bytes", () => {
  assert.equal(
    contentHash("é"),
    createHash("sha256")
      .update(Buffer.from([0xc3, 0xa9]))
      .digest("hex"),
  );
});

test("some fragments of a list have the hash of those alone, in the order asked for", () => {
  const fragments = fragmentsOf(
    ...["a", "bé", "c", "d"].map((text) => fragmentDraft({ ukoNode: text, content: text })),
  );
  const positions = Uint32Array.of(3, 1);
  const alone = [fragments[3]!, fragments[1]!];
  assert.equal(hashOf(fragments, positions), independentHash(alone));
});

test("long nodes are hashed whole", () => {
  const fragments = fragmentsOf(
    ...["é".repeat(2_048), "😀".repeat(2_048)].map((ukoNode) => fragmentDraft({ ukoNode })),
  );
  assert.equal(hashOf(fragments), independentHash(fragments));
});
