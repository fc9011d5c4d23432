import type { Nomination, StrategyExecutor } from "../../stages.js";

/** Runs one strategy after the other. */
export const sequential: StrategyExecutor = {
  execute: async ({ allocations, ...input }, run) => {
    const nominations: Nomination[] = [];
    for (const { implementation, ...allocation } of allocations) {
      nominations.push({ ...allocation, ...(await implementation.rank(input, run)) });
    }
    return nominations;
  },
};
