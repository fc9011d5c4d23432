import { type Assembly, ask } from "../assembly.js";
import { areScores, type PlacedNomination } from "../model/nomination.js";
import type { Scoring } from "../stages.js";
import type { Resolved } from "./resolve-depths.js";

/** Nominations in which each fragment has a score. */
export interface Scored extends Resolved {
  /** From 0 to 1, by input position; -1: not nominated. */
  readonly scores: Float64Array;
  /** The score of a fragment of relevance 0 with nothing else given. */
  readonly baseline: number;
}

/** Stage 6. Scores what was nominated, beginning from the nomination scores. */
export async function scoreFragments(assembly: Assembly, resolved: Resolved): Promise<Scored> {
  const { fragments, nominations } = resolved;
  const scores = nominationScores(nominations, assembly.request.fragments.length);
  const nominated = alignedScores(resolved, scores);
  const { length } = assembly.request.fragments;
  const context = {
    // Only a scorer that reads ratings asks, and most requests have none.
    get relevanceShares() {
      return relevanceShares(resolved, length);
    },
  };
  const answer = await ask(
    assembly,
    "scorer",
    (scorer) => scorer.score(fragments, nominated, context, assembly.run),
    (scoring) => scoringFault(scoring, fragments.length),
  );
  if (answer.scores !== nominated) {
    for (let i = 0; i < fragments.length; i++) scores[fragments[i]!.inputIndex] = answer.scores[i]!;
  }
  assembly.trace.scores = scores;
  if (answer.parts !== undefined) assembly.trace.setScoreParts(fragments, answer.parts);
  return { ...resolved, scores, baseline: answer.baseline ?? 0 };
}

function scoringFault({ scores, parts, baseline = 0 }: Scoring, count: number): string | undefined {
  const columns = [scores, ...Object.values(parts ?? {})];
  const areAll = columns.every((column) => areScores(column, count)) && baseline >= 0 && baseline <= 1;
  return areAll ? undefined : "did not answer with one score from 0 to 1 for each fragment";
}

/** The nomination scores by input position: of several strategies the mean weighted by confidence, 0 where one did not nominate. */
function nominationScores(nominations: readonly PlacedNomination[], fragmentCount: number): Float64Array {
  const byPosition = new Float64Array(fragmentCount).fill(-1);
  const weights = weightsOf(nominations);
  nominations.forEach(({ positions, scores }, k) => {
    const weight = weights[k]!;
    for (let rank = 0; rank < positions.length; rank++) {
      const i = positions[rank]!;
      const score = scores[rank]! * weight;
      byPosition[i] = k === 0 ? score : Math.min(1, Math.max(0, byPosition[i]!) + score);
    }
  });
  return byPosition;
}

/** How much of each fragment's nomination score is its relevance, 0 to 1, in the order of the fragments. */
function relevanceShares({ nominations, fragments }: Resolved, fragmentCount: number): Float64Array {
  const byPosition = new Float64Array(fragmentCount);
  const weights = weightsOf(nominations);
  nominations.forEach(({ positions, scoresAreRelevance }, k) => {
    if (scoresAreRelevance === true) for (const i of positions) byPosition[i]! += weights[k]!;
  });
  return Float64Array.from(fragments, ({ inputIndex }) => byPosition[inputIndex]!);
}

/** The scores in the order of the united fragments, which is the order of a single nomination. */
function alignedScores({ nominations, fragments }: Resolved, byPosition: Float64Array): Float64Array {
  const only = nominations.length === 1 ? nominations[0]! : undefined;
  if (only?.scores instanceof Float64Array) return only.scores;
  const aligned = new Float64Array(fragments.length);
  for (let i = 0; i < aligned.length; i++) aligned[i] = byPosition[only?.positions[i] ?? fragments[i]!.inputIndex]!;
  return aligned;
}

/** Confidences as parts of 1; equal parts where all are 0. */
function weightsOf(nominations: readonly PlacedNomination[]): number[] {
  const largest = Math.max(0, ...nominations.map(({ confidence }) => confidence));
  const scaled = nominations.map(({ confidence }) => (largest === 0 ? 1 : confidence / largest));
  const sum = scaled.reduce((a, b) => a + b, 0);
  return scaled.map((weight) => weight / sum);
}
