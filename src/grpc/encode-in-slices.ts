/**
 * Encoding a large message takes longer than a server may hold its thread. A list may stand in several stretches, behind everything else; so
 * long lists are encoded a piece at a time.
 */
import type { Slices } from "../core/index.js";
import { splitField, withLength } from "./length-delimited.js";

/** What encodes and decodes the responses of a method. */
export interface ResponseCodec<T> {
  responseSerialize(message: T): Buffer;
  responseDeserialize(bytes: Buffer): T;
}

type Lists = unknown[] | ReadonlyMap<unknown, unknown>;
type Message = Readonly<Record<string, unknown>>;

/** Messages with fewer elements in all their lists are encoded in one piece. */
const LARGE_ELEMENTS = 2_048;
/** A piece of a list has about so many elements; a list that has no more is encoded with everything else. */
const PIECE_ELEMENTS = 512;
/** What lies in the elements of a list counts as well, where it has no more than so many: to look into all would cost as much as to encode them. */
const FEW_ELEMENTS = 64;
/** How deep elements are looked for. */
const MOST_DEPTH = 6;

/** True where a message, or one that it holds, has long lists. */
export function isLarge(message: unknown): message is object {
  return isMessage(message) && elementsIn(message) > LARGE_ELEMENTS;
}

/** Encodes a message whose lists, and those of the messages that it holds, may be long. A decoder reads the same from it as ever. */
export function* encodeInSlices<T>(message: T & object, codec: ResponseCodec<T>): Slices<Buffer> {
  // What made the message has held the thread already.
  yield;
  const empty = codec.responseDeserialize(Buffer.alloc(0)) as Message;
  const encode = (part: Message): Buffer => codec.responseSerialize({ ...empty, ...part } as T);
  const parts: Uint8Array[] = [];
  const others: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(message)) {
    if (isMessage(inner) && elementsIn(inner) > PIECE_ELEMENTS) {
      const { tag } = splitField(encode({ [name]: withoutLists(inner) }));
      const base = codec.responseDeserialize(Buffer.concat(withLength(tag, []))) as Message;
      const encodeInner = (part: Message): Buffer =>
        splitField(encode({ [name]: { ...(base[name] as Message), ...part } })).value;
      parts.push(...withLength(tag, yield* encodeParts(inner, encodeInner)));
    } else others[name] = inner;
  }
  return Buffer.concat([...(yield* encodeParts(others, encode)), ...parts]);
}

/** Everything but long lists, then these a piece after the other. */
function* encodeParts(message: Message, encode: (part: Message) => Buffer): Slices<Buffer[]> {
  const parts = [encode(withoutLists(message))];
  for (const [name, list] of Object.entries(message)) {
    if (!isLong(list)) continue;
    for (const piece of Array.isArray(list) ? piecesOfList(list) : piecesOfMap(list)) {
      yield;
      parts.push(encode({ [name]: piece }));
    }
  }
  return parts;
}

function* piecesOfList(list: readonly unknown[]): Generator<Lists> {
  let start = 0;
  let elements = 0;
  for (let at = 0; at < list.length; at++) {
    elements += 1 + (list.length > FEW_ELEMENTS ? 0 : elementsIn(list[at]));
    if (elements < PIECE_ELEMENTS) continue;
    yield list.slice(start, at + 1);
    start = at + 1;
    elements = 0;
  }
  if (start < list.length) yield list.slice(start);
}

function* piecesOfMap(map: ReadonlyMap<unknown, unknown>): Generator<Lists> {
  let piece = new Map<unknown, unknown>();
  for (const [key, value] of map) {
    piece.set(key, value);
    if (piece.size < PIECE_ELEMENTS) continue;
    yield piece;
    piece = new Map();
  }
  if (piece.size > 0) yield piece;
}

function withoutLists(message: Message): Message {
  const emptied = Object.entries(message).map(([name, value]) => [name, isLong(value) ? emptyLike(value) : value]);
  return Object.fromEntries(emptied);
}

function emptyLike(list: Lists): Lists {
  return Array.isArray(list) ? [] : new Map();
}

function isLong(value: unknown): value is Lists {
  return (Array.isArray(value) || value instanceof Map) && elementsIn(value) > PIECE_ELEMENTS;
}

/** How many elements the lists in a value have, as far as they are looked for. */
function elementsIn(value: unknown, depth = 0): number {
  if (value instanceof Map) return value.size;
  if (depth === MOST_DEPTH || typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return 0;
  const isList = Array.isArray(value);
  if (isList && value.length > FEW_ELEMENTS) return value.length;
  const inside: unknown[] = isList ? value : Object.values(value);
  return inside.reduce((sum: number, inner) => sum + elementsIn(inner, depth + 1), isList ? value.length : 0);
}

function isMessage(value: unknown): value is Message {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Map);
}
