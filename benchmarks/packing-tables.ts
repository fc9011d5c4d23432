import type { Column, Table } from "./table.js";

const SIZES = [
  { heading: "12", key: "12" },
  { heading: "50", key: "50" },
  { heading: "200", key: "200" },
  { heading: "1,000", key: "1k" },
  { heading: "10,000", key: "10k" },
] as const;

const FAMILIES = [
  {
    key: "few_large",
    title: "a few large items",
    note: "One node in ten costs 2,000 to 8,000 tokens, the others 20 to 300; the score has nothing to do with it.",
  },
  {
    key: "heavy_tail",
    title: "a heavy tail",
    note: "Tokens by a Pareto distribution with exponent 1.2, from 40 to 20,000; the score has nothing to do with them.",
  },
  {
    key: "follows_size",
    title: "the score follows the size",
    note: "20 to 1,000 tokens, and a score of which nine tenths follow the tokens and one tenth is chance.",
  },
] as const;

const CONTESTANTS = [
  { key: "optimal", label: "`optimal`" },
  { key: "relaxation", label: "`relaxation`" },
  { key: "greedy_knapsack", label: "`greedy_knapsack`" },
  { key: "greedy_deepest", label: "`greedy_knapsack` without the shorter ones" },
  { key: "direct", label: "`direct`: `in_order` by relevance" },
  { key: "cupel_greedy", label: "Cupel's `GreedySlice`: most score per token first, skip" },
  { key: "cupel_knapsack", label: "Cupel's `KnapsackSlice`: exact on buckets of 100 tokens" },
  { key: "priompt", label: "priompt: by priority, to the first level that does not fit" },
  { key: "prompt_tsx", label: "prompt-tsx: lowest priority pruned until the rest fits" },
  { key: "langchain", label: "LangChain `trimMessages`: newest, to the first that does not fit" },
] as const;

/** What `relaxation` shall keep in every pool, by size. */
const SHARE_AIMS: Readonly<Record<string, string>> = {
  50: "aim: at least 0.99",
  200: "aim: at least 0.995",
  "1k": "aim: at least 0.9995",
};

function shareColumn({ heading, key }: (typeof SIZES)[number]): Column {
  const aim = SHARE_AIMS[key];
  const families = FAMILIES.flatMap((family) => [family.key, `${family.key}_x3`]);
  const aims = families.map((family) => [`share_relaxation_${family}_${key}_min`, aim]);
  return {
    heading,
    pattern: `share_*_${key}_min`,
    beside: `share_*_${key}_median`,
    ...(aim !== undefined && { aims: Object.fromEntries(aims) as Record<string, string> }),
  };
}

const SHARE_TABLES = FAMILIES.map(
  ({ key, title, note }): Table => ({
    title: `Share of the optimum: ${title}`,
    note: `${note} Worst pool / median, by the number of nodes.`,
    columns: SIZES.map(shareColumn),
    rows: ["", "_x3"].flatMap((variants) =>
      CONTESTANTS.map((contestant) => ({
        label: `${contestant.label}${variants === "" ? "" : ", three variants"}`,
        key: `${contestant.key}_${key}${variants}`,
      })),
    ),
  }),
);

const PROVEN: Table = {
  title: "Share of the optimum",
  note: `How much of the greatest value everybody keeps, over seeded pools of three families with budgets of 5, 10 and 30 % of all
deepest variants. The value is the sum of the scores of what is kept, of each node the best variant; the greatest is that of
\`optimal\` where it is proven, and its upper bound where it is not: here, how many packings were proven, of how many in which
anything fits. The packers get what the profile \`fusion\` gives them with the relevance as the score, \`direct\` what its own
profile does. The other libraries stand as their documented rules, written again in a few lines with the sources beside
them (benchmarks/packing/rules.ts), priorities being scores and the input going from old to new. No two scores are equal, where
priompt's rule and prompt-tsx's are one. None of them knows variants: each is offered the deepest alone and all of them, and the
better of its two answers counts. \`KnapsackSlice\` is not asked at 10,000 nodes, where its table would have up to hundreds of
millions of entries.`,
  columns: SIZES.map(({ heading, key }) => ({
    heading,
    pattern: `packings_proven_*_${key}`,
    beside: `packings_*_${key}`,
  })),
  rows: FAMILIES.flatMap(({ key, title }) => [
    { label: title, key },
    { label: `${title}, three variants`, key: `${key}_x3` },
  ]),
};

const TIMES: Table = {
  title: "The packers at three variants a node",
  note: `The packer alone, warm, called with what the profile \`fusion\` gives it, over 20 pools of 1,000 nodes and 8 of 10,000 in
turn: median / 95th percentile. Scores have nothing to do with tokens, of which the deepest variants cost 50 to 1,000.`,
  columns: [
    {
      heading: "`optimal`",
      pattern: "packer_optimal_*_ms",
      beside: "packer_optimal_*_p95_ms",
      aims: Object.fromEntries(
        ["window", "5pct", "10pct", "30pct"].map((key) => [`packer_optimal_10k_x3_${key}_ms`, "aim: at most 20 / 50"]),
      ),
    },
    { heading: "`relaxation`", pattern: "packer_relaxation_*_ms", beside: "packer_relaxation_*_p95_ms" },
    { heading: "`greedy_knapsack`", pattern: "packer_greedy_knapsack_*_ms", beside: "packer_greedy_knapsack_*_p95_ms" },
    {
      heading: "`relaxation` / `greedy_knapsack`",
      pattern: "relaxation_over_greedy_knapsack_*",
      aims: Object.fromEntries(
        ["window", "5pct", "10pct", "30pct"].map((key) => [
          `relaxation_over_greedy_knapsack_10k_x3_${key}`,
          "aim: at most 1",
        ]),
      ),
    },
  ],
  rows: [
    { label: "1,000 nodes, 128,000 tokens", key: "1k_x3_window" },
    { label: "10,000 nodes, 128,000 tokens", key: "10k_x3_window" },
    { label: "10,000 nodes, 5 %", key: "10k_x3_5pct" },
    { label: "10,000 nodes, 10 %", key: "10k_x3_10pct" },
    { label: "10,000 nodes, 30 %", key: "10k_x3_30pct" },
  ],
};

const LINKED_AIMS = {
  packer_optimal_linked_10k_ms: "aim: at most 60",
  packer_optimal_linked_10k_x3_ms: "aim: at most 60",
  packer_optimal_linked_10k_x3_every_ms: "aim: at most 60",
};

const HARD: Table = {
  title: "Pools that are hard for `optimal`, 10,000 nodes",
  note: `The same over four pools with budgets of 5, 10 and 30 %: values that follow the tokens, which leave every search with sets that
are nearly as good; and pools with a fifth of the nodes in groups of two or three and a tenth of the fragments requiring
another. The gap is that between the value and the proven bound, in per cent of the bound, in the worst of the twelve.`,
  columns: [
    {
      heading: "ms, median / 95th percentile",
      pattern: "packer_optimal_*_ms",
      beside: "packer_optimal_*_p95_ms",
      aims: LINKED_AIMS,
    },
    {
      heading: "gap, %",
      pattern: "gap_percent_*_max",
      aims: {
        gap_percent_constant_10k_max: "aim: at most 0.05",
        gap_percent_tokens_10k_max: "aim: at most 0.05",
        gap_percent_linked_10k_max: "aim: at most 0.1",
        gap_percent_linked_10k_x3_max: "aim: at most 0.1",
        gap_percent_linked_10k_x3_every_max: "aim: at most 0.1",
      },
    },
  ],
  rows: [
    { label: "value is tokens and a constant", key: "constant_10k" },
    { label: "value is tokens", key: "tokens_10k" },
    { label: "linked, one variant", key: "linked_10k" },
    { label: "linked, three variants, the deepest require", key: "linked_10k_x3" },
    { label: "linked, three variants, each requires", key: "linked_10k_x3_every" },
  ],
};

/** What is kept by which packer or rule, and how long the packers take. */
export const PACKING_TABLES: readonly Table[] = [PROVEN, ...SHARE_TABLES, TIMES, HARD];
