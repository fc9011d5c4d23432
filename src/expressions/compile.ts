import { type CelError, isCelError, parse, plan } from "@bufbuild/cel";
import { checkBrackets } from "./brackets.js";
import { checkTypes } from "./check-types.js";
import type { ExpressionResult } from "./contract.js";
import type { Needs } from "./fields.js";
import { environment } from "./functions.js";
import { SourceFault } from "./source-fault.js";

/** The values of names, as the library takes them; `fragment.role` is a name like any other. */
export type Bindings = Parameters<ReturnType<typeof plan>>[0] & {};

/** An expression that is ready to be evaluated. */
export interface Program {
  readonly needs: Needs;
  /** The value for one fragment: a finite number, or 1 for true and 0 for false. Throws a `SourceFault`. */
  value(bindings: Bindings): number;
}

/** Compiles an expression; throws a `SourceFault` that says what is wrong with it. */
export function compile(source: string, gives: ExpressionResult): Program {
  try {
    checkBrackets(source);
    const parsed = parse(source);
    const needs = checkTypes(parsed, gives);
    const evaluate = plan(environment, parsed);
    const positions = parsed.sourceInfo?.positions ?? {};
    return { needs, value: (bindings) => readResult(evaluate(bindings), gives, positions) };
  } catch (error) {
    throw error instanceof SourceFault ? error : faultOfParser(error);
  }
}

function readResult(result: unknown, gives: ExpressionResult, positions: Readonly<Record<string, number>>): number {
  if (isCelError(result)) throw new SourceFault(explain(result), positions[String(result.exprId)]);
  if (gives === "boolean") {
    if (typeof result === "boolean") return Number(result);
    throw new SourceFault(`gave ${showValue(result)}; a bool is needed`);
  }
  const number = typeof result === "bigint" ? Number(result) : result;
  if (typeof number === "number" && Number.isFinite(number)) return number;
  throw new SourceFault(`gave ${showValue(result)}; a finite number is needed`);
}

function showValue(value: unknown): string {
  return typeof value === "number"
    ? String(value)
    : `a ${typeof value === "object" ? "list, map or time" : typeof value}`;
}

const MISSING_KEY = /^field not found: (.*)$/s;

function explain({ message }: CelError): string {
  const key = MISSING_KEY.exec(message)?.[1];
  return key === undefined ? message : `there is no key ${JSON.stringify(key)}; has() and in ask whether there is`;
}

/** The parser's errors have no type of their own that is exported. */
interface ParserError {
  readonly rawMessage: string;
  readonly location: { readonly start: { readonly offset: number } };
}

function faultOfParser(error: unknown): unknown {
  if (error instanceof RangeError) return new SourceFault("is nested too deeply");
  if (!(error instanceof Error)) return error;
  if (!("rawMessage" in error && "location" in error)) return new SourceFault(error.message);
  const { rawMessage, location } = error as Error & ParserError;
  return new SourceFault(rawMessage, location.start.offset);
}
