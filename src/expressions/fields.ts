/** What an expression may name. Known on both sides, so it imports nothing that takes a worker time to load. */

/** The type of a field, in the words of the language; `strings` is a list of them. */
export type FieldType = "string" | "int" | "double" | "bool" | "strings" | "timestamp";

/** The fields of `fragment`, under the names of the contract; beside them there is `metadata`, a map of texts. */
export const FIELD_TYPES = {
  fragment_id: "string",
  uko_node: "string",
  content: "string",
  token_count: "int",
  relevance_score: "double",
  detail_depth: "int",
  tier: "string",
  role: "string",
  created_at: "timestamp",
  "provenance.resource_uri": "string",
  "provenance.resource_type": "string",
  "provenance.location": "string",
  pinned: "bool",
  group_id: "string",
  requires: "strings",
  variant_key: "string",
} as const satisfies Record<string, FieldType>;

export type FieldName = keyof typeof FIELD_TYPES;

/** What stands beside `fragment`: the request's query and time, and the days from the fragment's creation to then. */
export const VARIABLE_TYPES = {
  query: "string",
  now: "timestamp",
  age_days: "double",
} as const satisfies Record<string, FieldType>;

/** What an expression names of the fragments. */
export interface Needs {
  readonly fields: readonly FieldName[];
  /** The keys that it names, or everything where it looks at the map as a whole. */
  readonly metadata: readonly string[] | "all";
}
