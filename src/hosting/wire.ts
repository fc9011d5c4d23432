/** From the core's values to hosting messages and back. What comes back is looked at before it is believed. */

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
