import { catchInput, type Given, pack, positionsOf, reportOf, worthOf } from "./packing/packer-input.js";
import { createPool, type Pool, type PoolSpec } from "./packing/pools.js";
import {
  bucketedKnapsack,
  densestFirst,
  type Item,
  newestUntilFull,
  priorityCutoff,
  pruneLowest,
  type Rule,
} from "./packing/rules.js";
import type { Figures } from "./report.js";

const FAMILIES = ["few_large", "heavy_tail", "follows_size"] as const;

/** Nodes of a pool, the name of that number in keys, and how many pools of it are drawn. */
const SIZES = [
  { nodes: 12, size: "12", pools: 100 },
  { nodes: 50, size: "50", pools: 100 },
  { nodes: 200, size: "200", pools: 100 },
  { nodes: 1_000, size: "1k", pools: 30 },
  { nodes: 10_000, size: "10k", pools: 3 },
] as const;

/** Budgets as shares of what the deepest variants of all nodes cost. */
const BUDGETS = [0.05, 0.1, 0.3];

/** A rule by its part of the keys, with what it takes of the example, sorted. */
const RULES: readonly (readonly [string, Rule, readonly number[]])[] = [
  ["langchain", newestUntilFull, [1, 2]],
  ["priompt", priorityCutoff, [0]],
  ["prompt_tsx", pruneLowest, [0]],
  ["cupel_greedy", densestFirst, [1, 2]],
  ["cupel_knapsack", bucketedKnapsack, [0]],
];

/** Three items, of which the best are the last two: in buckets of 100 tokens they no longer fit. */
const EXAMPLE: readonly Item[] = [
  { tokens: 250, score: 0.7 },
  { tokens: 150, score: 0.5 },
  { tokens: 150, score: 0.45 },
];
const EXAMPLE_TOKENS = 300;

/** A pool with a budget, and what the packers are given for it. */
interface Task {
  readonly pool: Pool;
  readonly tokens: number;
  readonly direct: Given;
  readonly fusion: Given;
  /** The pipeline's input for the deepest variants alone. */
  readonly deepest: Given;
}

/** What everybody keeps of the greatest value, over seeded pools of three families, five sizes and three budgets. */
export async function benchPacking(figures: Figures): Promise<void> {
  checkRules();
  for (const family of FAMILIES) {
    for (const variants of [1, 3] as const) {
      for (const { nodes, size, pools } of SIZES) {
        const name = `${family}${variants === 1 ? "" : `_x${variants}`}_${size}`;
        await benchFamily(figures, { name, pools, spec: { family, variants, nodes } });
      }
    }
  }
}

function checkRules(): void {
  for (const [name, rule, expected] of RULES) {
    const taken = rule(EXAMPLE, EXAMPLE_TOKENS)?.toSorted();
    if (taken?.join() !== expected.join()) {
      throw new Error(`The rule ${name} takes ${taken}, where it should take ${expected}.`);
    }
  }
}

/** Pools of one kind and size, and their part of the keys. */
interface Kind {
  readonly name: string;
  readonly pools: number;
  readonly spec: Pick<PoolSpec, "family" | "variants" | "nodes">;
}

async function benchFamily(figures: Figures, { name, pools, spec }: Kind): Promise<void> {
  const shares = new Map<string, number[]>();
  let proven = 0;
  let asked = 0;
  for (let seed = 1; seed <= pools; seed += 1) {
    const pool = createPool({ ...spec, seed });
    const inputs = await catchInputs(pool);
    for (const budget of BUDGETS) {
      const task = { pool, tokens: Math.floor(pool.fullTokens * budget), ...inputs };
      const answer = await shareOut(task);
      // Where nothing fits, nobody can keep less than another.
      if (answer.bound === 0) continue;
      asked += 1;
      proven += answer.isProven ? 1 : 0;
      for (const [contestant, value] of answer.values) {
        shares.set(contestant, [...(shares.get(contestant) ?? []), value / answer.bound]);
      }
    }
  }
  for (const [contestant, list] of shares) {
    if (list.length < asked) continue;
    const sorted = list.toSorted((one, other) => one - other);
    figures.addShare(`share_${contestant}_${name}_min`, sorted[0] as number);
    figures.addShare(`share_${contestant}_${name}_median`, sorted[Math.floor(sorted.length / 2)] as number);
  }
  figures.add(`packings_${name}`, asked);
  figures.add(`packings_proven_${name}`, proven);
}

async function catchInputs(pool: Pool): Promise<Omit<Task, "pool" | "tokens">> {
  const fusion = await catchInput(pool, "fusion");
  const isSingle = pool.variants === 1;
  return {
    fusion,
    direct: await catchInput(pool, "direct"),
    deepest: isSingle ? fusion : await catchInput({ ...pool, fragments: deepestOf(pool) }, "fusion"),
  };
}

/** Everybody's value, and the greatest there can be: that of `optimal` where it is proven, else its upper bound on it. */
async function shareOut(task: Task) {
  const { pool, tokens, direct, fusion, deepest } = task;
  const optimal = await pack("optimal", fusion, tokens);
  const { upperBound, value, provenOptimal: isProven } = reportOf(optimal);
  // A proof holds to the rounding of the values, by which the bound stands above them.
  const bound = isProven ? value : upperBound;
  const values = new Map<string, number>();
  const add = (name: string, positions: readonly number[]): void => {
    const kept = worthOf(positions, pool, tokens);
    if (kept > bound * (1 + 1e-9)) {
      throw new Error(`${name} keeps ${kept}, more than the greatest value, ${bound}.`);
    }
    values.set(name, kept);
  };
  add("optimal", positionsOf(optimal));
  if (Math.abs((values.get("optimal") as number) - value) > 1e-6) {
    throw new Error(`optimal reports ${value} and keeps ${values.get("optimal")}.`);
  }
  add("relaxation", positionsOf(await pack("relaxation", fusion, tokens)));
  add("greedy_knapsack", positionsOf(await pack("greedy_knapsack", fusion, tokens)));
  if (pool.variants > 1) {
    const positions = positionsOf(await pack("greedy_knapsack", deepest, tokens));
    add(
      "greedy_deepest",
      positions.map((position) => position * pool.variants),
    );
  }
  add("direct", positionsOf(await pack("in_order", direct, tokens)));
  for (const [name, rule] of RULES) {
    const best = bestOffer(rule, pool, tokens);
    if (best !== undefined) add(name, best);
  }
  return { bound, isProven, values };
}

/** What a rule takes: of the deepest variants alone or of all of them, whichever is worth more; nothing where it is not asked. */
function bestOffer(rule: Rule, pool: Pool, tokens: number): readonly number[] | undefined {
  const ofDeepest = rule(itemsOf(deepestOf(pool)), tokens)?.map((place) => place * pool.variants);
  const ofAll = pool.variants === 1 ? undefined : rule(itemsOf(pool.fragments), tokens);
  if (ofDeepest === undefined || pool.variants === 1) return ofDeepest;
  if (ofAll === undefined) return undefined;
  return worthOf(ofAll, pool, tokens) > worthOf(ofDeepest, pool, tokens) ? ofAll : ofDeepest;
}

function itemsOf(fragments: Pool["fragments"]): Item[] {
  return fragments.map(({ tokenCount = 0, relevanceScore = 0 }) => ({ tokens: tokenCount, score: relevanceScore }));
}

function deepestOf({ fragments, variants }: Pool): Pool["fragments"] {
  return fragments.filter((_, position) => position % variants === 0);
}
