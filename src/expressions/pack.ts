/** How fragments travel to a worker: as columns, so that only what the expressions name is sent. */
import { type Fragment, Role, Tier } from "../core/index.js";
import type { FieldName, Needs } from "./fields.js";
import type { Column, PackedFragments } from "./messages.js";

const TIER_NAMES = namesOf(Tier);
const ROLE_NAMES = namesOf(Role);

type Packer = (fragments: readonly Fragment[]) => Column;

const texts =
  (of: (fragment: Fragment) => string): Packer =>
  (fragments) =>
    fragments.map(of);

const numbers =
  (of: (fragment: Fragment) => number): Packer =>
  (fragments) =>
    Float64Array.from(fragments, of);

const PACKERS: { readonly [Name in FieldName]: Packer } = {
  // An id that the server made says nothing, and would not be the same again.
  fragment_id: texts((f) => (f.idGiven ? f.fragmentId : "")),
  uko_node: texts((f) => f.ukoNode),
  content: texts((f) => f.content),
  token_count: numbers((f) => f.tokenCount),
  relevance_score: numbers((f) => f.relevanceScore),
  detail_depth: numbers((f) => f.detailDepth),
  tier: texts((f) => TIER_NAMES[f.tier] ?? ""),
  role: texts((f) => ROLE_NAMES[f.role] ?? ""),
  created_at: packTimes,
  "provenance.resource_uri": texts((f) => f.provenance.resourceUri),
  "provenance.resource_type": texts((f) => f.provenance.resourceType),
  "provenance.location": texts((f) => f.provenance.location),
  pinned: numbers((f) => Number(f.pinned)),
  group_id: texts((f) => f.groupId),
  requires: (fragments) => fragments.map((f) => f.requires),
  variant_key: texts((f) => f.variantKey),
};

/** Reads what several expressions need together. */
export function packFragments(fragments: readonly Fragment[], needs: readonly Needs[]): PackedFragments {
  const fields = new Set(needs.flatMap((need) => need.fields));
  return {
    count: fragments.length,
    columns: new Map(Array.from(fields, (name) => [name, PACKERS[name](fragments)])),
    metadata: packMetadata(fragments, needs),
  };
}

function packMetadata(fragments: readonly Fragment[], needs: readonly Needs[]): PackedFragments["metadata"] {
  if (needs.some(({ metadata }) => metadata === "all")) return fragments.map((f) => f.metadata);
  const keys = new Set(needs.flatMap(({ metadata }) => metadata));
  return new Map(Array.from(keys, (key) => [key, fragments.map((f) => f.metadata.get(key))]));
}

function packTimes(fragments: readonly Fragment[]): Float64Array {
  const times = new Float64Array(fragments.length * 2);
  fragments.forEach(({ createdAt }, i) => {
    times[2 * i] = createdAt.seconds;
    times[2 * i + 1] = createdAt.nanos;
  });
  return times;
}

function namesOf(numbersByName: Readonly<Record<string, number>>): readonly string[] {
  const names: string[] = [];
  for (const [name, value] of Object.entries(numbersByName)) names[value] = name === "NONE" ? "" : name.toLowerCase();
  return names;
}
