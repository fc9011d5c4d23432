/** From the core's values to hosting messages and back. What comes back is looked at before it is believed. */

import type { ContextFragment } from "../../gen/acms/v1/fragment.js";
import { FragmentField } from "../../gen/acms/v1/hosted_component.js";
import type { Duration } from "../../gen/google/protobuf/duration.js";
import type { Fragment } from "../core/index.js";

/** What is wrong with an answer, as in "chose a fragment twice". */
export class AnswerFault extends Error {}

/** A duration as it is sent. */
export function durationToWire(ms: number): Duration {
  const seconds = Math.floor(ms / 1_000);
  return { seconds, nanos: Math.floor((ms - seconds * 1_000) * 1e6) };
}

/** A duration that came, in milliseconds; NaN where it is none. */
export function durationFromWire({ seconds, nanos }: Duration): number {
  const isDuration = Number.isInteger(seconds) && Number.isInteger(nanos) && Math.abs(nanos) <= 999_999_999;
  return isDuration ? seconds * 1_000 + nanos / 1e6 : Number.NaN;
}

const NO_METADATA = new Map<string, string>();
const NO_TEXTS: string[] = [];

const NO_NUMBERS: number[] = [];

/** A fragment with all fields but its vector, which would be most of its bytes. */
function withoutVector(fragment: Fragment): ContextFragment {
  const whole = fragment as unknown as ContextFragment;
  return fragment.vector.length === 0 ? whole : { ...whole, vector: NO_NUMBERS };
}

/** Makes fragments as a component gets them, with the fields alone that it needs; none named: all of them but vectors. */
export function createProjection(
  needs: readonly FragmentField[],
): (fragments: readonly Fragment[]) => ContextFragment[] {
  // A fragment of the core has every field of the wire's under its name, so that it can be sent as it is.
  if (needs.length === 0) return (fragments) => fragments.map(withoutVector);
  const wanted = new Set(needs);
  const has = (field: FragmentField): boolean => wanted.has(field);
  const id = has(FragmentField.FRAGMENT_FIELD_FRAGMENT_ID);
  const node = has(FragmentField.FRAGMENT_FIELD_UKO_NODE);
  const content = has(FragmentField.FRAGMENT_FIELD_CONTENT);
  const tokens = has(FragmentField.FRAGMENT_FIELD_TOKEN_COUNT);
  const relevance = has(FragmentField.FRAGMENT_FIELD_RELEVANCE_SCORE);
  const depth = has(FragmentField.FRAGMENT_FIELD_DETAIL_DEPTH);
  const tier = has(FragmentField.FRAGMENT_FIELD_TIER);
  const role = has(FragmentField.FRAGMENT_FIELD_ROLE);
  const metadata = has(FragmentField.FRAGMENT_FIELD_METADATA);
  const created = has(FragmentField.FRAGMENT_FIELD_CREATED_AT);
  const provenance = has(FragmentField.FRAGMENT_FIELD_PROVENANCE);
  const pinned = has(FragmentField.FRAGMENT_FIELD_PINNED);
  const group = has(FragmentField.FRAGMENT_FIELD_GROUP_ID);
  const requires = has(FragmentField.FRAGMENT_FIELD_REQUIRES);
  const key = has(FragmentField.FRAGMENT_FIELD_VARIANT_KEY);
  const vector = has(FragmentField.FRAGMENT_FIELD_VECTOR);
  const project = (given: Fragment): ContextFragment => {
    const fragment = given as unknown as ContextFragment;
    return {
      fragmentId: id ? fragment.fragmentId : "",
      ukoNode: node ? fragment.ukoNode : "",
      content: content ? fragment.content : "",
      tokenCount: tokens ? fragment.tokenCount : undefined,
      relevanceScore: relevance ? fragment.relevanceScore : undefined,
      detailDepth: depth ? fragment.detailDepth : undefined,
      tier: tier ? fragment.tier : 0,
      role: role ? fragment.role : 0,
      metadata: metadata ? fragment.metadata : NO_METADATA,
      createdAt: created ? fragment.createdAt : undefined,
      provenance: provenance ? fragment.provenance : undefined,
      pinned: pinned && fragment.pinned,
      groupId: group ? fragment.groupId : "",
      requires: requires ? fragment.requires : NO_TEXTS,
      variantKey: key ? fragment.variantKey : "",
      vector: vector ? fragment.vector : NO_NUMBERS,
    };
  };
  return (fragments) => fragments.map(project);
}

/** The fragment at a position that an answer names; throws where there is none. */
export function fragmentAt(fragments: readonly Fragment[], position: number): Fragment {
  const fragment = fragments[position];
  if (fragment === undefined) {
    throw new AnswerFault(`named the position ${position}, where it was given ${fragments.length} fragments`);
  }
  return fragment;
}

/** The fragments at the positions that an answer names. */
export function fragmentsAtPositions(fragments: readonly Fragment[], positions: readonly number[]): Fragment[] {
  // More positions than fragments are a repetition, and need not be made into a list first.
  if (positions.length > fragments.length) {
    throw new AnswerFault(`named ${positions.length} positions, where it was given ${fragments.length} fragments`);
  }
  return positions.map((position) => fragmentAt(fragments, position));
}

/** The positions of fragments in a list, by fragment. */
export function positionsOf(fragments: readonly Fragment[]): Map<Fragment, number> {
  return new Map(fragments.map((fragment, position) => [fragment, position]));
}
