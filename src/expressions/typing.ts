import { CelScalar, type CelType, type parse } from "@bufbuild/cel";
import type { FieldName } from "./fields.js";
import { SourceFault } from "./source-fault.js";

/** A node of a parsed expression; macros stand as the loops that they mean. */
export type Expr = NonNullable<ReturnType<typeof parse>["expr"]>;

/** What the check of one node knows of the rest. */
export interface Surroundings {
  /** The offset of each node in the source, by its id. */
  readonly positions: Readonly<Record<string, number>>;
  /** The names that macros around it declare. */
  readonly names: ReadonlyMap<string, CelType>;
  /** How many macros are around it. */
  readonly macros: number;
  /** What the expression needs, collected as its nodes are met. */
  readonly needs: { readonly fields: Set<FieldName>; readonly keys: Set<string>; wholeMetadata: boolean };
  /** The type of a node below. */
  readonly typeOf: (expr: Expr, around: Surroundings) => CelType;
}

/** The fault of a node. */
export function faultOf(expr: Expr, around: Surroundings, message: string): SourceFault {
  return new SourceFault(message, around.positions[String(expr.id)]);
}

/** A type as a message shows it. */
export function show(type: CelType): string {
  return type
    .toString()
    .replaceAll("google.protobuf.Timestamp", "timestamp")
    .replaceAll("google.protobuf.Duration", "duration");
}

/** True where a value of one type may turn out to be one of the other. */
export function mayBe(type: CelType, wanted: CelType): boolean {
  return isUnknown(type) || isUnknown(wanted) || type.name === wanted.name;
}

/** True where the two may ever be equal; whole and other numbers may. */
export function mayEqual(one: CelType, other: CelType): boolean {
  return mayBe(one, other) || (isNumber(one) && isNumber(other));
}

/** The type of a value that has one of these types; unknown where they differ. */
export function joinTypes(types: readonly CelType[]): CelType {
  const [first, ...rest] = types;
  return first !== undefined && rest.every((type) => type.toString() === first.toString()) ? first : CelScalar.DYN;
}

export function isUnknown(type: CelType): boolean {
  return type.name === CelScalar.DYN.name;
}

export function isNumber(type: CelType): boolean {
  return type.name === CelScalar.INT.name || type.name === CelScalar.DOUBLE.name;
}
