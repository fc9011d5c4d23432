import { ContextFragment } from "../../gen/acms/v1/fragment.js";
import { createRandom, type Random } from "../random.js";

/** How the prices and scores of a pool are drawn. */
export type Family = keyof typeof FAMILIES;

/** What a pool is made of. */
export interface PoolSpec {
  readonly family: Family;
  readonly nodes: number;
  /** 1: one fragment a node. 3: each node has two shorter variants beside it. */
  readonly variants: 1 | 3;
  readonly seed: number;
  /**
   * A fifth of the nodes stand in groups of two or three, and a tenth of the fragments require another: of the deepest
   * variants alone, or of every variant. Absent: nothing is linked.
   */
  readonly requiring?: "deepest" | "every";
}

/** Fragments to choose from: node by node, the variants of each in turn, the deepest first. */
export interface Pool extends PoolSpec {
  readonly fragments: readonly ContextFragment[];
  /** What the deepest variants cost together; budgets are shares of it. */
  readonly fullTokens: number;
}

interface Draw {
  readonly tokens: number;
  readonly score: number;
}

/** Prices and scores of the deepest variant of a node, the same for the same seed. */
const FAMILIES = {
  /** 50 to 1,000 tokens, whatever the score. */
  plain: (random) => ({ tokens: between(50, 1_000, random), score: random.double() }),
  /** One node in ten costs 2,000 to 8,000 tokens, the others 20 to 300, whatever the score. */
  few_large: (random) => ({
    tokens: random.below(10) === 0 ? between(2_000, 8_000, random) : between(20, 300, random),
    score: random.double(),
  }),
  /** A Pareto distribution with exponent 1.2 from 40 tokens, cut at 20,000: most are short, and a few cost as much as all of these. */
  heavy_tail: (random) => ({
    tokens: Math.min(20_000, Math.floor(40 * (1 - random.double()) ** (-1 / 1.2))),
    score: random.double(),
  }),
  /** 20 to 1,000 tokens, and a score that rises with them, a tenth of it by chance. */
  follows_size: (random) => {
    const tokens = between(20, 1_000, random);
    return { tokens, score: (0.9 * tokens) / 1_000 + 0.1 * random.double() };
  },
  /** 20 to 1,000 tokens, and a score that is a constant and the tokens: what is known to be hard for every exact search. */
  tokens_and_constant: (random) => {
    const tokens = between(20, 1_000, random);
    return { tokens, score: (tokens + 100) / 1_100 };
  },
  /** 20 to 1,000 tokens, and a score that is the tokens: every set that fills the budget is as good. */
  tokens_alone: (random) => {
    const tokens = between(20, 1_000, random);
    return { tokens, score: tokens / 1_000 };
  },
} satisfies Record<string, (random: Random) => Draw>;

/** The shorter variants: their shares of the tokens and of the score of the deepest, each drawn between two bounds. */
const SHORTER = [
  { tokens: [0.35, 0.75], score: [0.5, 0.9], depth: 5 },
  { tokens: [0.08, 0.35], score: [0.2, 0.55], depth: 1 },
] as const;

const DEEPEST = 9;

/** Draws a pool. */
export function createPool(spec: PoolSpec): Pool {
  const random = createRandom(spec.seed);
  const fragments: ContextFragment[] = [];
  let fullTokens = 0;
  for (let node = 0; node < spec.nodes; node += 1) {
    const deepest = FAMILIES[spec.family](random);
    fullTokens += deepest.tokens;
    fragments.push(createVariant(node, DEEPEST, deepest));
    for (const { tokens, score, depth } of SHORTER.slice(0, spec.variants - 1)) {
      const shorter = {
        tokens: Math.max(1, Math.floor(deepest.tokens * shareOf(tokens, random))),
        score: deepest.score * shareOf(score, random),
      };
      fragments.push(createVariant(node, depth, shorter));
    }
  }
  if (spec.requiring !== undefined) {
    linkFragments(fragments, spec, random);
  }
  return { ...spec, fragments, fullTokens };
}

function createVariant(node: number, detailDepth: number, { tokens, score }: Draw): ContextFragment {
  return ContextFragment.fromPartial({
    fragmentId: `${node}-${detailDepth}`,
    ukoNode: `project://app/${node}.ts`,
    content: `Node ${node} at depth ${detailDepth}.`,
    tokenCount: tokens,
    relevanceScore: score,
    detailDepth,
    createdAt: { seconds: 1_700_000_000 + node, nanos: 0 },
  });
}

/** In a group the variants of a node need a key of their own; a requirement names the deepest variant of another node. */
function linkFragments(fragments: ContextFragment[], { nodes, variants, requiring }: PoolSpec, random: Random): void {
  const grouped = Math.floor(nodes / 5);
  for (let node = 0, group = 0; node < grouped; group += 1) {
    for (const last = Math.min(grouped, node + 2 + random.below(2)); node < last; node += 1) {
      for (const fragment of fragments.slice(node * variants, (node + 1) * variants)) {
        fragment.groupId = `group-${group}`;
        fragment.variantKey = variants === 1 ? "" : `node-${node}`;
      }
    }
  }
  fragments.forEach((fragment, position) => {
    const other = random.below(nodes);
    const mayRequire = requiring === "every" || position % variants === 0;
    if (mayRequire && random.below(10) === 0 && other !== Math.floor(position / variants)) {
      fragment.requires = [`${other}-${DEEPEST}`];
    }
  });
}

function between(least: number, most: number, random: Random): number {
  return least + random.below(most - least + 1);
}

function shareOf([least, most]: readonly [number, number], random: Random): number {
  return least + (most - least) * random.double();
}
