/**
 * Decisions as data: one for each input fragment, kept in columns by input position. Objects are made only for those that the caller
 * wants to see.
 */
import type { Fragment } from "./model/fragment.js";
import { type Decision, Outcome, Reason, TraceLevel } from "./model/payload.js";
import { STAGES, type StageRole } from "./stages.js";

export class Trace {
  readonly #fragments: readonly Fragment[];
  readonly #reasons: Uint8Array;
  readonly #stages: Uint8Array;
  readonly #ranks: Int32Array;
  readonly #scores: Float64Array;
  readonly #missing: Float64Array;
  readonly #estimates = new Set<number>();
  readonly #related = new Map<number, Fragment>();
  readonly #details = new Map<number, string>();

  constructor(fragments: readonly Fragment[]) {
    const n = fragments.length;
    this.#fragments = fragments;
    this.#reasons = new Uint8Array(n);
    this.#stages = new Uint8Array(n);
    this.#ranks = new Int32Array(n).fill(NONE);
    this.#scores = new Float64Array(n).fill(NONE);
    this.#missing = new Float64Array(n).fill(NONE);
  }

  /** Records why a fragment is selected or dropped. A later stage overrides an earlier one. */
  decide(fragment: Fragment, stage: StageRole, reason: Reason, related?: Fragment, detail?: string): void {
    const i = fragment.inputIndex;
    this.#reasons[i] = reason;
    this.#stages[i] = stageNumber(stage);
    if (related !== undefined) this.#related.set(i, related);
    if (detail !== undefined) this.#details.set(i, detail);
  }

  /** True where a fragment has a decision already. */
  isDecided(fragment: Fragment): boolean {
    return this.#reasons[fragment.inputIndex] !== 0;
  }

  /** Records a fragment's place in the first nomination that holds it. */
  setRank(fragment: Fragment, rank: number): void {
    if (this.#ranks[fragment.inputIndex] === NONE) this.#ranks[fragment.inputIndex] = rank;
  }

  /** Records the scores that the packer saw, by input position; -1: none. */
  setScores(scores: Float64Array): void {
    this.#scores.set(scores);
  }

  /** Records how many more tokens a dropped fragment would have needed. */
  setMissing(fragment: Fragment, tokens: number, exact: boolean): void {
    this.#missing[fragment.inputIndex] = tokens;
    if (!exact) this.#estimates.add(fragment.inputIndex);
  }

  /** The decisions that a level asks for, in input order. */
  decisions(level: TraceLevel): Decision[] {
    const decisions: Decision[] = [];
    if (level === TraceLevel.NONE) return decisions;
    for (let i = 0; i < this.#reasons.length; i++) {
      const selected = isSelection(this.#reasons[i] as Reason);
      if (selected && level !== TraceLevel.FULL) continue;
      decisions.push(this.#decision(i, selected));
    }
    return decisions;
  }

  #decision(i: number, selected: boolean): Decision {
    const missing = this.#missing[i]!;
    const rank = this.#ranks[i]!;
    const score = this.#scores[i]!;
    return {
      fragmentId: this.#fragments[i]!.fragmentId,
      inputIndex: i,
      outcome: selected ? Outcome.SELECTED : Outcome.DROPPED,
      reason: this.#reasons[i] as Reason,
      stage: this.#stages[i]!,
      relatedFragmentId: this.#related.get(i)?.fragmentId ?? "",
      tokensMissing: missing === NONE ? undefined : missing,
      tokensMissingExact: missing !== NONE && !this.#estimates.has(i),
      rank: rank === NONE ? undefined : rank,
      score: score === NONE ? undefined : score,
      detail: this.#details.get(i) ?? "",
    };
  }
}

/** Stands for an absent number in a column of numbers from 0. */
const NONE = -1;

/** True for the reasons of selected fragments. */
export function isSelection(reason: Reason): boolean {
  return reason <= Reason.REQUIRED;
}

/** The number of a stage on the wire. */
export function stageNumber(stage: StageRole): number {
  return STAGES.indexOf(stage) + 1;
}
