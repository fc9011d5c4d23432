/** From the tables of the features to messages of the contract. Columns have the names of the contract's fields. */
import type { DataTable } from "@cucumber/cucumber";
import { ContextFragment, Provenance, Role, Tier } from "../../gen/acms/v1/fragment.js";
import { ScoredFragment } from "../../gen/acms/v1/scored_fragment.js";
import type { PriorityRule } from "../../gen/acms/v1/strategy.js";
import type { Timestamp } from "../../gen/google/protobuf/timestamp.js";

/** The fields that a table gives; what it leaves out is absent. */
export type GivenFields = Partial<ContextFragment>;

const readers: Readonly<Record<string, (cell: string) => GivenFields>> = {
  fragment_id: (cell) => ({ fragmentId: cell }),
  uko_node: (cell) => ({ ukoNode: cell }),
  content: (cell) => ({ content: cell }),
  token_count: (cell) => ({ tokenCount: Number(cell) }),
  relevance_score: (cell) => ({ relevanceScore: Number(cell) }),
  detail_depth: (cell) => ({ detailDepth: Number(cell) }),
  tier: (cell) => ({ tier: tierOf(cell) }),
  role: (cell) => ({ role: enumNumber(Role, "ROLE", cell) }),
  metadata: (cell) => ({ metadata: metadataOf(cell) }),
  created_at: (cell) => ({ createdAt: timestampOf(cell) }),
  resource_uri: (cell) => ({ provenance: Provenance.fromPartial({ resourceUri: cell }) }),
  location: (cell) => ({ provenance: Provenance.fromPartial({ location: cell }) }),
  variant_key: (cell) => ({ variantKey: cell }),
  pinned: (cell) => ({ pinned: cell === "yes" }),
  group_id: (cell) => ({ groupId: cell }),
  requires: (cell) => ({ requires: cell.split(",").map((id) => id.trim()) }),
  vector: (cell) => ({ vector: cell.split(",").map(Number) }),
};

/** The fragments of a table with a row for each; an empty cell leaves its field absent. */
export function fragmentsOf(table: DataTable): ContextFragment[] {
  return table.hashes().map((row) => ContextFragment.fromPartial(readFields(Object.entries(row), true)));
}

/** Scored fragments: beside a fragment's columns, its `composite_score` and the parts of it. */
export function scoredFragmentsOf(table: DataTable): ScoredFragment[] {
  return table
    .hashes()
    .map(({ composite_score, original_relevance, relevance, hierarchy, quality, recency, ...row }) => {
      const parts = { relevance, hierarchy, quality, recency };
      const given = Object.entries(parts).filter(([, cell]) => cell !== undefined);
      return ScoredFragment.fromPartial({
        fragment: readFields(Object.entries(row), true),
        compositeScore: Number(composite_score),
        ...(original_relevance === undefined ? {} : { originalRelevance: Number(original_relevance) }),
        ...(given.length === 0
          ? {}
          : { components: Object.fromEntries(given.map(([part, cell]) => [part, Number(cell)])) }),
      });
    });
}

/** The rules of a table with a row for each. */
export function rulesOf(table: DataTable): PriorityRule[] {
  return table.hashes().map(({ field = "", matcher = "", score }) => ({
    field,
    matcher,
    score: score === "NaN" ? Number.NaN : Number(score),
  }));
}

/** The fields of one fragment from rows of field and value, where an empty cell is an empty value. */
export function fieldsOf(rows: readonly (readonly string[])[]): GivenFields {
  return readFields(rows, false);
}

function readFields(cells: readonly (readonly string[])[], skipEmpty: boolean): GivenFields {
  const fields: GivenFields = {};
  for (const [field = "", cell = ""] of cells) {
    if (cell === "" && skipEmpty) continue;
    const read = readers[field];
    if (read === undefined) throw new Error(`a fragment has no field ${field}`);
    Object.assign(fields, read(cell));
  }
  return fields;
}

/** The name that generated code gives to a field of the contract. */
export function camelCase(field: string): string {
  return field.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** The instant of an ISO 8601 text. */
export function timestampOf(iso: string): Timestamp {
  const epochMs = Date.parse(iso);
  if (Number.isNaN(epochMs)) throw new Error(`${iso} is not a time`);
  const seconds = Math.floor(epochMs / 1_000);
  return { seconds, nanos: (epochMs - seconds * 1_000) * 1e6 };
}

/** The number of a tier by its name; one that the contract does not know is written as its number. */
function tierOf(cell: string): Tier {
  return /^\d+$/.test(cell) ? Number(cell) : enumNumber(Tier, "TIER", cell);
}

/** The number of an enum value by its name in lower case, without the prefix. */
export function enumNumber(names: Record<string, string | number>, prefix: string, name: string): number {
  const number = names[`${prefix}_${name.toUpperCase().replaceAll(" ", "_")}`];
  if (typeof number !== "number") throw new Error(`there is no ${prefix.toLowerCase()} ${name}`);
  return number;
}

function metadataOf(cell: string): Map<string, string> {
  const entries = cell === "" ? [] : cell.split(";").map((entry) => entry.trim().split("="));
  return new Map(entries.map(([key = "", value = ""]) => [key, value]));
}
