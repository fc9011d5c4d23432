import {
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonValue,
  type Message,
  toBinary,
  toJson,
} from "@bufbuild/protobuf";
import { contractPath } from "./contract-path.js";
import { type DuplicateKey, findDuplicateKeys } from "./duplicate-keys.js";
import { findViolations } from "./find-violations.js";
import { holdsImpossibleTime } from "./impossible-times.js";
import { messageType, messageTypes } from "./message-type.js";
import { type JsonViolation, ProtoJsonError } from "./proto-json-error.js";

/**
 * The bytes of the message that a ProtoJSON document stands for. Wrong types, unknown fields, unknown enum names and keys given twice are
 * refused; numbers that an open enum does not name pass, as ProtoJSON has it.
 *
 * @param typeName full name of the message, such as `acms.v1.AssembleRequest`
 * @param json the document; a string is always JSON text. A parsed value can no longer tell that a key came twice.
 * @throws ProtoJsonError with every fault and its path
 */
export function parseProtoJson(typeName: string, json: JsonValue): Uint8Array {
  const type = messageType(typeName);
  const value = typeof json === "string" ? parseText(typeName, json) : json;
  const duplicates = typeof json === "string" ? findDuplicateKeys(json).map((found) => violationOf(type, found)) : [];
  let message: Message | undefined;
  let cause: unknown;
  try {
    message = fromJson(type, value, { registry: messageTypes() });
  } catch (error) {
    cause = error;
  }
  if (message !== undefined && duplicates.length === 0 && !holdsImpossibleTime(type, value)) {
    return toBinary(type, message);
  }
  const { violations, rest } = findViolations(type, value);
  const all = [...duplicates, ...violations];
  if (all.length > 0) {
    throw new ProtoJsonError(typeName, all, { cause, rest: rest === undefined ? undefined : bytesOf(type, rest) });
  }
  // What is not in one field, only the library's words tell.
  const description = messageOf(cause).replace(/^cannot decode \S+ \S+ from JSON: /, "");
  throw new ProtoJsonError(typeName, [{ field: "", description }], { cause });
}

function parseText(typeName: string, text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const description = `not JSON: ${withLine(text, messageOf(cause))}`;
    throw new ProtoJsonError(typeName, [{ field: "", description }], { cause, isJson: false });
  }
}

function violationOf(type: DescMessage, { path, key }: DuplicateKey): JsonViolation {
  return { field: contractPath(type, [...path, key]), description: "given more than once in one object" };
}

/** How a message is printed. */
export interface PrintOptions {
  /** Whether fields without presence are printed where they hold their default, such as a number that is 0. Absent: they are left out. */
  readonly withDefaults?: boolean;
}

/**
 * The ProtoJSON of a message, in lowerCamelCase names.
 *
 * @throws ProtoJsonError where the bytes are not such a message
 */
export function printProtoJson(typeName: string, bytes: Uint8Array, options: PrintOptions = {}): JsonValue {
  const type = messageType(typeName);
  try {
    return toJson(type, fromBinary(type, bytes), {
      registry: messageTypes(),
      alwaysEmitImplicit: options.withDefaults ?? false,
    });
  } catch (cause) {
    const description = `its ${bytes.length} bytes cannot be read: ${messageOf(cause)}`;
    throw new ProtoJsonError(typeName, [{ field: "", description }], { cause });
  }
}

function bytesOf(type: DescMessage, json: JsonValue): Uint8Array | undefined {
  try {
    return toBinary(type, fromJson(type, json, { registry: messageTypes() }));
  } catch {
    // There is a fault beside those that are known; these are enough to refuse the document.
    return undefined;
  }
}

function withLine(text: string, message: string): string {
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position === undefined || message.includes("(line ")) {
    return message;
  }
  const before = text.slice(0, Number(position)).split("\n");
  return `${message} (line ${before.length} column ${(before.at(-1) ?? "").length + 1})`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
