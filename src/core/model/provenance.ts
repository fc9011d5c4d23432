import { addFault, type Place, tooLong } from "./place.js";
import { isLongerThan } from "./text.js";

/** Where a fragment comes from, as a caller gives it. */
export interface ProvenanceDraft {
  resourceUri: string;
  resourceType: string;
  location: string;
  mergedFrom: readonly unknown[];
}

/** Where a fragment comes from. */
export interface Provenance {
  readonly resourceUri: string;
  readonly resourceType: string;
  readonly location: string;
  /** Sources of equal fragments that were merged into this one. */
  readonly mergedFrom: readonly Provenance[];
}

/** Characters of each field; the contract states them. */
const LIMITS = { resourceUri: 2_048, resourceType: 256, location: 1_024 } as const;

const NOTHING_MERGED: readonly Provenance[] = Object.freeze([]);

/** Checks a provenance and copies it, so that nothing done to the draft later shows; absent, the node is its own resource. */
export function readProvenance(draft: ProvenanceDraft | undefined, ukoNode: string, at: Place): Provenance {
  if (draft === undefined) return { resourceUri: ukoNode, resourceType: "", location: "", mergedFrom: NOTHING_MERGED };
  const { resourceUri, resourceType, location, mergedFrom } = draft;
  if (isLongerThan(resourceUri, LIMITS.resourceUri)) {
    addFault(at, "provenance.resource_uri", tooLong(resourceUri, LIMITS.resourceUri));
  }
  if (isLongerThan(resourceType, LIMITS.resourceType)) {
    addFault(at, "provenance.resource_type", tooLong(resourceType, LIMITS.resourceType));
  }
  if (isLongerThan(location, LIMITS.location)) {
    addFault(at, "provenance.location", tooLong(location, LIMITS.location));
  }
  if (mergedFrom.length > 0) addFault(at, "provenance.merged_from", "is set; only the server merges sources");
  return {
    resourceUri: resourceUri === "" ? ukoNode : resourceUri,
    resourceType,
    location,
    mergedFrom: NOTHING_MERGED,
  };
}
