import { type DescEnum, type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";

const longestQuote = 64;

const decimals = 'a number, "NaN", "Infinity" or "-Infinity"';
const int32 = "a whole number from -2147483648 to 2147483647";
const uint32 = "a whole number from 0 to 4294967295";
const int64 = "a whole number of 64 bits, as text where it is beyond 2^53";
const uint64 = "a whole number from 0 of 64 bits, as text where it is beyond 2^53";

const scalars: Record<ScalarType, string> = {
  [ScalarType.STRING]: "a string of well-formed Unicode",
  [ScalarType.BOOL]: "true or false",
  [ScalarType.BYTES]: "a string in base64",
  [ScalarType.DOUBLE]: decimals,
  [ScalarType.FLOAT]: decimals,
  [ScalarType.INT32]: int32,
  [ScalarType.SINT32]: int32,
  [ScalarType.SFIXED32]: int32,
  [ScalarType.UINT32]: uint32,
  [ScalarType.FIXED32]: uint32,
  [ScalarType.INT64]: int64,
  [ScalarType.SINT64]: int64,
  [ScalarType.SFIXED64]: int64,
  [ScalarType.UINT64]: uint64,
  [ScalarType.FIXED64]: uint64,
};

const wellKnown: Record<string, string> = {
  "google.protobuf.Timestamp": 'a time as RFC 3339 writes it, such as "2026-01-31T12:00:00Z"',
  "google.protobuf.Duration": 'seconds with the letter s, such as "1.5s"',
  "google.protobuf.Any": "an object with @type",
};

/** What one value of a field (an item, where it is a list or map) may be, in words. */
export function describeAllowed(field: DescField): string {
  if (field.enum !== undefined) {
    return describeEnum(field.enum);
  }
  if (field.message !== undefined) {
    return describeMessage(field.message);
  }
  return field.scalar === undefined ? "a value" : scalars[field.scalar];
}

/** What the JSON of a message may be, in words. */
export function describeMessage(type: DescMessage): string {
  return wellKnown[type.typeName] ?? `an object with the fields of ${type.typeName}`;
}

/** A JSON value as a message shows it: never at full length. */
export function describeGiven(value: unknown): string {
  if (typeof value === "string") {
    const characters = Array.from(value.slice(0, 2 * longestQuote + 2));
    const cut = characters.length > longestQuote;
    return JSON.stringify(cut ? `${characters.slice(0, longestQuote).join("")}…` : value);
  }
  if (Array.isArray(value)) {
    return "an array";
  }
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) {
    // Numbers of a text have an end; read, one beyond it is infinite.
    return `a number beyond ${value > 0 ? "" : "-"}${Number.MAX_VALUE}, which is too large`;
  }
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

function describeEnum(type: DescEnum): string {
  return `one of ${type.values.map((value) => value.name).join(", ")}`;
}
