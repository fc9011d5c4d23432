/**
 * The types of an expression. The library's own checker knows constants and names alone, so this one walks the tree with the overloads that
 * the library will choose from. What it cannot know, such as an element of a mixed list, it leaves to the evaluation.
 */
import { CelScalar, type CelType, listType, mapType, type parse } from "@bufbuild/cel";
import { typeOfCall } from "./call-types.js";
import type { ExpressionResult } from "./contract.js";
import type { Needs } from "./fields.js";
import { EXPRESSION_LIMITS } from "./limits.js";
import { RESERVED, typeOfName, typeOfSelection } from "./name-types.js";
import { type Expr, faultOf, isNumber, isUnknown, joinTypes, mayBe, type Surroundings, show } from "./typing.js";

const { BOOL, DOUBLE, DYN, INT, STRING } = CelScalar;

type NodeOf<Case> = Extract<Expr["exprKind"], { case: Case }>["value"];

/** Throws a `SourceFault` where the types do not fit; says what the expression needs. */
export function checkTypes({ expr, sourceInfo }: ReturnType<typeof parse>, gives: ExpressionResult): Needs {
  const around: Surroundings = {
    positions: sourceInfo?.positions ?? {},
    names: new Map(),
    macros: 0,
    needs: { fields: new Set(), keys: new Set(), wholeMetadata: false },
    typeOf,
  };
  const type = typeOf(expr, around);
  const isWanted = isUnknown(type) || (gives === "boolean" ? mayBe(type, BOOL) : isNumber(type));
  if (!isWanted) throw faultOf(expr, around, `the expression gives a ${show(type)}; a ${NAMES[gives]} is needed`);
  const { fields, keys, wholeMetadata } = around.needs;
  return { fields: [...fields], metadata: wholeMetadata ? "all" : [...keys] };
}

const NAMES: { readonly [Result in ExpressionResult]: string } = { boolean: "bool", number: "number (int or double)" };

function typeOf(expr: Expr, around: Surroundings): CelType {
  const { exprKind } = expr;
  switch (exprKind.case) {
    case "constExpr":
      return typeOfConstant(expr, exprKind.value, around);
    case "identExpr":
      return typeOfName(expr, exprKind.value.name, around);
    case "selectExpr":
      return typeOfSelection(expr, around);
    case "callExpr":
      return typeOfCall(expr, around);
    case "listExpr":
      return listType(joinTypes(exprKind.value.elements.map((element) => typeOf(element, around))));
    case "structExpr":
      return typeOfMap(expr, exprKind.value, around);
    case "comprehensionExpr":
      return typeOfMacro(expr, exprKind.value, around);
    default:
      throw faultOf(expr, around, "this is not an expression");
  }
}

function typeOfConstant(expr: Expr, { constantKind }: NodeOf<"constExpr">, around: Surroundings): CelType {
  switch (constantKind.case) {
    case "boolValue":
      return BOOL;
    case "int64Value":
      return INT;
    case "doubleValue":
      return DOUBLE;
    case "stringValue":
      return STRING;
    default:
      throw faultOf(
        expr,
        around,
        "null, bytes and unsigned numbers have no use here; a field is a text, a number, a time or a bool",
      );
  }
}

function typeOfMap(expr: Expr, { messageName, entries }: NodeOf<"structExpr">, around: Surroundings): CelType {
  if (messageName !== "") throw faultOf(expr, around, `messages such as ${messageName} cannot be made here`);
  const keys: CelType[] = [];
  const values: CelType[] = [];
  for (const { keyKind, value } of entries) {
    if (keyKind.case !== "mapKey" || value === undefined)
      throw faultOf(expr, around, "an entry needs a key and a value");
    keys.push(typeOf(keyKind.value, around));
    values.push(typeOf(value, around));
  }
  const key = joinTypes(keys);
  const isKey = isUnknown(key) || key.name === INT.name || key.name === BOOL.name || key.name === STRING.name;
  if (!isKey) throw faultOf(expr, around, `a ${show(key)} cannot be a key`);
  return mapType(key as typeof STRING, joinTypes(values));
}

function typeOfMacro(expr: Expr, loop: NodeOf<"comprehensionExpr">, around: Surroundings): CelType {
  const { iterVar, iterRange, accuVar, accuInit, loopCondition, loopStep, result } = loop;
  if (around.macros === EXPRESSION_LIMITS.macros) {
    throw faultOf(expr, around, `macros stand more than ${EXPRESSION_LIMITS.macros} deep in each other`);
  }
  if (RESERVED.has(iterVar)) throw faultOf(expr, around, `a macro cannot give ${iterVar} another meaning`);
  const range = typeOf(iterRange!, around);
  const isRange = isUnknown(range) || range.kind === "list" || range.kind === "map";
  if (!isRange) throw faultOf(expr, around, `a macro needs a list or a map, not a ${show(range)}`);
  const item = range.kind === "list" ? range.element : range.kind === "map" ? range.key : DYN;
  const start = typeOf(accuInit!, around);
  const names = new Map([...around.names, [iterVar, item], [accuVar, start.kind === "list" ? listType(DYN) : start]]);
  const inside: Surroundings = { ...around, names, macros: around.macros + 1 };
  typeOf(loopCondition!, inside);
  typeOf(loopStep!, inside);
  return typeOf(result!, inside);
}
