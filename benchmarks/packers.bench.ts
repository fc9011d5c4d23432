import type { Packing } from "../src/core/index.js";
import type { Contestant } from "./contestant.js";
import { compare, type Timing } from "./harness.js";
import { catchInput, type Given, pack, positionsOf, reportOf, worthOf } from "./packing/packer-input.js";
import { createPool, type Pool, type PoolSpec } from "./packing/pools.js";
import type { Figures } from "./report.js";

/** A pool with a budget, and what the packers are given for it. */
interface Task {
  readonly pool: Pool;
  readonly given: Given;
  readonly tokens: number;
}

const PACKERS = ["optimal", "relaxation", "greedy_knapsack"];

/** The tokens of a large window, as a budget. */
const WINDOW_TOKENS = 128_000;

/** Budgets as shares of what the deepest variants of all nodes cost. */
const SHARES = [
  { key: "5pct", share: 0.05 },
  { key: "10pct", share: 0.1 },
  { key: "30pct", share: 0.3 },
] as const;

/** Pools with three variants a node: their sizes, how many there are, and how often each packer has its turn. */
const SIZES = [
  { nodes: 1_000, size: "1k_x3", pools: 20, shares: [] },
  { nodes: 10_000, size: "10k_x3", pools: 8, shares: SHARES },
] as const;

const ROUNDS = 80;

/** Pools that are harder, each with its budgets of 5, 10 and 30 %. */
const HARD = [
  { key: "constant_10k", family: "tokens_and_constant", variants: 1 },
  { key: "tokens_10k", family: "tokens_alone", variants: 1 },
  { key: "linked_10k", family: "plain", variants: 1, requiring: "every" },
  { key: "linked_10k_x3", family: "plain", variants: 3, requiring: "deepest" },
  { key: "linked_10k_x3_every", family: "plain", variants: 3, requiring: "every" },
] as const;

const HARD_POOLS = 4;
const HARD_ROUNDS = 36;

/**
 * The time of the packers that look for value beside that of the greedy one: the packer alone, called with what the
 * profile `fusion` gives it, warm, over several pools in turn.
 */
export async function benchPackers(figures: Figures): Promise<void> {
  for (const { nodes, size, pools, shares } of SIZES) {
    const given = await drawPools({ family: "plain", variants: 3, nodes }, pools);
    const budgets = [{ key: "window", tokensOf: () => WINDOW_TOKENS }, ...shares.map(budgetOfShare)];
    for (const { key, tokensOf } of budgets) {
      const tasks = given.map((task) => ({ ...task, tokens: tokensOf(task.pool) }));
      addTimings(figures, await time(PACKERS, tasks, ROUNDS), `${size}_${key}`);
      const ratio = ["relaxation", "greedy_knapsack"].map((name) => figures.get(`packer_${name}_${size}_${key}_ms`));
      figures.add(`relaxation_over_greedy_knapsack_${size}_${key}`, (ratio[0] as number) / (ratio[1] as number));
    }
  }
  for (const { key, ...spec } of HARD) {
    const given = await drawPools({ ...spec, nodes: 10_000 }, HARD_POOLS);
    const tasks = SHARES.flatMap((share) =>
      given.map((task) => ({ ...task, tokens: budgetOfShare(share).tokensOf(task.pool) })),
    );
    figures.add(`gap_percent_${key}_max`, 100 * (await greatestGap(tasks)));
    addTimings(figures, await time(["optimal"], tasks, HARD_ROUNDS), key);
  }
}

async function drawPools(spec: Omit<PoolSpec, "seed">, count: number): Promise<Omit<Task, "tokens">[]> {
  const tasks: Omit<Task, "tokens">[] = [];
  for (let seed = 1; seed <= count; seed += 1) {
    const pool = createPool({ ...spec, seed });
    tasks.push({ pool, given: await catchInput(pool, "fusion") });
  }
  return tasks;
}

function budgetOfShare({ key, share }: (typeof SHARES)[number]) {
  return { key, tokensOf: ({ fullTokens }: Pool) => Math.floor(fullTokens * share) };
}

/** The greatest gap that the packings of `optimal` leave between their value and its bound, as a share of the bound. */
async function greatestGap(tasks: readonly Task[]): Promise<number> {
  let gap = 0;
  for (const { given, tokens } of tasks) {
    gap = Math.max(gap, reportOf(await pack("optimal", given, tokens)).gap);
  }
  return gap;
}

function time(packers: readonly string[], tasks: readonly Task[], rounds: number): Promise<Map<string, Timing>> {
  return compare({ contestants: packers.map((name) => createPacker(name, tasks)), rounds, turnMs: 0 });
}

/** A packer that meets the tasks in turn, one a run. */
function createPacker(name: string, tasks: readonly Task[]): Contestant {
  let runs = 0;
  let task = tasks[0] as Task;
  return {
    name,
    run: () => {
      task = tasks[runs % tasks.length] as Task;
      runs += 1;
      return pack(name, task.given, task.tokens);
    },
    check: (answer) => {
      const positions = positionsOf(answer as Packing);
      const value = worthOf(positions, task.pool, task.tokens);
      const { report } = answer as Packing;
      if (positions.length === 0 || (report !== undefined && Math.abs(report.value - value) > 1e-6)) {
        throw new Error(`${positions.length} fragments of value ${value} are packed, reported is ${report?.value}.`);
      }
    },
  };
}

function addTimings(figures: Figures, timings: ReadonlyMap<string, Timing>, key: string): void {
  for (const [name, { medianMs, p95Ms }] of timings) {
    figures.add(`packer_${name}_${key}_ms`, medianMs);
    figures.add(`packer_${name}_${key}_p95_ms`, p95Ms);
  }
}
