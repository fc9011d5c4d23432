import { createAcms } from "./acms-core.js";
import type { Contestant } from "./contestant.js";
import { createFragments } from "./corpus.js";
import { type Floor, runFloor } from "./floor.js";
import { compare } from "./harness.js";
import type { Figures } from "./report.js";
import { createLangChain, createTunedLangChain } from "./rivals/langchain.js";
import { createPriompt, createTunedPriompt } from "./rivals/priompt.js";
import { createPromptTsx, createTunedPromptTsx } from "./rivals/prompt-tsx.js";
import { createNewestTask, createPriorityTask, createRelevanceTask, expectRankedIds, type Task } from "./selection.js";

/** Fragments, the name of that number in keys, and how often each contestant has its turn. */
const SIZES = [
  { count: 100, size: "100", rounds: 101 },
  { count: 1_000, size: "1k", rounds: 101 },
  { count: 10_000, size: "10k", rounds: 101 },
  { count: 100_000, size: "100k", rounds: 25 },
] as const;

/** The rivals take seconds and leave a large heap behind, after which a quick contestant needs some runs to be itself. */
const RIVAL_TURNS = { rounds: 15, settleMs: 150, collects: true };

/** The core beside the bare floor and the tuned one, half of the tokens to spend, at four sizes. */
export async function benchCore(figures: Figures): Promise<void> {
  for (const { count, size, rounds } of SIZES) {
    const task = createRelevanceTask(createFragments(count));
    const contestants = [await createAcms(task, "relevance"), createFloor(task), createTunedFloor(task)];
    figures.addTimings(await compare({ contestants, rounds }), size);
    for (const floor of ["floor", "tuned_floor"]) {
      figures.add(`core_over_${floor}_${size}`, figures.get(`core_${size}_ms`) / figures.get(`${floor}_${size}_ms`));
    }
  }
  // The exponent e of time = c * fragments^e through two sizes that lie a factor of 100 apart.
  const growth = Math.log(figures.get("core_100k_ms") / figures.get("core_1k_ms")) / Math.log(100);
  figures.add("growth_1k_to_100k", growth);
}

/** The core beside the rivals at 10,000 fragments, each on the job that the rival can do. */
export async function benchRivals(figures: Figures): Promise<void> {
  const fragments = createFragments(10_000);
  const newest = createNewestTask(fragments);
  await benchJob(figures, "newest", [
    await createAcms(newest, "recency"),
    createLangChain(newest),
    createTunedLangChain(newest),
  ]);
  const priority = createPriorityTask(fragments);
  await benchJob(figures, "priority", [
    await createAcms(priority, "relevance"),
    { ...createTunedFloor(priority), name: "floor_priority" },
    createPriompt(priority),
    createTunedPriompt(priority),
    createPromptTsx(priority),
    createTunedPromptTsx(priority),
  ]);
}

async function benchJob(
  figures: Figures,
  job: string,
  [core, ...rivals]: [Contestant, ...Contestant[]],
): Promise<void> {
  const own = { ...core, name: `core_${job}` };
  figures.addTimings(await compare({ contestants: [own, ...rivals], ...RIVAL_TURNS }), "10k");
  for (const { name } of rivals) {
    figures.add(`core_vs_${name}_10k`, figures.get(`${name}_10k_ms`) / figures.get(`core_${job}_10k_ms`));
  }
}

function createTunedFloor(task: Task): Contestant {
  return {
    ...createFloor(task),
    name: "tuned_floor",
    run: () => runFloor(task.fragments, task.tokenBudget, { tuned: true }),
  };
}

function createFloor(task: Task): Contestant {
  return {
    name: "floor",
    run: () => runFloor(task.fragments, task.tokenBudget),
    check: (answer) => {
      const { kept, totalTokens } = answer as Floor;
      expectRankedIds(
        Array.from(kept, (position) => task.fragments[position]?.fragmentId ?? ""),
        task.expected,
      );
      if (totalTokens !== task.expected.totalTokens) {
        throw new Error(`The kept fragments cost ${task.expected.totalTokens} tokens, not ${totalTokens}.`);
      }
    },
  };
}
