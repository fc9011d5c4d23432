import { type Assembly, ask, brokenContract } from "../assembly.js";
import { areScores, type PlacedNomination } from "../choose/execute-strategies.js";
import type { Resolved } from "./resolve-depths.js";

/** Nominations in which each fragment has a score. */
export interface Scored extends Resolved {
  /** From 0 to 1, by input position; -1: not nominated. */
  readonly scores: Float64Array;
}

/** Stage 6. Scores what was nominated, beginning from the nomination scores. */
export async function scoreFragments(assembly: Assembly, resolved: Resolved): Promise<Scored> {
  const { fragments, nominations } = resolved;
  const scores = nominationScores(nominations, assembly.request.fragments.length);
  const nominated = alignedScores(resolved, scores);
  const answer = await ask(assembly, "scorer", (scorer) => scorer.score(fragments, nominated, assembly.run));
  if (answer !== nominated) {
    if (!areScores(answer, fragments.length)) {
      throw brokenContract(assembly, "scorer", "did not answer with one score from 0 to 1 for each fragment");
    }
    for (let i = 0; i < answer.length; i++) scores[fragments[i]!.inputIndex] = answer[i]!;
  }
  assembly.trace.scores = scores;
  return { ...resolved, scores };
}

/**
 * What the strategies' order says as a number from 0 to 1: a strategy's own scores, else (n - rank) / n. Of several strategies the mean
 * weighted by confidence, 0 where one did not nominate. By input position.
 */
function nominationScores(nominations: readonly PlacedNomination[], fragmentCount: number): Float64Array {
  const byPosition = new Float64Array(fragmentCount).fill(-1);
  const weights = weightsOf(nominations);
  nominations.forEach(({ positions, scores }, k) => {
    const n = positions.length;
    const weight = weights[k]!;
    for (let rank = 0; rank < n; rank++) {
      const i = positions[rank]!;
      const score = scores === undefined ? (n - rank) / n : scores[rank]!;
      byPosition[i] = k === 0 ? score * weight : Math.min(1, Math.max(0, byPosition[i]!) + score * weight);
    }
  });
  return byPosition;
}

/** The scores in the order of the united fragments, which is the order of a single nomination. */
function alignedScores({ nominations, fragments }: Resolved, byPosition: Float64Array): Float64Array {
  const aligned = new Float64Array(fragments.length);
  const positions = nominations.length === 1 ? nominations[0]!.positions : undefined;
  for (let i = 0; i < aligned.length; i++) aligned[i] = byPosition[positions?.[i] ?? fragments[i]!.inputIndex]!;
  return aligned;
}

/** Confidences as parts of 1; equal parts where all are 0. */
function weightsOf(nominations: readonly PlacedNomination[]): number[] {
  const largest = Math.max(0, ...nominations.map(({ confidence }) => confidence));
  const scaled = nominations.map(({ confidence }) => (largest === 0 ? 1 : confidence / largest));
  const sum = scaled.reduce((a, b) => a + b, 0);
  return scaled.map((weight) => weight / sum);
}
