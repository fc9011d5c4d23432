/** Fields of the wire whose value stands behind its length. */
import { BinaryReader, BinaryWriter } from "@bufbuild/protobuf/wire";

/** The bytes of a field of a tag, its value given in parts. */
export function withLength(tag: Uint8Array, parts: readonly Uint8Array[]): Uint8Array[] {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return [tag, new BinaryWriter().uint32(length).finish(), ...parts];
}

/** The tag of a field, and its value. */
export function splitField(field: Buffer): { tag: Buffer; value: Buffer } {
  const reader = new BinaryReader(field);
  reader.uint32();
  const tagEnd = reader.pos;
  reader.uint32();
  return { tag: field.subarray(0, tagEnd), value: field.subarray(reader.pos) };
}
