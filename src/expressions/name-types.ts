import { CelScalar, type CelType, listType, mapType } from "@bufbuild/cel";
import { FIELD_TYPES, type FieldName, type FieldType, VARIABLE_TYPES } from "./fields.js";
import { TIMESTAMP } from "./functions.js";
import { type Expr, faultOf, isUnknown, type Surroundings, show } from "./typing.js";

const { BOOL, DOUBLE, INT, STRING } = CelScalar;

const TYPES: { readonly [Type in FieldType]: CelType } = {
  string: STRING,
  int: INT,
  double: DOUBLE,
  bool: BOOL,
  strings: listType(STRING),
  timestamp: TIMESTAMP,
};

const FRAGMENT = "fragment";
const METADATA = mapType(STRING, STRING);
const fieldNames = [...Object.keys(FIELD_TYPES), "metadata"].sort().join(", ");

/** The names that a macro may not declare anew. */
export const RESERVED: ReadonlySet<string> = new Set([FRAGMENT, ...Object.keys(VARIABLE_TYPES)]);

/** The type of a name that stands by itself. */
export function typeOfName(expr: Expr, name: string, around: Surroundings): CelType {
  const declared = around.names.get(name);
  if (declared !== undefined) return declared;
  if (name === FRAGMENT) {
    throw faultOf(expr, around, "fragment stands only before the name of a field, as in fragment.role");
  }
  if (!Object.hasOwn(VARIABLE_TYPES, name)) {
    const known = [...RESERVED, ...around.names.keys()].filter((one) => !one.startsWith("@")).join(", ");
    throw faultOf(expr, around, `there is no ${name}; known are ${known}`);
  }
  if (name === "age_days") around.needs.fields.add("created_at");
  return TYPES[VARIABLE_TYPES[name as keyof typeof VARIABLE_TYPES]];
}

/** The type of `operand.field`, or of `has(operand.field)`. */
export function typeOfSelection(expr: Expr, around: Surroundings): CelType {
  const { operand, field, testOnly } = expr.exprKind.value as { operand: Expr; field: string; testOnly: boolean };
  if (isMetadata(operand)) {
    around.needs.keys.add(field);
    return testOnly ? BOOL : STRING;
  }
  const path = pathInFragment(expr);
  if (path !== undefined) return testOnly ? refuseHas(expr, around) : typeOfField(expr, path, around);
  const type = around.typeOf(operand, around);
  if (type.kind === "map") return testOnly ? BOOL : type.value;
  if (isUnknown(type)) return testOnly ? BOOL : type;
  throw faultOf(expr, around, `a ${show(type)} has no ${field}`);
}

/** True for `fragment.metadata`. */
export function isMetadata(expr: Expr): boolean {
  return pathInFragment(expr) === "metadata";
}

function typeOfField(expr: Expr, path: string, around: Surroundings): CelType {
  if (path === "metadata") {
    around.needs.wholeMetadata = true;
    return METADATA;
  }
  if (path.startsWith("metadata.")) throw faultOf(expr, around, "a key of metadata is a string and has no fields");
  if (!Object.hasOwn(FIELD_TYPES, path)) {
    const above = path.slice(0, Math.max(0, path.lastIndexOf(".")));
    if (Object.hasOwn(FIELD_TYPES, above)) {
      throw faultOf(
        expr,
        around,
        `fragment.${above} is a ${show(TYPES[FIELD_TYPES[above as FieldName]])} and has no fields`,
      );
    }
    throw faultOf(expr, around, `there is no field fragment.${path}; known are ${fieldNames}`);
  }
  around.needs.fields.add(path as FieldName);
  return TYPES[FIELD_TYPES[path as FieldName]];
}

function refuseHas(expr: Expr, around: Surroundings): never {
  throw faultOf(
    expr,
    around,
    'has() asks for a key of metadata; a field is always there, and is "" or 0 where nothing was given',
  );
}

/** `role` for `fragment.role`, `provenance.location` for `fragment.provenance.location`; nothing for anything else. */
function pathInFragment(expr: Expr): string | undefined {
  const fields: string[] = [];
  let node: Expr | undefined = expr;
  while (node?.exprKind.case === "selectExpr") {
    fields.unshift(node.exprKind.value.field);
    node = node.exprKind.value.operand;
  }
  const isFragment = node?.exprKind.case === "identExpr" && node.exprKind.value.name === FRAGMENT;
  return isFragment && fields.length > 0 ? fields.join(".") : undefined;
}
