import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeFrame, MAGIC, readFrames } from "./frame.js";

const bodies = ["first", "", "the second \0", "the last\0\0"].map((text) => Buffer.from(text));

/** Where each frame begins, and the end. */
const places = [MAGIC.length];
let journal: Buffer = MAGIC;
for (const body of bodies) {
  journal = Buffer.concat([journal, encodeFrame(journal.length, body)]);
  places.push(journal.length);
}
const lastAt = places[bodies.length - 1]!;

test("frames come back as they were", () => {
  assert.deepEqual(readFrames(journal), { bodies, end: journal.length });
  assert.deepEqual(readFrames(MAGIC), { bodies: [], end: MAGIC.length });
});

test("cut at any byte of the last frame, the ones before are whole", () => {
  for (let length = lastAt; length < journal.length; length++) {
    const expected = { bodies: bodies.slice(0, -1), end: lastAt };
    assert.deepEqual(readFrames(journal.subarray(0, length)), expected, `cut at ${length}`);
  }
});

test("zeros in place of the end of the last frame, or behind it, count as a cut", () => {
  for (let length = lastAt; length < journal.length; length++) {
    const file = Buffer.concat([journal.subarray(0, length), Buffer.alloc(5_000)]);
    assert.deepEqual(readFrames(file), { bodies: bodies.slice(0, -1), end: lastAt }, `zeros from ${length}`);
  }
  assert.deepEqual(readFrames(Buffer.concat([journal, Buffer.alloc(50)])), { bodies, end: journal.length });
});

test("any flipped bit anywhere is damage, at the frame that it is in", () => {
  for (let bit = 0; bit < journal.length * 8; bit++) {
    const file = Buffer.from(journal);
    file[bit >> 3]! ^= 1 << (bit & 7);
    const frame = places.findLastIndex((place) => place <= bit >> 3);
    const { damage, bodies: before } = readFrames(file);
    assert.equal(damage?.at, frame < 0 ? 0 : places[frame], `bit ${bit}`);
    assert.deepEqual(before, bodies.slice(0, Math.max(frame, 0)), `bit ${bit}`);
  }
});

test("a frame that is lost, doubled or moved is damage", () => {
  const frame = (i: number): Buffer => journal.subarray(places[i], places[i + 1]);
  for (const order of [
    [0, 2, 3],
    [0, 1, 1, 2, 3],
    [0, 2, 1, 3],
  ]) {
    const { damage } = readFrames(Buffer.concat([MAGIC, ...order.map(frame)]));
    assert.notEqual(damage, undefined, String(order));
  }
});

test("a file of another kind is damaged from the start", () => {
  for (const text of ["", "acms", "something else that is longer than the beginning"]) {
    assert.equal(readFrames(Buffer.from(text)).damage?.at, 0, text);
  }
});
