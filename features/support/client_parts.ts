/** Components and strategies as a client would write them: a few honest lines each. */
import type {
  BudgetAllocator,
  Deduplicator,
  Orderer,
  PreambleGenerator,
  SkeletonCompressor,
  Strategy,
  StrategyExecutor,
  StrategySelector,
} from "../../src/core/index.js";

/** Ranks the last given fragment first. */
export const lastFirst: Strategy = {
  name: "last_first",
  explanation: "Ranks fragments from the last given to the first.",
  capabilities: {
    supportsSemanticSearch: false,
    supportsGraphNavigation: false,
    supportsTemporalArchaeology: false,
    maxFragments: 0,
    qualityScore: 0.5,
  },
  confidence: () => 0.5,
  rank: ({ fragments }) => ({ fragments: [...fragments].reverse(), miss: "skip" }),
};

/** Nominates nothing, and is as confident as any. */
export const wantNothing: Strategy = {
  ...lastFirst,
  name: "want_nothing",
  explanation: "Ranks nothing.",
  confidence: () => 0.8,
  rank: () => ({ fragments: [], miss: "skip" }),
};

/** Chooses what the request names. */
export const asNamed: StrategySelector = {
  select: ({ hint, strategies }) => strategies.filter(({ strategy }) => hint.includes(strategy)),
};

/** Chooses nothing. */
export const chooseNone: StrategySelector = { select: () => [] };

/** Gives half of the tokens away, in equal shares. */
export const halfOfIt: BudgetAllocator = {
  allocate: (tokens, candidates) =>
    candidates.map((candidate) => ({ ...candidate, tokens: Math.floor(tokens / 2 / candidates.length) })),
};

/** Asks no strategy, and nominates the last given fragment first. */
export const nominateLastFirst: StrategyExecutor = {
  execute: ({ allocations, fragments }) =>
    allocations.map(({ strategy, confidence, tokens }) => ({
      strategy,
      confidence,
      tokens,
      fragments: [...fragments].reverse(),
      miss: "skip",
    })),
};

/** Keeps the first fragment of each node. */
export const onePerNode: Deduplicator = {
  deduplicate: (fragments) => {
    const first = new Map([...fragments].reverse().map((fragment) => [fragment.ukoNode, fragment]));
    const isFirst = (fragment: (typeof fragments)[number]): boolean => first.get(fragment.ukoNode) === fragment;
    return {
      kept: fragments.filter(isFirst),
      duplicates: fragments
        .filter((fragment) => !isFirst(fragment))
        .map((fragment) => ({ fragment, survivor: first.get(fragment.ukoNode)! })),
    };
  },
};

/** Loses every fragment, which no orderer may do. */
export const loseAll: Orderer = { order: () => [] };

/** Writes how many fragments there are. */
export const countFragments: PreambleGenerator = {
  generate: ({ selected }) => `Custom preamble: ${selected.length} fragments`,
};

/** Keeps so many characters of each content. */
export function keepCharacters(characters: number): SkeletonCompressor {
  return {
    compress: (parents) =>
      parents.map((parent) => ({
        ...parent,
        content: parent.content.slice(0, characters),
        tokenCount: Math.ceil(characters / 4),
      })),
  };
}
