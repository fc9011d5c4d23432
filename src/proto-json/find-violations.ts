// The library stops at the first fault and names a field without the way to it: of 10,000 fragments one cannot tell which is meant. So once
// it has refused a document, the document is walked again here, and the library is asked about each leaf by itself: its verdict stays the
// only one, but for times that no calendar has, and every fault gets its path.
import { type DescField, type DescMessage, fromJson, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { fieldOf, joinPath, quoteOdd } from "./contract-path.js";
import { describeAllowed, describeGiven, describeMessage } from "./describe.js";
import { holdsImpossibleTime } from "./impossible-times.js";
import { messageTypes } from "./message-type.js";
import type { JsonViolation } from "./proto-json-error.js";

/** The library's own limit, which guards the stack. */
const deepestNesting = 100;

/** What is wrong with a document that the library refuses, and the rest of it. */
export interface Findings {
  /** In document order. Empty where the fault is not in one field. */
  readonly violations: readonly JsonViolation[];
  /** The document without what is wrong, the messages of lists at their places. Absent: nothing is left. */
  readonly rest: JsonValue | undefined;
}

/** Every fault of a document that the library refuses. */
export function findViolations(type: DescMessage, json: JsonValue): Findings {
  const violations: JsonViolation[] = [];
  const rest = checkMessage({ type, json, path: "", depth: 1 }, violations);
  return { violations, rest };
}

interface Place {
  readonly type: DescMessage;
  readonly json: JsonValue;
  readonly path: string;
  readonly depth: number;
}

/** Answers what of a message is right; nothing where it is none. */
function checkMessage(place: Place, violations: JsonViolation[]): JsonValue | undefined {
  const { type, json, path, depth } = place;
  if (depth > deepestNesting) {
    violations.push({ field: path, description: `nested deeper than ${deepestNesting} messages` });
    return undefined;
  }
  const isOurs = !type.typeName.startsWith("google.protobuf.");
  if (isOurs ? !isObject(json) : !isAccepted(type, json)) {
    violations.push({ field: path, description: expected(describeMessage(type), json) });
    return undefined;
  }
  return isOurs ? checkFields(place, json as JsonObject, violations) : json;
}

function checkFields({ type, path, depth }: Place, json: JsonObject, violations: JsonViolation[]): JsonObject {
  const seen = new Map<DescField, JsonValue>();
  const rest: JsonObject = {};
  for (const [key, value] of Object.entries(json)) {
    const field = fieldOf(type, key);
    if (field === undefined) {
      violations.push({ field: joinPath(path, quoteOdd(key)), description: unknownField(type) });
      continue;
    }
    const fieldPath = joinPath(path, field.name);
    const clash = clashOf(field, value, seen);
    if (clash !== undefined) {
      violations.push({ field: fieldPath, description: clash });
    }
    seen.set(field, value);
    const right = checkField({ field, json: value, path: fieldPath, depth }, violations);
    if (right !== undefined && clash === undefined) {
      rest[key] = right;
    }
  }
  return rest;
}

interface FieldPlace {
  readonly field: DescField;
  readonly json: JsonValue;
  readonly path: string;
  readonly depth: number;
}

/** Answers what of a field is right; nothing where nothing is. */
function checkField(place: FieldPlace, violations: JsonViolation[]): JsonValue | undefined {
  const { field, json, path } = place;
  if (json === null) {
    return json;
  }
  if (field.fieldKind === "list" && Array.isArray(json)) {
    const items = json.map((item, index) =>
      checkValue({ ...place, json: item, path: `${path}[${index}]` }, [item], violations),
    );
    // The places of messages are in the paths of their faults; of other elements nobody needs those that are left.
    if (field.message === undefined && items.includes(undefined)) {
      return undefined;
    }
    return items.map((item) => item ?? {});
  }
  if (field.fieldKind === "map" && isObject(json)) {
    const entries = Object.entries(json).map(([key, value]) => {
      // A computed key, so that an entry named __proto__ stays an entry.
      const at = { ...place, json: value, path: `${path}[${describeGiven(key)}]` };
      return [key, checkValue(at, { [key]: value }, violations)] as const;
    });
    return Object.fromEntries(entries.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
  }
  if (field.fieldKind === "list" || field.fieldKind === "map") {
    const allowed = field.fieldKind === "list" ? "an array" : "an object";
    violations.push({ field: path, description: expected(allowed, json) });
    return undefined;
  }
  return checkValue(place, json, violations);
}

/** Checks one value, and answers it where it is right; `whole` is the field that holds this value alone, for the library to judge. */
function checkValue(place: FieldPlace, whole: JsonValue, violations: JsonViolation[]): JsonValue | undefined {
  const { field, json, path, depth } = place;
  if (field.message !== undefined && json !== null) {
    return checkMessage({ type: field.message, json, path, depth: depth + 1 }, violations);
  }
  if (isAccepted(field.parent, { [field.name]: whole })) {
    return json;
  }
  violations.push({ field: path, description: expected(describeAllowed(field), json) });
  return undefined;
}

function isAccepted(type: DescMessage, json: JsonValue): boolean {
  try {
    fromJson(type, json, { registry: messageTypes() });
    return !holdsImpossibleTime(type, json);
  } catch {
    // The words are ours: the library's name its own types, not what a person may write.
    return false;
  }
}

function clashOf(field: DescField, value: JsonValue, seen: ReadonlyMap<DescField, JsonValue>): string | undefined {
  if (seen.has(field)) {
    return `given twice, as ${field.name} and as ${field.jsonName}`;
  }
  const rival = field.oneof?.fields.find((other) => (seen.get(other) ?? null) !== null);
  return rival === undefined || value === null ? undefined : `only one may be given, and ${rival.name} is given too`;
}

function isObject(json: JsonValue): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

function expected(allowed: string, given: JsonValue): string {
  return `expected ${allowed}, got ${describeGiven(given)}`;
}

function unknownField(type: DescMessage): string {
  const known = type.fields.map((field) => field.name).join(", ");
  return `unknown field; ${type.typeName} ${known === "" ? "has none" : `has ${known}`}`;
}
