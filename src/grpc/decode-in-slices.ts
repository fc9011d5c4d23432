/**
 * Decoding a large message takes longer than a server may hold its thread. Most of it is one long list, and lists go on: the elements that
 * follow in later bytes stand behind those of earlier ones. So a list is decoded a piece at a time, and the rest of the message at once.
 */
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import type { Slices } from "../core/index.js";
import { splitField, withLength } from "./length-delimited.js";

/** What is decoded so far, and how to go on to its end. */
export interface Decoding<T> {
  /** All but the long lists, whose elements are added as `more` goes on. */
  readonly message: T;
  /** Absent: the message is whole. Throws where the bytes are no such message. */
  readonly more?: Slices<void>;
}

type Decode<T> = (bytes: Buffer) => T;

/** Messages of so many bytes are not even looked through. */
const SMALL_BYTES = 1 << 16;
/** A list of no more elements and bytes is decoded in one piece. */
const LARGE = { elements: 2_048, bytes: 1 << 20 };
/** A piece of a list has so many elements, or is about so long. */
const PIECE = { elements: 512, bytes: 1 << 18 };

/** Decodes a message as `decode` does, a large one in slices. Throws what `decode` throws. */
export function decodeInSlices<T extends object>(bytes: Buffer, decode: Decode<T>): Decoding<T> {
  const wrap = (parts: readonly Buffer[]): Buffer => (parts.length === 1 ? parts[0]! : Buffer.concat(parts));
  const list = bytes.length > SMALL_BYTES ? findList({ bytes, depth: 0, wrap }, decode) : undefined;
  if (list === undefined) return { message: decode(bytes) };
  const message = decode(list.around);
  return { message, more: decodeList(list, message, decode) };
}

/** A field of a message on the wire, from its tag to its end. */
interface Field {
  readonly number: number;
  readonly type: WireType;
  readonly start: number;
  readonly end: number;
}

/** A message, and the bytes of the outermost one that holds some of its fields alone. */
interface Scope {
  readonly bytes: Buffer;
  /** How many messages it lies in. */
  readonly depth: 0 | 1;
  wrap(parts: readonly Buffer[]): Buffer;
}

/** A long list, and what is around it. */
interface List {
  /** Its elements in their order, each piece a message of the outermost type. */
  readonly pieces: readonly Buffer[];
  /** The names that lead to it in a decoded message. */
  readonly path: readonly string[];
  readonly around: Buffer;
}

/** The longest list in a message, or in the largest of those inside; nothing where there is none, or the bytes are none. */
function findList<T extends object>(scope: Scope, decode: Decode<T>): List | undefined {
  const { bytes, depth } = scope;
  const fields = fieldsOf(bytes);
  if (fields === undefined) return undefined;
  const largest = largestNumber(fields);
  const own = fields.filter(({ number }) => number === largest);
  // Of elements that come in more than one form the order would be lost.
  if (!own.every(({ type }) => type === WireType.LengthDelimited)) return undefined;
  const bytesOf = ({ start, end }: Field): Buffer => bytes.subarray(start, end);
  const around = (inside: readonly Buffer[]): Buffer =>
    scope.wrap(fields.flatMap((field) => (field.number === largest ? inside : [bytesOf(field)])));
  if (own.length > 1) {
    if (own.length <= LARGE.elements && sizeOf(own) <= LARGE.bytes) return undefined;
    const path = pathToList(decode(scope.wrap([bytesOf(own[0]!)])), depth);
    return path && { path, pieces: piecesOf(own, bytes).map((piece) => scope.wrap([piece])), around: around([]) };
  }
  if (depth === 1) return undefined;
  const { tag, value } = splitField(bytesOf(own[0]!));
  const found = findList({ bytes: value, depth: 1, wrap: (parts) => Buffer.concat(withLength(tag, parts)) }, decode);
  return found && { ...found, around: around([found.around]) };
}

/** A message of more fields is not sliced: to note where each lies would take too much memory. */
const MOST_FIELDS = 100_000;

/** The fields of a message; nothing where its bytes are none, or hold none or too many. */
function fieldsOf(bytes: Buffer): Field[] | undefined {
  const reader = new BinaryReader(bytes);
  const fields: Field[] = [];
  try {
    while (reader.pos < reader.len && fields.length <= MOST_FIELDS) {
      const start = reader.pos;
      const [number, type] = reader.tag();
      // The same as to skip it, without making something of its value.
      if (type === WireType.LengthDelimited) skipBytes(reader, reader.uint32());
      else reader.skip(type, number);
      fields.push({ number, type, start, end: reader.pos });
    }
  } catch {
    return undefined;
  }
  return fields.length > 0 && reader.pos === reader.len ? fields : undefined;
}

function skipBytes(reader: BinaryReader, length: number): void {
  reader.pos += length;
}

/** The number of the fields that hold the most bytes. */
function largestNumber(fields: readonly Field[]): number {
  const sizes = new Map<number, number>();
  for (const { number, start, end } of fields) sizes.set(number, (sizes.get(number) ?? 0) + end - start);
  return [...sizes].reduce((a, b) => (b[1] > a[1] ? b : a))[0];
}

function sizeOf(fields: readonly Field[]): number {
  return fields.reduce((sum, { start, end }) => sum + end - start, 0);
}

/** The bytes of some fields, those that stand together in one piece as long as it is not too large. */
function piecesOf(fields: readonly Field[], bytes: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  let first = 0;
  for (let at = 1; at <= fields.length; at++) {
    const { start } = fields[first]!;
    const { end } = fields[at - 1]!;
    const next = fields[at];
    const goesOn = next?.start === end && at - first < PIECE.elements && next.end - start <= PIECE.bytes;
    if (goesOn) continue;
    pieces.push(bytes.subarray(start, end));
    first = at;
  }
  return pieces;
}

/** The names that lead to the only list in a message, or in one that it holds, that is not empty; nothing where there is none. */
function pathToList(message: object, depth: number): string[] | undefined {
  for (const [name, value] of Object.entries(message)) {
    const isList = Array.isArray(value);
    if (depth === 0 && isList && value.length > 0) return [name];
    if (depth === 0 || isList || typeof value !== "object" || value === null || ArrayBuffer.isView(value)) continue;
    const rest = pathToList(value, depth - 1);
    if (rest !== undefined) return [name, ...rest];
  }
  return undefined;
}

function* decodeList<T extends object>({ pieces, path }: List, message: T, decode: Decode<T>): Slices<void> {
  const list = listAt(message, path);
  // What came before the first piece, and what comes after the last, takes its time as well.
  yield;
  for (const piece of pieces) {
    for (const element of listAt(decode(piece), path)) list.push(element);
    yield;
  }
}

function listAt(message: object, path: readonly string[]): unknown[] {
  return path.reduce((inner: unknown, name) => (inner as Record<string, unknown>)[name], message) as unknown[];
}
