import { isAscii, isUtf8 } from "node:buffer";
import { BinaryReader } from "@bufbuild/protobuf/wire";

/**
 * A reader for a request's bytes that refuses invalid UTF-8, as the format demands; by default it would become replacement characters
 * without a word, and the caller would get back another text than it sent.
 */
export function strictReader(bytes: Buffer): BinaryReader {
  return new BinaryReader(bytes, decodeUtf8);
}

function decodeUtf8(bytes: Uint8Array): string {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isAscii(buffer)) return buffer.toString("latin1");
  if (!isUtf8(buffer)) throw new Error("a text is not valid UTF-8");
  return buffer.toString("utf8");
}
