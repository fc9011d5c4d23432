import { type CelFunc, CelScalar, type CelType } from "@bufbuild/cel";
import { compilePattern, FUNCTION_NAMES, OVERLOADS } from "./functions.js";
import { isMetadata } from "./name-types.js";
import {
  type Expr,
  faultOf,
  isNumber,
  isUnknown,
  joinTypes,
  mayBe,
  mayEqual,
  type Surroundings,
  show,
} from "./typing.js";

const { BOOL, DYN, INT, STRING } = CelScalar;

/** A call with its target, if it has one, before its arguments. */
interface Call {
  readonly expr: Expr;
  readonly name: string;
  readonly isMethod: boolean;
  readonly operands: readonly Expr[];
}

/** The type of a call of a function, a method or an operator. */
export function typeOfCall(expr: Expr, around: Surroundings): CelType {
  const { target, function: name, args } = expr.exprKind.value as { target?: Expr; function: string; args: Expr[] };
  const call: Call = { expr, name, isMethod: target !== undefined, operands: target ? [target, ...args] : args };
  switch (name) {
    case "_?_:_":
      return typeOfChoice(call, around);
    case "_&&_":
    case "_||_":
      for (const operand of call.operands) needBool(operand, around);
      return BOOL;
    case "@not_strictly_false":
      return BOOL;
    case "_==_":
    case "_!=_":
      return typeOfComparison(call, around);
    case "@in":
      return typeOfMembership(call, around);
    case "_[_]":
      return typeOfElement(call, around);
    default:
      return typeOfFunction(call, around);
  }
}

function typeOfChoice({ expr, operands }: Call, around: Surroundings): CelType {
  needBool(operands[0]!, around);
  const one = around.typeOf(operands[1]!, around);
  const other = around.typeOf(operands[2]!, around);
  if (mayEqual(one, other)) return joinTypes([one, other]);
  throw faultOf(expr, around, `?: chooses between ${show(one)} and ${show(other)}; both must be of one type`);
}

function needBool(expr: Expr, around: Surroundings): void {
  const type = around.typeOf(expr, around);
  if (!mayBe(type, BOOL)) throw faultOf(expr, around, `a bool is needed here, not ${show(type)}`);
}

function typeOfComparison({ expr, name, operands }: Call, around: Surroundings): CelType {
  const [one, other] = operands.map((operand) => around.typeOf(operand, around));
  if (mayEqual(one!, other!)) return BOOL;
  throw faultOf(expr, around, `${symbolOf(name)} compares ${show(one!)} with ${show(other!)}, which are never equal`);
}

function typeOfMembership({ expr, operands }: Call, around: Surroundings): CelType {
  const [value, all] = operands as [Expr, Expr];
  const type = around.typeOf(value, around);
  const key = textOf(value);
  if (isMetadata(all) && key !== undefined) {
    around.needs.keys.add(key);
    return BOOL;
  }
  const allType = around.typeOf(all, around);
  const element = allType.kind === "list" ? allType.element : allType.kind === "map" ? allType.key : undefined;
  if (element === undefined && !isUnknown(allType)) {
    throw faultOf(expr, around, `in needs a list or a map, not ${show(allType)}`);
  }
  if (element === undefined || mayEqual(type, element)) return BOOL;
  throw faultOf(expr, around, `in looks for ${show(type)} in a ${show(allType)}, which never holds one`);
}

function typeOfElement({ expr, operands }: Call, around: Surroundings): CelType {
  const [all, index] = operands as [Expr, Expr];
  const key = textOf(index);
  if (isMetadata(all) && key !== undefined) {
    around.needs.keys.add(key);
    return STRING;
  }
  const type = around.typeOf(all, around);
  const indexType = around.typeOf(index, around);
  if (isUnknown(type)) return DYN;
  if (type.kind === "list" && mayBe(indexType, INT)) return type.element;
  if (type.kind === "map" && mayBe(indexType, type.key)) return type.value;
  throw faultOf(expr, around, `a ${show(type)} has no element at ${show(indexType)}`);
}

function typeOfFunction(call: Call, around: Surroundings): CelType {
  const { expr, name, isMethod, operands } = call;
  const overloads = OVERLOADS.get(name)?.filter(({ target }) => (target !== undefined) === isMethod);
  if (overloads === undefined || overloads.length === 0) throw faultOf(expr, around, unknownFunction(call));
  const types = operands.map((operand) => around.typeOf(operand, around));
  const fitting = overloads.filter((overload) => fits(overload, types));
  if (fitting.length === 0) throw faultOf(expr, around, noOverload(name, types));
  if (name === "matches") checkPattern(operands[1]!, around);
  return joinTypes(fitting.map(({ result }) => result));
}

function fits({ target, arguments: parameters }: CelFunc, types: readonly CelType[]): boolean {
  const wanted = target === undefined ? parameters : [target, ...parameters];
  return wanted.length === types.length && wanted.every((type, i) => mayBe(types[i]!, type));
}

function checkPattern(expr: Expr, around: Surroundings): void {
  const pattern = textOf(expr);
  if (pattern === undefined) return;
  try {
    compilePattern(pattern);
  } catch (error) {
    throw faultOf(expr, around, `no pattern of RE2: ${(error as Error).message}`);
  }
}

function noOverload(name: string, types: readonly CelType[]): string {
  const given = types.map(show).join(" and ");
  const isMixed = types.length === 2 && types.every(isNumber);
  return `${symbolOf(name)} does not take ${given || "nothing"}${isMixed ? "; make one of them the other's type with double() or int()" : ""}`;
}

const MACROS = ["all", "exists", "exists_one", "filter", "map"];

function unknownFunction({ name, isMethod }: Call): string {
  if (name === "has") return "has() takes a field of a map, as in has(fragment.metadata.topic)";
  if (MACROS.includes(name)) return `${name} is a macro, as in fragment.requires.${name}(id, id == "a")`;
  const known = OVERLOADS.has(name) ? `it is a ${isMethod ? "function" : "method"}` : knownFunctions;
  return `there is no ${isMethod ? "method" : "function"} ${name}; ${known}`;
}

const knownFunctions = `known are ${[...FUNCTION_NAMES, "has", ...MACROS].sort().join(", ")}`;

/** `*` for `_*_`. */
function symbolOf(name: string): string {
  return name.replace(/^_?([^_a-z]+)_$/, "$1");
}

function textOf({ exprKind }: Expr): string | undefined {
  if (exprKind.case !== "constExpr") return undefined;
  const { constantKind } = exprKind.value;
  return constantKind.case === "stringValue" ? constantKind.value : undefined;
}
