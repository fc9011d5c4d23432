import { type Fragment, Role, Tier } from "./fragment.js";

/** A fragment's score is the sum of the rules that match. */
export interface PriorityRule {
  /** One of the fields, or `metadata.` and a key. */
  readonly field: string;
  /** The exact text, or `*` for any value that is present. */
  readonly matcher: string;
  readonly score: number;
}

const ANY = "*";
const METADATA = "metadata.";

const ROLE_NAMES: Readonly<Record<number, string>> = {
  [Role.SYSTEM]: "system",
  [Role.USER]: "user",
  [Role.ASSISTANT]: "assistant",
  [Role.TOOL]: "tool",
};

const TIER_NAMES: Readonly<Record<number, string>> = { [Tier.HOT]: "hot", [Tier.WARM]: "warm", [Tier.COLD]: "cold" };

/** The text of each field that a rule can match; nothing where the fragment has no value there. */
const FIELDS: Readonly<Record<string, (fragment: Fragment) => string | undefined>> = {
  fragment_id: ({ fragmentId, idGiven }) => (idGiven ? fragmentId : undefined),
  uko_node: ({ ukoNode }) => ukoNode,
  content: ({ content }) => orAbsent(content),
  token_count: ({ tokenCount }) => String(tokenCount),
  relevance_score: ({ relevanceScore }) => String(relevanceScore),
  detail_depth: ({ detailDepth }) => String(detailDepth),
  tier: ({ tier }) => TIER_NAMES[tier],
  role: ({ role }) => ROLE_NAMES[role],
  pinned: ({ pinned }) => String(pinned),
  group_id: ({ groupId }) => orAbsent(groupId),
  variant_key: ({ variantKey }) => orAbsent(variantKey),
  "provenance.resource_uri": ({ provenance }) => orAbsent(provenance.resourceUri),
  "provenance.resource_type": ({ provenance }) => orAbsent(provenance.resourceType),
  "provenance.location": ({ provenance }) => orAbsent(provenance.location),
};

/** Says what is wrong with a rule's field, or nothing. */
export function fieldFault(field: string): string | undefined {
  if (Object.hasOwn(FIELDS, field) || (field.startsWith(METADATA) && field.length > METADATA.length)) return undefined;
  return `is no field of a fragment; allowed are ${Object.keys(FIELDS).join(", ")} and metadata.<key>`;
}

/** The sum of the scores of the rules that match. */
export function sumOfRules(fragment: Fragment, rules: readonly PriorityRule[]): number {
  let sum = 0;
  for (const { field, matcher, score } of rules) {
    const value = field.startsWith(METADATA)
      ? fragment.metadata.get(field.slice(METADATA.length))
      : FIELDS[field]?.(fragment);
    if (value !== undefined && (matcher === ANY || matcher === value)) sum += score;
  }
  return sum;
}

function orAbsent(text: string): string | undefined {
  return text === "" ? undefined : text;
}
