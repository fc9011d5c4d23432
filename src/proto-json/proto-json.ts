import {
  fromBinary,
  fromJson,
  fromJsonString,
  type JsonValue,
  type Message,
  toBinary,
  toJson,
} from "@bufbuild/protobuf";
import { findViolations } from "./find-violations.js";
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
  const options = { registry: messageTypes() };
  let message: Message;
  try {
    message = typeof json === "string" ? fromJsonString(type, json, options) : fromJson(type, json, options);
  } catch (cause) {
    const { violations, rest } = explain(typeName, json, cause);
    throw new ProtoJsonError(typeName, violations, { cause, isJson: isJson(json), rest });
  }
  return toBinary(type, message);
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

function isJson(json: JsonValue): boolean {
  try {
    return typeof json !== "string" || JSON.parse(json) !== undefined;
  } catch {
    // What is wrong with the text is the violations' to say.
    return false;
  }
}

/** What a refusal says: every fault, and the message of what is right, where faults are in fields and something is left. */
interface Explained {
  readonly violations: readonly JsonViolation[];
  readonly rest?: Uint8Array | undefined;
}

function explain(typeName: string, json: JsonValue, cause: unknown): Explained {
  let value = json;
  if (typeof json === "string") {
    try {
      value = JSON.parse(json);
    } catch (error) {
      return { violations: [{ field: "", description: `not JSON: ${withLine(json, messageOf(error))}` }] };
    }
  }
  const type = messageType(typeName);
  const { violations, rest } = findViolations(type, value);
  if (violations.length > 0) {
    return { violations, rest: rest === undefined ? undefined : bytesOf(type, rest) };
  }
  // What is not in one field, such as a key that came twice, only the library's words tell.
  const description = messageOf(cause).replace(/^cannot decode \S+ \S+ from JSON: /, "");
  return { violations: [{ field: "", description }] };
}

function bytesOf(type: ReturnType<typeof messageType>, json: JsonValue): Uint8Array | undefined {
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
