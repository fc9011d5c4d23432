import { type Assembly, ask, brokenContract } from "../assembly.js";
import type { Nomination } from "../stages.js";
import type { Resolved } from "./resolve-depths.js";

/** Nominations in which each fragment has a score. */
export interface Scored extends Resolved {
  /** From 0 to 1, by input position; -1: not nominated. */
  readonly scores: Float64Array;
}

/** Stage 6. Scores what was nominated, beginning from the nomination scores. */
export async function scoreFragments(assembly: Assembly, resolved: Resolved): Promise<Scored> {
  const { fragments, nominations } = resolved;
  const byPosition = nominationScores(nominations, assembly.request.fragments.length);
  const nominated = Float64Array.from(fragments, ({ inputIndex }) => byPosition[inputIndex]!);
  const answer = await ask(assembly, "scorer", (scorer) => scorer.score(fragments, nominated, assembly.run));
  if (answer !== nominated) {
    if (answer.length !== fragments.length || answer.some((score) => !(score >= 0 && score <= 1))) {
      throw brokenContract(assembly, "scorer", "did not answer with one score from 0 to 1 for each fragment");
    }
    for (let i = 0; i < answer.length; i++) byPosition[fragments[i]!.inputIndex] = answer[i]!;
  }
  assembly.trace.setScores(byPosition);
  return { ...resolved, scores: byPosition };
}

/**
 * What the strategies' order says as a number from 0 to 1: a strategy's own scores, else (n - rank) / n. Of several strategies the mean
 * weighted by confidence, 0 where one did not nominate.
 */
function nominationScores(nominations: readonly Nomination[], fragmentCount: number): Float64Array {
  const byPosition = new Float64Array(fragmentCount).fill(-1);
  const single = nominations.length === 1;
  const weights = weightsOf(nominations);
  nominations.forEach(({ fragments, scores }, k) => {
    const n = fragments.length;
    for (let rank = 0; rank < n; rank++) {
      const i = fragments[rank]!.inputIndex;
      const score = scores === undefined ? (n - rank) / n : scores[rank]!;
      byPosition[i] = single ? score : Math.max(0, byPosition[i]!) + score * weights[k]!;
    }
  });
  if (!single) for (let i = 0; i < fragmentCount; i++) byPosition[i] = Math.min(1, byPosition[i]!);
  return byPosition;
}

/** Confidences as parts of 1; equal parts where all are 0. */
function weightsOf(nominations: readonly Nomination[]): number[] {
  const largest = Math.max(0, ...nominations.map(({ confidence }) => confidence));
  const scaled = nominations.map(({ confidence }) => (largest === 0 ? 1 : confidence / largest));
  const sum = scaled.reduce((a, b) => a + b, 0);
  return scaled.map((weight) => weight / sum);
}
