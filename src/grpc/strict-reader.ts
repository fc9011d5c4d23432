import { isAscii, isUtf8 } from "node:buffer";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";

/**
 * A reader for a request's bytes that refuses invalid UTF-8, as the format demands; by default it would become replacement characters
 * without a word, and the caller would get back another text than it sent.
 */
export function strictReader(bytes: Buffer): BinaryReader {
  return new BinaryReader(bytes, decodeUtf8);
}

/**
 * Throws where the bytes of a message end a group that they did not begin, or have a field without a number: the generated decoder would
 * take that for the end of the message, and leave out what comes after it without a word.
 */
export function checkEnds(bytes: Uint8Array): void {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    const type = tag & TYPE_MASK;
    if (tag >>> TYPE_BITS === 0 || type === WireType.EndGroup) throw new Error("a group ends that did not begin");
    if (type !== WireType.LengthDelimited) reader.skip(type, tag >>> TYPE_BITS);
    else {
      const length = reader.uint32();
      reader.pos += length;
    }
  }
}

/** The lowest bits of a tag are the type of its field, and the rest is its number. */
const TYPE_BITS = 3;
const TYPE_MASK = 7;

function decodeUtf8(bytes: Uint8Array): string {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isAscii(buffer)) return buffer.toString("latin1");
  if (!isUtf8(buffer)) throw new Error("a text is not valid UTF-8");
  return buffer.toString("utf8");
}
