/**
 * A context fragment and the one function that decides what a valid one is. The checks are written by hand: a schema library on each of
 * ten thousand fragments would cost more than the rest of an assembly.
 */
import { quote } from "../errors.js";
import type { Faults } from "./faults.js";
import { type Instant, instantFault } from "./instant.js";
import { addFault, type FragmentList, type Place, tooLong } from "./place.js";
import { type Provenance, type ProvenanceDraft, readProvenance } from "./provenance.js";
import { isLongerThan } from "./text.js";
import { checkVector, MAX_VECTOR_NUMBERS, type VectorLength } from "./vector.js";

/** Numbers of the wire's `Tier`. */
export const Tier = { HOT: 1, WARM: 2, COLD: 3 } as const;
export type Tier = (typeof Tier)[keyof typeof Tier];

/** Numbers of the wire's `Role`; they enter the context hash. */
export const Role = { NONE: 0, SYSTEM: 1, USER: 2, ASSISTANT: 3, TOOL: 4 } as const;
export type Role = (typeof Role)[keyof typeof Role];

/** The longest id, group and metadata key, the most entries of metadata, and so on; the contract states them at each field. */
export const FRAGMENT_LIMITS = {
  idCharacters: 128,
  nodeCharacters: 2_048,
  metadataEntries: 64,
  metadataKeyCharacters: 128,
  metadataValueCharacters: 4_096,
  requires: 1_000,
  vectorNumbers: MAX_VECTOR_NUMBERS,
  maxTokens: 2_147_483_647,
} as const;

/** Keys of metadata that belong to the server. */
export const SERVER_METADATA_PREFIX = "acms.";

/** A fragment as a caller gives it: the shape of the wire message, where absent and zero differ only for `undefined`. */
export interface FragmentDraft {
  fragmentId: string;
  ukoNode: string;
  content: string;
  tokenCount?: number | undefined;
  relevanceScore?: number | undefined;
  detailDepth?: number | undefined;
  tier: number;
  role: number;
  metadata: Map<string, string>;
  createdAt?: Instant | undefined;
  provenance?: ProvenanceDraft | undefined;
  pinned: boolean;
  groupId: string;
  requires: string[];
  variantKey: string;
  vector: readonly number[];
}

/** A valid fragment with nothing absent. It has every field of the wire message under its name, so that an edge can send it as it is. */
export interface Fragment {
  readonly fragmentId: string;
  readonly ukoNode: string;
  readonly content: string;
  /** Price in tokens. */
  readonly tokenCount: number;
  readonly relevanceScore: number;
  readonly detailDepth: number;
  readonly tier: Tier;
  /** The effective role: the field, else the metadata's. */
  readonly role: Role;
  readonly metadata: ReadonlyMap<string, string>;
  readonly createdAt: Instant;
  readonly provenance: Provenance;
  readonly pinned: boolean;
  readonly groupId: string;
  readonly requires: readonly string[];
  readonly variantKey: string;
  /** What the content means as numbers, all of a request equally many; empty: none given. */
  readonly vector: readonly number[];
  /** Position in the list that it came in. */
  readonly inputIndex: number;
  /** False where the server made the id; such an id decides no order. */
  readonly idGiven: boolean;
  /** True where `tokenCount` is an estimate. */
  readonly tokensEstimated: boolean;
  /** True where the metadata has something that a scorer reads. */
  readonly isRated: boolean;
}

/** What a fragment needs from its surroundings to become valid. */
export interface FragmentSurroundings {
  /** Stands for an absent `created_at`. */
  readonly now: Instant;
  readonly newId: () => string;
  readonly maxContentCharacters: number;
  readonly faults: Faults;
  /** The length that the vectors of the request have. */
  readonly vectorLength: VectorLength;
}

/**
 * Checks one fragment and fills in what is absent, but for the token count: where that is absent it is -1, to be counted later together
 * with all others. Faults go to the surroundings, their paths beginning with `list[inputIndex]`; the result then means nothing. The
 * draft's metadata, requirements and vector are taken over, not copied.
 */
export function readFragment(
  draft: FragmentDraft,
  list: FragmentList,
  inputIndex: number,
  around: FragmentSurroundings,
): Fragment {
  const at: Place = { faults: around.faults, list, inputIndex };
  checkTexts(draft, around.maxContentCharacters, at);
  checkNumbers(draft, at);
  const isRated = draft.metadata.size > 0 && readMetadata(draft.metadata, at);
  if (draft.requires.length > 0) checkRequires(draft.requires, at);
  if (draft.vector.length > 0) checkVector(draft.vector, around.vectorLength, at);
  const idGiven = draft.fragmentId !== "";
  return {
    fragmentId: idGiven ? draft.fragmentId : around.newId(),
    ukoNode: draft.ukoNode,
    content: draft.content,
    tokenCount: draft.tokenCount ?? UNCOUNTED,
    relevanceScore: draft.relevanceScore ?? 0.5,
    detailDepth: draft.detailDepth ?? 0,
    tier: (draft.tier === 0 ? Tier.WARM : draft.tier) as Tier,
    role: (draft.role === 0 ? roleOfMetadata(draft.metadata) : draft.role) as Role,
    metadata: draft.metadata,
    createdAt: draft.createdAt ?? around.now,
    provenance: readProvenance(draft.provenance, draft.ukoNode, at),
    pinned: draft.pinned,
    groupId: draft.groupId,
    requires: draft.requires,
    variantKey: draft.variantKey,
    vector: draft.vector,
    inputIndex,
    idGiven,
    tokensEstimated: false,
    isRated,
  };
}

/** The token count of a fragment that is not counted yet. */
export const UNCOUNTED = -1;

function checkTexts(draft: FragmentDraft, maxContentCharacters: number, at: Place): void {
  const { idCharacters, nodeCharacters } = FRAGMENT_LIMITS;
  if (isLongerThan(draft.fragmentId, idCharacters))
    addFault(at, "fragment_id", tooLong(draft.fragmentId, idCharacters));
  if (isBlank(draft.ukoNode)) {
    addFault(at, "uko_node", `is ${draft.ukoNode === "" ? "empty" : "blank"}; a node is required`);
  } else if (isLongerThan(draft.ukoNode, nodeCharacters)) {
    addFault(at, "uko_node", tooLong(draft.ukoNode, nodeCharacters));
  }
  if (isLongerThan(draft.content, maxContentCharacters)) {
    addFault(at, "content", tooLong(draft.content, maxContentCharacters));
  }
  if (isLongerThan(draft.groupId, idCharacters)) addFault(at, "group_id", tooLong(draft.groupId, idCharacters));
  if (isLongerThan(draft.variantKey, nodeCharacters)) {
    addFault(at, "variant_key", tooLong(draft.variantKey, nodeCharacters));
  }
}

function checkNumbers(draft: FragmentDraft, at: Place): void {
  const { tokenCount, relevanceScore, detailDepth, tier, role, createdAt } = draft;
  if (tokenCount !== undefined && !isWithin(tokenCount, 0, FRAGMENT_LIMITS.maxTokens)) {
    addFault(at, "token_count", `is ${tokenCount}; allowed are whole numbers from 0 to ${FRAGMENT_LIMITS.maxTokens}`);
  }
  if (relevanceScore !== undefined && !(relevanceScore >= 0 && relevanceScore <= 1)) {
    addFault(at, "relevance_score", `is ${relevanceScore}; allowed is 0.0 to 1.0`);
  }
  if (detailDepth !== undefined && !isWithin(detailDepth, 0, 9)) {
    addFault(at, "detail_depth", `is ${detailDepth}; allowed are whole numbers from 0 to 9`);
  }
  if (!isWithin(tier, 0, 3)) addFault(at, "tier", `is ${tier}; allowed are hot (1), warm (2), cold (3) or absent`);
  if (!isWithin(role, 0, 4)) {
    addFault(at, "role", `is ${role}; allowed are system (1), user (2), assistant (3), tool (4) or absent`);
  }
  if (createdAt !== undefined) {
    const fault = instantFault(createdAt);
    if (fault !== undefined) addFault(at, "created_at", fault);
  }
}

/** Metadata that a scorer reads: the parts of a composite score, and the relevance that a scored fragment had before. */
export const SCORE_METADATA = {
  hierarchy: "hierarchy_weight",
  quality: "strategy_quality",
  recency: "recency_bonus",
  originalRelevance: "acms.original_relevance",
} as const;

const SCORE_KEYS = new Set<string>(Object.values(SCORE_METADATA));

/** Checks metadata, and says whether a scorer reads some of it: in ten thousand fragments a look at each would cost as much as scoring. */
function readMetadata(metadata: ReadonlyMap<string, string>, at: Place): boolean {
  const { metadataEntries, metadataKeyCharacters, metadataValueCharacters } = FRAGMENT_LIMITS;
  let entries = 0;
  let ofServer = 0;
  let isRated = false;
  for (const [key, value] of metadata) {
    if (SCORE_KEYS.has(key)) isRated = true;
    if (key.startsWith(SERVER_METADATA_PREFIX)) ofServer++;
    else entries++;
    if (key === "") addFault(at, "metadata", "has an empty key; a key has at least 1 character");
    if (isLongerThan(key, metadataKeyCharacters)) {
      addFault(at, "metadata", `has a key ${quote(key)} that ${tooLong(key, metadataKeyCharacters)}`);
    }
    if (isLongerThan(value, metadataValueCharacters)) {
      addFault(at, `metadata[${quote(key)}]`, tooLong(value, metadataValueCharacters));
    }
  }
  if (entries > metadataEntries)
    addFault(at, "metadata", `has ${entries} entries; at most ${metadataEntries} are allowed`);
  if (ofServer > metadataEntries) {
    addFault(at, "metadata", `has ${ofServer} entries that begin with acms.; at most ${metadataEntries} are allowed`);
  }
  return isRated;
}

function checkRequires(requires: readonly string[], at: Place): void {
  if (requires.length > FRAGMENT_LIMITS.requires) {
    addFault(at, "requires", `has ${requires.length} entries; at most ${FRAGMENT_LIMITS.requires} are allowed`);
  }
  requires.forEach((id, i) => {
    if (id === "") addFault(at, `requires[${i}]`, "is empty; allowed is the id of a fragment of the request");
  });
}

const ROLE_NAMES = new Map<string, Role>([
  ["system", Role.SYSTEM],
  ["user", Role.USER],
  ["assistant", Role.ASSISTANT],
  ["tool", Role.TOOL],
]);

function roleOfMetadata(metadata: ReadonlyMap<string, string>): Role {
  if (metadata.size === 0) return Role.NONE;
  const name = metadata.get("role");
  return name === undefined ? Role.NONE : (ROLE_NAMES.get(name) ?? Role.NONE);
}

function isWithin(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}

const NOT_SPACE = /\S/u;

function isBlank(text: string): boolean {
  return !NOT_SPACE.test(text);
}
