import { encodeHeads } from "../context-hash.js";
import type { Fragment } from "./fragment.js";

/**
 * What the stages ask of every fragment, read once in input order while the fragments are at hand. In order of rank they lie scattered in
 * memory, and to look into each of them at every stage would cost more than the stages do.
 */
export interface Columns {
  /** Price of each fragment, by input position. */
  readonly tokenCounts: Float64Array;
  /** Relevance of each fragment, by input position. */
  readonly relevances: Float64Array;
  readonly pinned: readonly Fragment[];
  /** Fragments that are in a group or require others. */
  readonly linked: readonly Fragment[];
  /** How many prices are estimates. */
  readonly estimates: number;
  readonly contents: readonly string[];
  /** What each fragment adds to the context hash, but for its content. */
  readonly heads: readonly string[];
}

/** Reads the columns of a request's fragments. */
export function readColumns(fragments: readonly Fragment[]): Columns {
  const tokenCounts = new Float64Array(fragments.length);
  const relevances = new Float64Array(fragments.length);
  const contents = new Array<string>(fragments.length);
  const pinned: Fragment[] = [];
  const linked: Fragment[] = [];
  let estimates = 0;
  for (let i = 0; i < fragments.length; i++) {
    const fragment = fragments[i]!;
    tokenCounts[i] = fragment.tokenCount;
    relevances[i] = fragment.relevanceScore;
    contents[i] = fragment.content;
    if (fragment.pinned) pinned.push(fragment);
    if (fragment.groupId !== "" || fragment.requires.length > 0) linked.push(fragment);
    if (fragment.tokensEstimated) estimates++;
  }
  return { tokenCounts, relevances, pinned, linked, estimates, contents, heads: encodeHeads(fragments) };
}
