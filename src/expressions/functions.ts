/**
 * The functions of the language: CEL's standard ones, but for those on bytes, unsigned numbers and types, which no field has. Some are made
 * anew: a pattern is compiled once and not for each fragment, a length is counted without a copy, a text cannot grow without end, and the
 * parts of a time are those of UTC wherever the server stands.
 */
import { type CelFunc, CelScalar, celEnv, celFunc, celMethod, isCelError, objectType } from "@bufbuild/cel";
import { type Timestamp, TimestampSchema, timestampDate } from "@bufbuild/protobuf/wkt";
import { RE2JS } from "@bufbuild/re2";
import { EXPRESSION_LIMITS } from "./limits.js";
import { LruCache } from "./lru-cache.js";

const { BOOL, INT, STRING } = CelScalar;

/** The type of times. */
export const TIMESTAMP = objectType(TimestampSchema);

const DAY_MS = 86_400_000;

const TIME_PARTS: Readonly<Record<string, (date: Date) => number>> = {
  getFullYear: (date) => date.getUTCFullYear(),
  getMonth: (date) => date.getUTCMonth(),
  getDate: (date) => date.getUTCDate(),
  getDayOfMonth: (date) => date.getUTCDate() - 1,
  getDayOfWeek: (date) => date.getUTCDay(),
  getDayOfYear: (date) => Math.floor((date.getTime() - new Date(date).setUTCMonth(0, 1)) / DAY_MS),
  getHours: (date) => date.getUTCHours(),
  getMinutes: (date) => date.getUTCMinutes(),
  getSeconds: (date) => date.getUTCSeconds(),
  getMilliseconds: (date) => date.getUTCMilliseconds(),
};

const NAMED = ["size", "contains", "startsWith", "endsWith", "matches", "int", "double", "string", "bool"];
const TIMES = ["timestamp", "duration", ...Object.keys(TIME_PARTS)];

/** The functions that an expression may call by name. */
export const FUNCTION_NAMES: readonly string[] = [...NAMED, ...TIMES];

const OPERATORS = ["_+_", "_-_", "_*_", "_/_", "_%_", "-_", "!_", "_<_", "_<=_", "_>_", "_>=_"];

const patterns = new LruCache<RE2JS>(65_536);

/** A pattern of RE2, which takes time in proportion to the text; throws where it is none. */
export function compilePattern(pattern: string): RE2JS {
  const known = patterns.get(pattern);
  if (known !== undefined) return known;
  const compiled = RE2JS.compile(pattern);
  patterns.set(pattern, compiled);
  return compiled;
}

/** What makes whole numbers, throwing plain errors: to those the library adds the place, which its own about overflow and zero lack. */
const wholeNumbers = [...celEnv().funcs]
  .filter(({ target, result }) => target === undefined && result.name === INT.name)
  .map((func) =>
    celFunc(func.name, func.arguments, INT, (...values) => {
      const value = func.call(0, undefined, values);
      if (typeof value === "bigint") return value;
      throw new Error(isCelError(value) ? value.message : "no whole number");
    }),
  );

/** What expressions are evaluated in. */
export const environment = celEnv({
  funcs: [
    ...wholeNumbers,
    celFunc("_+_", [STRING, STRING], STRING, joinTexts),
    celFunc("size", [STRING], INT, countCharacters),
    celMethod("size", STRING, [], INT, function () {
      return countCharacters(this);
    }),
    celMethod("matches", STRING, [STRING], BOOL, function (pattern) {
      return compilePattern(pattern).test(this);
    }),
    ...Object.entries(TIME_PARTS).map(([name, partOf]) =>
      celMethod(name, TIMESTAMP, [], INT, function () {
        return BigInt(partOf(timestampDate(this.message as Timestamp)));
      }),
    ),
  ],
});

const EXCLUDED = new Set(["bytes", "uint"]);

/** What there is of each function and operator, by name. */
export const OVERLOADS: ReadonlyMap<string, readonly CelFunc[]> = new Map(
  [...OPERATORS, ...FUNCTION_NAMES].map((name) => [name, [...environment.funcs.find(name)!].filter(isPlain)]),
);

function isPlain({ target, arguments: parameters }: CelFunc): boolean {
  return ![target, ...parameters].some((type) => type !== undefined && EXCLUDED.has(type.name));
}

function joinTexts(left: string, right: string): string {
  if (left.length + right.length > EXPRESSION_LIMITS.textUnits) {
    throw new Error(`a text of more than ${EXPRESSION_LIMITS.textUnits} characters`);
  }
  return left + right;
}

const SURROGATE = /[\ud800-\udfff]/;

function countCharacters(text: string): bigint {
  // Nearly every text has none, and this finds that out ten times as fast as the loop.
  if (!SURROGATE.test(text)) return BigInt(text.length);
  let count = 0;
  for (const _ of text) count++;
  return BigInt(count);
}
