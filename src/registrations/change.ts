/** A registration that is made, or deleted where it has no value. */
export interface Change {
  readonly namespace: string;
  readonly name: string;
  readonly value: Uint8Array | undefined;
}

/** Lengths of namespace, name and value; the last is one more than it is, 0 where there is none. */
const LENGTHS_BYTES = 2 + 2 + 4;

/** UTF-16, since UTF-8 would make two names with different halves of a surrogate pair the same. */
const ENCODING = "utf16le";

/** The bytes of changes, one after the other. */
export function encodeChanges(changes: readonly Change[]): Buffer {
  return Buffer.concat(
    changes.flatMap(({ namespace, name, value }) => {
      const texts = [namespace, name].map((text) => Buffer.from(text, ENCODING));
      const lengths = Buffer.alloc(LENGTHS_BYTES);
      lengths.writeUInt16LE(texts[0]!.length, 0);
      lengths.writeUInt16LE(texts[1]!.length, 2);
      lengths.writeUInt32LE(value === undefined ? 0 : value.length + 1, 4);
      return [lengths, ...texts, ...(value === undefined ? [] : [value])];
    }),
  );
}

/** The changes of their bytes; throws a `RangeError` where they end too early. */
export function decodeChanges(bytes: Buffer): Change[] {
  const changes: Change[] = [];
  let at = 0;
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new RangeError(`the changes end before byte ${at + length}`);
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const lengths = take(LENGTHS_BYTES);
    const namespace = take(lengths.readUInt16LE(0)).toString(ENCODING);
    const name = take(lengths.readUInt16LE(2)).toString(ENCODING);
    const valueLength = lengths.readUInt32LE(4);
    // A copy, so that a value does not keep all of the bytes alive.
    changes.push({ namespace, name, value: valueLength === 0 ? undefined : new Uint8Array(take(valueLength - 1)) });
  }
  return changes;
}

/** How many bytes a registration takes. */
export function sizeOf(namespace: string, name: string, value: Uint8Array): number {
  return LENGTHS_BYTES + 2 * (namespace.length + name.length) + value.length;
}
