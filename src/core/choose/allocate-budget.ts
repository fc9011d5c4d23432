import { type Assembly, ask, brokenContract } from "../assembly.js";
import type { Allocation, Candidate } from "../model/candidate.js";

/** Stage 2. Splits what the fragments may spend between the candidates. */
export async function allocateBudget(
  assembly: Assembly,
  candidates: readonly Candidate[],
  tokens: number,
): Promise<readonly Allocation[]> {
  const shares = await ask(assembly, "budget_allocator", (allocator) =>
    allocator.allocate(tokens, candidates, assembly.run),
  );
  if (shares.length !== candidates.length || shares.some(({ strategy }, i) => strategy !== candidates[i]!.strategy)) {
    throw brokenContract(assembly, "budget_allocator", "did not answer with one share for each candidate, in order");
  }
  if (shares.some((share) => !Number.isInteger(share.tokens) || share.tokens < 0)) {
    throw brokenContract(assembly, "budget_allocator", "answered with a share that is not a whole number from 0");
  }
  const sum = shares.reduce((total, share) => total + share.tokens, 0);
  if (sum > tokens) throw brokenContract(assembly, "budget_allocator", `gave away ${sum} of ${tokens} tokens`);
  return candidates.map((candidate, i) => ({ ...candidate, tokens: shares[i]!.tokens }));
}
