import { type Assembly, ask } from "../assembly.js";
import type { Allocation, Candidate } from "../model/candidate.js";

/** Stage 2. Splits what the fragments may spend between the candidates. */
export async function allocateBudget(
  assembly: Assembly,
  candidates: readonly Candidate[],
  tokens: number,
): Promise<readonly Allocation[]> {
  const shares = await ask(
    assembly,
    "budget_allocator",
    (allocator) => allocator.allocate(tokens, candidates, assembly.run),
    (answer) => sharesFault(answer, candidates, tokens),
  );
  return candidates.map((candidate, i) => ({ ...candidate, tokens: shares[i]!.tokens }));
}

/** Says what is wrong with an allocator's answer, or nothing. */
export function sharesFault(
  shares: readonly Allocation[],
  candidates: readonly Candidate[],
  tokens: number,
): string | undefined {
  if (shares.length !== candidates.length || shares.some(({ strategy }, i) => strategy !== candidates[i]!.strategy)) {
    return "did not answer with one share for each candidate, in order";
  }
  if (shares.some((share) => !Number.isInteger(share.tokens) || share.tokens < 0)) {
    return "answered with a share that is not a whole number from 0";
  }
  const sum = shares.reduce((total, share) => total + share.tokens, 0);
  return sum > tokens ? `gave away ${sum} of ${tokens} tokens` : undefined;
}
