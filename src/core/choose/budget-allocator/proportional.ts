import { splitTokens } from "../../model/split-tokens.js";
import type { BudgetAllocator } from "../../stages.js";

/** Shares in proportion to confidence, no token lost; where all confidences are 0, equal shares. */
export const proportional: BudgetAllocator = {
  isProportional: true,
  allocate: (tokens, candidates) => {
    const shares = splitTokens(
      tokens,
      candidates.map(({ confidence }) => confidence),
    );
    return candidates.map((candidate, i) => ({ ...candidate, tokens: shares[i]! }));
  },
};
