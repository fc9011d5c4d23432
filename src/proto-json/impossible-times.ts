// The library reads times with `Date`, which takes days that a month does not have for days of the next, and hour 24 for the next day.
import type { DescField, DescMessage, JsonValue } from "@bufbuild/protobuf";

const timestamp = "google.protobuf.Timestamp";

/** Whether a text that the library takes for a time names one that no calendar has, such as February 31 or 24 o'clock. */
export function isImpossibleTime(text: string): boolean {
  const [, year, month, day, hour] = /^(\d{4})-(\d\d)-(\d\d)T(\d\d)/.exec(text) ?? [];
  if (hour === undefined) return false;
  const days = new Date(0);
  // Day 0 of the next month is the last of this one; a year below 100 must not be taken for one of the 20th century.
  days.setUTCFullYear(Number(year), Number(month), 0);
  return Number(day) > days.getUTCDate() || Number(hour) > 23;
}

/** Whether a document that the library takes for a message holds an impossible time. */
export function holdsImpossibleTime(type: DescMessage, json: JsonValue): boolean {
  if (type.typeName === timestamp) return typeof json === "string" && isImpossibleTime(json);
  if (typeof json !== "object" || json === null || Array.isArray(json)) return false;
  return timedFields(type).some(({ field, inner }) => {
    const values = [...new Set([field.name, field.jsonName])].map((name) => json[name]);
    return values.some((value) => elementsOf(field, value).some((one) => holdsImpossibleTime(inner, one)));
  });
}

function elementsOf(field: DescField, value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined || value === null) return [];
  if (field.fieldKind === "list") return Array.isArray(value) ? value : [];
  if (field.fieldKind === "map") return typeof value === "object" ? Object.values(value) : [];
  return [value];
}

interface TimedField {
  readonly field: DescField;
  readonly inner: DescMessage;
}

const known = new Map<DescMessage, readonly TimedField[]>();

/** The fields in which a time may be, however deep: texts and numbers, which are most of a document, are not looked at. */
function timedFields(type: DescMessage): readonly TimedField[] {
  const found =
    known.get(type) ??
    type.fields.flatMap((field) =>
      field.message !== undefined && mayHoldTime(field.message, new Set()) ? [{ field, inner: field.message }] : [],
    );
  known.set(type, found);
  return found;
}

function mayHoldTime(type: DescMessage, seen: Set<DescMessage>): boolean {
  if (type.typeName === timestamp) return true;
  if (seen.has(type)) return false;
  seen.add(type);
  return type.fields.some((field) => field.message !== undefined && mayHoldTime(field.message, seen));
}
