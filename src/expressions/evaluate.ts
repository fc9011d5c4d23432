import type { CelInput } from "@bufbuild/cel";
import { create } from "@bufbuild/protobuf";
import { type Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";
import type { Bindings, Program } from "./compile.js";
import type { ExpressionPair } from "./contract.js";
import { FIELD_TYPES, type FieldName } from "./fields.js";
import type { Column, EvaluateMessage, PackedFragments } from "./messages.js";
import { SourceFault } from "./source-fault.js";

/** The programs of a strategy's expressions. */
export type Programs = { readonly [Part in keyof ExpressionPair]?: Program | undefined };

/** What both programs gave, by position. */
export interface Values {
  readonly nominated: Uint8Array | undefined;
  readonly scores: Float64Array | undefined;
}

/** A program's fault at one fragment. */
export interface FaultAt {
  readonly part: keyof ExpressionPair;
  readonly index: number;
  readonly fault: SourceFault;
}

/** Evaluates the programs for each fragment until one fails. */
export function evaluate({ where, score }: Programs, message: EvaluateMessage): Values | FaultAt {
  const { count } = message.fragments;
  const cursor = { index: 0 };
  const bindings = bindNames(message, cursor);
  const nominated = where && new Uint8Array(count);
  const scores = score && new Float64Array(count);
  let part: keyof ExpressionPair = "where";
  try {
    for (let index = 0; index < count; index++) {
      cursor.index = index;
      part = "where";
      const isNominated = where === undefined ? 1 : where.value(bindings);
      if (nominated) nominated[index] = isNominated;
      part = "score";
      if (scores && isNominated === 1) scores[index] = score.value(bindings);
    }
  } catch (error) {
    if (error instanceof SourceFault) return { part, index: cursor.index, fault: error };
    throw error;
  }
  return { nominated, scores };
}

interface Cursor {
  readonly index: number;
}

/**
 * Names whose values follow the cursor; each is made where it is asked for. `fragment.role` is one name: the library looks for the longest
 * name first, and so there is no `fragment` to build.
 */
function bindNames({ fragments, query, now }: EvaluateMessage, cursor: Cursor): Bindings {
  const bindings: Bindings = Object.create(null);
  const bind = (name: string, get: () => CelInput) => Object.defineProperty(bindings, name, { get });
  for (const [name, column] of fragments.columns) {
    const read = readerOf(name, column);
    bind(`fragment.${name}`, () => read(cursor.index));
  }
  bind("fragment.metadata", metadataReader(fragments.metadata, cursor));
  const [seconds, nanos] = now;
  const time = timestamp(seconds, nanos);
  bind("query", () => query);
  bind("now", () => time);
  const createdAt = fragments.columns.get("created_at") as Float64Array | undefined;
  if (createdAt) {
    bind("age_days", () => {
      const at = 2 * cursor.index;
      return (seconds - createdAt[at]! + (nanos - createdAt[at + 1]!) / 1e9) / SECONDS_A_DAY;
    });
  }
  return bindings;
}

const SECONDS_A_DAY = 86_400;

function readerOf(name: FieldName, column: Column): (index: number) => CelInput {
  const values = column as Float64Array;
  switch (FIELD_TYPES[name]) {
    case "int":
      return (index) => BigInt(values[index]!);
    case "bool":
      return (index) => values[index] === 1;
    case "timestamp":
      return (index) => timestamp(values[2 * index]!, values[2 * index + 1]!);
    default:
      return (index) => column[index]!;
  }
}

function metadataReader(metadata: PackedFragments["metadata"], cursor: Cursor): () => CelInput {
  if (!(metadata instanceof Map)) {
    const maps = metadata as readonly ReadonlyMap<string, string>[];
    return () => maps[cursor.index]!;
  }
  const columns = [...(metadata as ReadonlyMap<string, readonly (string | undefined)[]>)];
  return () => {
    const map = new Map<string, string>();
    for (const [key, values] of columns) {
      const value = values[cursor.index];
      if (value !== undefined) map.set(key, value);
    }
    return map;
  };
}

function timestamp(seconds: number, nanos: number): Timestamp {
  return create(TimestampSchema, { seconds: BigInt(seconds), nanos });
}
