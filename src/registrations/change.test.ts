import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Change, decodeChanges, encodeChanges, sizeOf } from "./change.js";
import { bytes } from "./temporary-folder.fixture.js";

const name = fc.oneof(fc.string({ unit: "binary", maxLength: 64 }), fc.constantFrom("\ud800", "\ud801", "", "\0"));
const value = fc.option(fc.uint8Array(), { nil: undefined });
const change: fc.Arbitrary<Change> = fc.record({ namespace: name, name, value }, { noNullPrototype: true });

test("changes come back as they were, whatever text their names are", () => {
  fc.assert(
    fc.property(fc.array(change), (changes) => assert.deepEqual(decodeChanges(encodeChanges(changes)), changes)),
  );
});

test("an empty value is not a deletion", () => {
  const [empty, deleted] = decodeChanges(
    encodeChanges([
      { namespace: "n", name: "a", value: bytes("") },
      { namespace: "n", name: "b", value: undefined },
    ]),
  );
  assert.deepEqual([empty?.value, deleted?.value], [bytes(""), undefined]);
});

test("changes that end too early are refused", () => {
  const encoded = encodeChanges([{ namespace: "ns", name: "name", value: bytes("value") }]);
  for (let length = 1; length < encoded.length; length++) {
    assert.throws(() => decodeChanges(encoded.subarray(0, length)), RangeError);
  }
});

test("the size of a registration is that of its bytes", () => {
  const value = bytes("value");
  assert.equal(sizeOf("ns", "näme", value), encodeChanges([{ namespace: "ns", name: "näme", value }]).length);
});
