import { keepAll } from "../fuse/deduplicator/pass-through.js";
import { keepAllDepths } from "../fuse/depth-resolver/pass-through.js";
import { inOrder } from "../fuse/packer/in-order.js";
import { nominationScore } from "../fuse/scorer/pass-through.js";
import { splitTokens } from "../model/split-tokens.js";
import { strategyOrder } from "../present/orderer/strategy.js";
import { noPreamble } from "../present/preamble-generator/empty.js";
import type { StageContracts } from "../stages.js";

/** What each stage does where it is skipped: it hands on what it got, or, where it makes something, makes nothing. */
export const SKIPPED: StageContracts = {
  strategy_selector: { select: () => [] },
  budget_allocator: {
    allocate: (tokens, candidates) => {
      const shares = splitTokens(
        tokens,
        candidates.map(() => 1),
      );
      return candidates.map((candidate, i) => ({ ...candidate, tokens: shares[i]! }));
    },
  },
  strategy_executor: {
    execute: ({ allocations, fragments }) =>
      allocations.map(({ implementation: _, ...allocation }) => ({ ...allocation, fragments, miss: "skip" })),
  },
  deduplicator: keepAll,
  depth_resolver: keepAllDepths,
  scorer: nominationScore,
  packer: inOrder,
  orderer: strategyOrder,
  preamble_generator: noPreamble,
  skeleton_compressor: { compress: () => [] },
};
