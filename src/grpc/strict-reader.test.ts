import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ContextFragment } from "../../gen/acms/v1/fragment.js";
import { strictReader } from "./strict-reader.js";

function read(bytes: Uint8Array): ContextFragment {
  return ContextFragment.decode(strictReader(Buffer.from(bytes)));
}

const idOf = (bytes: Buffer): string => read(Buffer.concat([Buffer.from([0x0a, bytes.length]), bytes])).fragmentId;

test("texts are read as they were written", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (content, value) => {
      const fragment = ContextFragment.fromPartial({ content, metadata: new Map([["k", value]]) });
      const copy = read(ContextFragment.encode(fragment).finish());
      assert.equal(copy.content, content);
      assert.equal(copy.metadata.get("k"), value);
    }),
    { seed: 1, numRuns: 300 },
  );
});

test("a byte order mark is a character like others", () => {
  assert.equal(idOf(Buffer.from("\ufeffa")), "\ufeffa");
});

test("invalid UTF-8 is refused and never replaced", () => {
  for (const bytes of ["ff", "c3", "c080", "eda080", "f4908080", "80", "61ff", "e282"]) {
    assert.throws(() => idOf(Buffer.from(bytes, "hex")), /UTF-8/, bytes);
  }
});

test("a key of metadata called __proto__ is kept", () => {
  const fragment = ContextFragment.fromPartial({ metadata: new Map([["__proto__", "x"]]) });
  assert.equal(read(ContextFragment.encode(fragment).finish()).metadata.get("__proto__"), "x");
});

test("zero and absent are told apart", () => {
  const zero = read(ContextFragment.encode(ContextFragment.fromPartial({ relevanceScore: 0, tokenCount: 0 })).finish());
  assert.deepEqual([zero.relevanceScore, zero.tokenCount, zero.detailDepth], [0, 0, undefined]);
});
