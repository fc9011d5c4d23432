import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";

/** The fields of `HostRequest` whose messages name a question: `accept`, `result`, `failure` and `extend`. */
const NAMING: ReadonlySet<number> = new Set([3, 4, 5, 6]);

/**
 * The number of the question that a message is about which cannot be read as a whole; nothing where even that cannot be read. In all
 * messages about a question the number is the first field, and libraries write fields in their order.
 */
export function namedInvocation(bytes: Uint8Array): number | undefined {
  try {
    const reader = new BinaryReader(bytes);
    const [field, wireType] = reader.tag();
    if (!NAMING.has(field) || wireType !== WireType.LengthDelimited) return undefined;
    reader.uint32();
    const [inner, innerType] = reader.tag();
    return inner === 1 && innerType === WireType.Varint ? reader.uint32() : undefined;
  } catch {
    // Where reading fails once more, the message names nothing.
    return undefined;
  }
}
