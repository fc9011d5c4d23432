import assert from "node:assert/strict";
import { test } from "node:test";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import fc from "fast-check";
import { AssembleRequest, CompareStrategiesRequest } from "../../gen/acms/v1/assembly_service.js";
import { ContextFragment } from "../../gen/acms/v1/fragment.js";
import { PackRequest } from "../../gen/acms/v1/stage_service.js";
import { decodeInSlices } from "./decode-in-slices.js";
import { strictReader } from "./strict-reader.js";

interface Codec<T> {
  encode(message: T): { finish(): Uint8Array };
  decode(bytes: ReturnType<typeof strictReader>): T;
  fromPartial(partial: object): T;
}

/** More than are decoded in one piece. */
const MANY = 2_100;

const fragmentsOf = (count: number, content = "é and thirty more characters of it"): ContextFragment[] =>
  Array.from({ length: count }, (_, i) => ContextFragment.fromPartial({ fragmentId: `f${i}`, content, tokenCount: i }));

const bytesOf = <T>(codec: Codec<T>, partial: object): Buffer =>
  Buffer.from(codec.encode(codec.fromPartial(partial)).finish());

/** The message that slices come to, and how many there were. */
function inSlices<T extends object>(codec: Codec<T>, bytes: Buffer): { message: T; slices: number } {
  const { message, more } = decodeInSlices(bytes, (part) => codec.decode(strictReader(part)));
  let slices = 0;
  if (more !== undefined) for (const _ of more) slices++;
  return { message, slices };
}

const outcomeOf = (decode: () => object): unknown => {
  try {
    return decode();
  } catch {
    return "malformed";
  }
};

/** Slices must come to what one piece comes to. */
function checkSame<T extends object>(codec: Codec<T>, bytes: Buffer): number {
  let slices = 0;
  const sliced = outcomeOf(() => {
    const found = inSlices(codec, bytes);
    slices = found.slices;
    return found.message;
  });
  assert.deepEqual(
    sliced,
    outcomeOf(() => codec.decode(strictReader(bytes))),
  );
  return slices;
}

const more = { requestId: "r", budget: { maxTokens: 9 }, parentFragments: fragmentsOf(3), strategies: [{ name: "s" }] };

test("a large request is decoded in slices, and is the same", () => {
  const request = bytesOf(AssembleRequest, { ...more, fragments: fragmentsOf(MANY) });
  assert.ok(checkSame(AssembleRequest, request) > 3);
  const compared = bytesOf(CompareStrategiesRequest, {
    variants: [{ label: "a" }],
    assemble: { ...more, fragments: fragmentsOf(MANY) },
  });
  assert.ok(checkSame(CompareStrategiesRequest, compared) > 3);
  const scored = fragmentsOf(MANY).map((fragment) => ({ fragment, compositeScore: 0.5 }));
  assert.ok(checkSame(PackRequest, bytesOf(PackRequest, { scored, component: "optimal" })) > 3);
});

test("everything but the list is there before the first slice", () => {
  const bytes = bytesOf(AssembleRequest, { ...more, fragments: fragmentsOf(MANY) });
  const { message } = decodeInSlices(bytes, (part) => AssembleRequest.decode(strictReader(part)));
  assert.equal(message.requestId, "r");
  assert.equal(message.parentFragments.length, 3);
  assert.equal(message.fragments.length, 0);
});

test("few long texts are sliced by their bytes", () => {
  const fragments = fragmentsOf(8, "x".repeat(200_000));
  assert.equal(checkSame(AssembleRequest, bytesOf(AssembleRequest, { fragments })), 9);
});

test("a small request, and a single long text, are decoded at once", () => {
  assert.equal(checkSame(AssembleRequest, bytesOf(AssembleRequest, { fragments: fragmentsOf(9) })), 0);
  assert.equal(checkSame(AssembleRequest, bytesOf(AssembleRequest, { query: "x".repeat(2_000_000) })), 0);
  const [fragment] = fragmentsOf(1, "x".repeat(2_000_000));
  assert.equal(checkSame(AssembleRequest, bytesOf(AssembleRequest, { fragments: [fragment] })), 0);
});

test("a single fragment of many entries is no list", () => {
  const metadata = new Map(Array.from({ length: 9_000 }, (_, i) => [`key ${i}`, "value"]));
  const fragments = [ContextFragment.fromPartial({ metadata })];
  assert.equal(checkSame(AssembleRequest, bytesOf(AssembleRequest, { fragments })), 0);
});

test("fields of the same number as ever in any order come to the same", () => {
  const list = bytesOf(AssembleRequest, { fragments: fragmentsOf(MANY / 2) });
  const others = ["first", "last"].map((requestId) => bytesOf(AssembleRequest, { ...more, requestId }));
  const bytes = Buffer.concat([list, others[0]!, list, others[1]!]);
  assert.ok(checkSame(AssembleRequest, bytes) > 3);
  assert.equal(inSlices(AssembleRequest, bytes).message.requestId, "last");
});

test("a field that is no list is never taken for one, however often it comes", () => {
  const once = bytesOf(AssembleRequest, { requestId: "x".repeat(40) });
  const last = new BinaryWriter().tag(1, WireType.LengthDelimited).string("").finish();
  assert.equal(checkSame(AssembleRequest, Buffer.concat([...Array(MANY).fill(once), last])), 0);
});

test("elements in two forms keep their order", () => {
  const writer = new BinaryWriter();
  for (let i = 0; i < MANY; i++) {
    if (i % 2 === 0) writer.tag(3, WireType.LengthDelimited).string("a text of thirty-two characters.");
    else writer.tag(3, WireType.Varint).uint32(7);
  }
  assert.equal(checkSame(AssembleRequest, Buffer.from(writer.finish())), 0);
});

test("bytes that are no message are refused in slices too", () => {
  const good = bytesOf(AssembleRequest, { fragments: fragmentsOf(MANY) });
  const bad = new BinaryWriter()
    .tag(3, WireType.LengthDelimited)
    .bytes(Uint8Array.of(0x0a, 0x05, 0x61))
    .finish();
  assert.throws(() => inSlices(AssembleRequest, Buffer.concat([good, bad, good])));
  assert.throws(() => inSlices(AssembleRequest, good.subarray(0, -1)));
});

test("whatever the texts become, slices come to what one piece comes to", () => {
  const text = "some thirty characters of text";
  const bytes = bytesOf(CompareStrategiesRequest, {
    variants: [{ label: "a" }],
    assemble: { ...more, fragments: fragmentsOf(MANY, text) },
  });
  const starts: number[] = [];
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) starts.push(at);
  assert.equal(starts.length, MANY);
  const change = fc.record({ text: fc.nat(MANY - 1), at: fc.nat(text.length - 1), byte: fc.nat(255) });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 3 }), (changes) => {
      const changed = Buffer.from(bytes);
      for (const { text, at, byte } of changes) changed[starts[text]! + at] = byte;
      checkSame(CompareStrategiesRequest, changed);
    }),
    { seed: 1, numRuns: 60 },
  );
});
