/**
 * Decisions as data: one for each input fragment, kept in columns by input position. Objects are made only for those that someone looks
 * at.
 */
import type { Fragment } from "./model/fragment.js";
import { type Decision, type Decisions, Outcome, Reason, type ScoreComponents, TraceLevel } from "./model/payload.js";
import { type ScoreParts, STAGES, type StageRole } from "./stages.js";

export class Trace {
  readonly #fragments: readonly Fragment[];
  readonly #reasons: Uint8Array;
  readonly #stages: Uint8Array;
  readonly #ranks: Int32Array;
  readonly #related = new Map<number, Fragment>();
  readonly #details = new Map<number, string>();
  #scoreParts: ((inputIndex: number) => ScoredParts | undefined) | undefined;
  #estimates: ReadonlySet<number> = new Set();
  #missing: Float64Array | undefined;
  /** The scores that the packer saw, by input position; -1: none. */
  scores: Float64Array | undefined;

  constructor(fragments: readonly Fragment[]) {
    const n = fragments.length;
    this.#fragments = fragments;
    this.#reasons = new Uint8Array(n);
    this.#stages = new Uint8Array(n);
    this.#ranks = new Int32Array(n).fill(NONE);
  }

  /** Records why a fragment is selected or dropped. A later stage overrides an earlier one. */
  decide(fragment: Fragment, stage: StageRole, reason: Reason, related?: Fragment, detail?: string): void {
    const i = fragment.inputIndex;
    this.decideAt(i, stageNumber(stage), reason);
    if (related !== undefined) this.#related.set(i, related);
    if (detail !== undefined) this.#details.set(i, detail);
  }

  /** The same by input position and number of the stage, where nothing else is to be said. */
  decideAt(inputIndex: number, stage: number, reason: Reason): void {
    this.#reasons[inputIndex] = reason;
    this.#stages[inputIndex] = stage;
  }

  /** True where a fragment has a decision already. */
  isDecided({ inputIndex }: Fragment): boolean {
    return this.#reasons[inputIndex] !== 0;
  }

  /** True where a fragment at an input position has a decision already. */
  isDecidedAt(inputIndex: number): boolean {
    return this.#reasons[inputIndex] !== 0;
  }

  /** Records the places in a nomination of those that no nomination before it held. */
  setRanks(positions: Uint32Array): void {
    const ranks = this.#ranks;
    for (let rank = 0; rank < positions.length; rank++) {
      if (ranks[positions[rank]!] === NONE) ranks[positions[rank]!] = rank;
    }
  }

  /** Records how many more tokens dropped fragments would have needed, by input position (-1: none), and whose number is an estimate. */
  setMissing(tokens: Float64Array, estimates: ReadonlySet<number>): void {
    this.#missing = tokens;
    this.#estimates = estimates;
  }

  /** Records the parts of the scores of fragments, in their order. */
  setScoreParts(fragments: readonly Fragment[], parts: ScoreParts): void {
    const places = new Int32Array(this.#fragments.length).fill(NONE);
    for (let place = 0; place < fragments.length; place++) places[fragments[place]!.inputIndex] = place;
    this.#scoreParts = (i) => (places[i] === NONE ? undefined : scorePartsAt(parts, places[i]!));
  }

  /** The parts of a fragment's score, and the relevance that it had before; nothing where its score has none. */
  scorePartsOf({ inputIndex }: Fragment): ScoredParts | undefined {
    return this.#scoreParts?.(inputIndex);
  }

  /** False where no scorer computed scores from parts. */
  get hasScoreParts(): boolean {
    return this.#scoreParts !== undefined;
  }

  /** The score that the packer saw; nothing where the fragment has none. */
  scoreOf({ inputIndex }: Fragment): number | undefined {
    const score = this.scores?.[inputIndex] ?? NONE;
    return score === NONE ? undefined : score;
  }

  /** How many fragments were dropped, by reason. */
  dropCounts(): Map<Reason, number> {
    const counts = new Uint32Array(REASONS);
    for (let i = 0; i < this.#reasons.length; i++) counts[this.#reasons[i]!]!++;
    const dropped = [...counts.entries()].filter(([reason, count]) => count > 0 && !isSelection(reason as Reason));
    return new Map(dropped as [Reason, number][]);
  }

  /** The decisions that a level asks for, in input order. */
  decisions(level: TraceLevel): Decisions {
    const shown = new Uint32Array(level === TraceLevel.NONE ? 0 : this.#reasons.length);
    let length = 0;
    const least = level === TraceLevel.FULL ? 0 : Reason.REQUIRED + 1;
    for (let i = 0; i < shown.length; i++) {
      // Written whether it is shown or not, since no processor can guess which fragments are.
      shown[length] = i;
      length += Number(this.#reasons[i]! >= least);
    }
    const decision = (i: number): Decision => this.#decision(i);
    return {
      length,
      *[Symbol.iterator]() {
        for (let k = 0; k < length; k++) yield decision(shown[k]!);
      },
      toArray: () => {
        const all = new Array<Decision>(length);
        for (let k = 0; k < length; k++) all[k] = decision(shown[k]!);
        return all;
      },
    };
  }

  #decision(i: number): Decision {
    const reason = this.#reasons[i] as Reason;
    const rank = this.#ranks[i]!;
    const isOver = reason === Reason.OVER_BUDGET && this.#missing !== undefined;
    const missing = isOver ? this.#missing![i]! : NONE;
    const score = this.scores === undefined ? NONE : this.scores[i]!;
    return {
      fragmentId: this.#fragments[i]!.fragmentId,
      inputIndex: i,
      outcome: isSelection(reason) ? Outcome.SELECTED : Outcome.DROPPED,
      reason,
      stage: this.#stages[i]!,
      relatedFragmentId: this.#related.get(i)?.fragmentId ?? "",
      tokensMissing: missing === NONE ? undefined : missing,
      tokensMissingExact: missing !== NONE && !this.#estimates.has(i),
      rank: rank === NONE ? undefined : rank,
      score: score === NONE ? undefined : score,
      components: this.#scoreParts?.(i)?.components,
      originalRelevance: this.#scoreParts?.(i)?.originalRelevance,
      detail: this.#details.get(i) ?? "",
    };
  }
}

/** The parts of one score, and the relevance before it. */
export interface ScoredParts {
  readonly components: ScoreComponents;
  readonly originalRelevance: number;
}

/** The parts of the score at a place. */
export function scorePartsAt(
  { relevance, hierarchy, quality, recency, original }: ScoreParts,
  place: number,
): ScoredParts {
  return {
    components: {
      relevance: relevance[place]!,
      hierarchy: hierarchy[place]!,
      quality: quality[place]!,
      recency: recency[place]!,
    },
    originalRelevance: original[place]!,
  };
}

/** More than any number of a reason. */
const REASONS = 16;

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
