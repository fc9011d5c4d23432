// The library stops at the first fault and names a field without the way to it: of 10,000 fragments one cannot tell which is meant. So once
// it has refused a document, the document is walked again here, and the library is asked about each leaf by itself: its verdict stays the
// only one, and every fault gets its path.
import { type DescField, type DescMessage, fromJson, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { describeAllowed, describeGiven, describeMessage } from "./describe.js";
import { messageTypes } from "./message-type.js";
import type { JsonViolation } from "./proto-json-error.js";

/** The library's own limit, which guards the stack. */
const deepestNesting = 100;

/** Every fault of a document that the library refuses, in document order. Empty where the fault is not in one field. */
export function findViolations(type: DescMessage, json: JsonValue): JsonViolation[] {
  const violations: JsonViolation[] = [];
  checkMessage({ type, json, path: "", depth: 1 }, violations);
  return violations;
}

interface Place {
  readonly type: DescMessage;
  readonly json: JsonValue;
  readonly path: string;
  readonly depth: number;
}

function checkMessage(place: Place, violations: JsonViolation[]): void {
  const { type, json, path, depth } = place;
  if (depth > deepestNesting) {
    violations.push({ field: path, description: `nested deeper than ${deepestNesting} messages` });
    return;
  }
  if (type.typeName.startsWith("google.protobuf.")) {
    if (!isAccepted(type, json)) {
      violations.push({ field: path, description: expected(describeMessage(type), json) });
    }
    return;
  }
  if (!isObject(json)) {
    violations.push({ field: path, description: expected(describeMessage(type), json) });
    return;
  }
  const seen = new Map<DescField, JsonValue>();
  for (const [key, value] of Object.entries(json)) {
    const field = type.fields.find((candidate) => candidate.name === key || candidate.jsonName === key);
    if (field === undefined) {
      violations.push({ field: join(path, quoteOdd(key)), description: unknownField(type) });
      continue;
    }
    const fieldPath = join(path, field.name);
    const clash = clashOf(field, value, seen);
    if (clash !== undefined) {
      violations.push({ field: fieldPath, description: clash });
    }
    seen.set(field, value);
    checkField({ field, json: value, path: fieldPath, depth }, violations);
  }
}

interface FieldPlace {
  readonly field: DescField;
  readonly json: JsonValue;
  readonly path: string;
  readonly depth: number;
}

function checkField(place: FieldPlace, violations: JsonViolation[]): void {
  const { field, json, path } = place;
  if (field.fieldKind === "list" && Array.isArray(json)) {
    json.forEach((item, index) => {
      checkValue({ ...place, json: item, path: `${path}[${index}]` }, [item], violations);
    });
  } else if (field.fieldKind === "map" && isObject(json)) {
    for (const [key, value] of Object.entries(json)) {
      // A computed key, so that an entry named __proto__ stays an entry.
      checkValue({ ...place, json: value, path: `${path}[${describeGiven(key)}]` }, { [key]: value }, violations);
    }
  } else if (field.fieldKind === "list" || field.fieldKind === "map") {
    if (json !== null) {
      violations.push({
        field: path,
        description: expected(field.fieldKind === "list" ? "an array" : "an object", json),
      });
    }
  } else if (json !== null) {
    checkValue(place, json, violations);
  }
}

/** Checks one value; `whole` is the field that holds this value alone, for the library to judge. */
function checkValue(place: FieldPlace, whole: JsonValue, violations: JsonViolation[]): void {
  const { field, json, path, depth } = place;
  if (field.message !== undefined && json !== null) {
    checkMessage({ type: field.message, json, path, depth: depth + 1 }, violations);
  } else if (!isAccepted(field.parent, { [field.name]: whole })) {
    violations.push({ field: path, description: expected(describeAllowed(field), json) });
  }
}

function isAccepted(type: DescMessage, json: JsonValue): boolean {
  try {
    fromJson(type, json, { registry: messageTypes() });
    return true;
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

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function quoteOdd(key: string): string {
  return /^\w{1,64}$/.test(key) ? key : describeGiven(key);
}
