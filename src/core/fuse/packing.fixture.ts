/** What packers and the filler work with, for tests that need no pipeline around them. */

import { readColumns } from "../model/columns.js";
import type { Fragment } from "../model/fragment.js";
import { type PlacedNomination, scoresOfOrder } from "../model/nomination.js";
import { type Links, linkFragments } from "./links.js";
import type { PackingInput } from "./packing.js";
import { noVariants } from "./variants.js";

export function linksOf(fragments: readonly Fragment[], oneVariant = false): Links {
  return linkFragments(fragments, readColumns(fragments).linked, oneVariant);
}

/** A nomination of fragments in the order given, by a strategy that may spend as much as it likes. */
export function nominationOf(fragments: readonly Fragment[], fields: Partial<PlacedNomination> = {}): PlacedNomination {
  return {
    strategy: "test",
    confidence: 1,
    tokens: Number.POSITIVE_INFINITY,
    miss: "skip",
    positions: Uint32Array.from(fragments, ({ inputIndex }) => inputIndex),
    scores: scoresOfOrder(fragments.length, undefined),
    ...fields,
  };
}

/** What a packer is given for fragments of which one strategy nominates all, in input order, unless said otherwise. */
export function packingInputOf(
  fragments: readonly Fragment[],
  tokens: number,
  fields: Partial<PackingInput> = {},
): PackingInput {
  return {
    fragments,
    nominations: [nominationOf(fragments, { tokens })],
    committed: new Set(),
    scores: new Float64Array(fragments.length),
    baseline: 0,
    variants: noVariants(fragments.length),
    out: new Uint8Array(fragments.length),
    alternatives: undefined,
    sections: undefined,
    tokenCounts: readColumns(fragments).tokenCounts,
    links: linksOf(fragments),
    tokens,
    ...fields,
  };
}
