import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Contestant } from "./contestant.js";
import { createRandom, shuffle } from "./random.js";

/** Contestants that answer the same task in turn. */
export interface Contest {
  readonly contestants: readonly Contestant[];
  /** Timed runs of each contestant, at least 15. */
  readonly rounds: number;
  /** Runs of each contestant before the first timed one. Default: a fifth of the rounds, at least 3. */
  readonly warmUps?: number;
  /** How long a turn lasts at least: 0 is one run. Default 25, which quick contestants need. */
  readonly turnMs?: number;
  /** True: the heap is collected before each turn, so that nobody pays for what another left behind. Default false. */
  readonly collects?: boolean;
  /** Decides the order of the contestants in each round. Default 1. */
  readonly seed?: number;
}

/** Milliseconds of the timed runs of one contestant. */
export interface Timing {
  readonly medianMs: number;
  readonly p90Ms: number;
  readonly rounds: number;
}

/** Fewest rounds from which a median is taken. */
export const MIN_ROUNDS = 15;

/**
 * Checks the answer of every contestant, warms all of them up, then times them in turn, in an order drawn anew for each
 * round: what the machine or the collector does to one of them, it does to all. Rejects at the first
 * wrong answer.
 */
export async function compare(contest: Contest): Promise<Map<string, Timing>> {
  const { contestants, rounds, warmUps = Math.max(3, Math.ceil(rounds / 5)), seed = 1 } = contest;
  if (rounds < MIN_ROUNDS) {
    throw new Error(`${rounds} rounds are too few: at least ${MIN_ROUNDS} are needed.`);
  }
  await checkAll(contestants);
  const random = createRandom(seed);
  for (let round = 0; round < warmUps; round += 1) {
    for (const contestant of shuffle(contestants, random)) {
      await takeTurn(contestant, contest);
    }
  }
  const samples = new Map(contestants.map((contestant) => [contestant, new Float64Array(rounds)]));
  for (let round = 0; round < rounds; round += 1) {
    for (const contestant of shuffle(contestants, random)) {
      (samples.get(contestant) as Float64Array)[round] = await takeTurn(contestant, contest);
    }
  }
  await checkAll(contestants);
  return new Map([...samples].map(([{ name }, durations]) => [name, summarize(durations)]));
}

async function checkAll(contestants: readonly Contestant[]): Promise<void> {
  for (const contestant of contestants) {
    try {
      contestant.check(await contestant.run());
    } catch (cause) {
      throw new Error(`${contestant.name} gives a wrong answer: nothing of this contest counts.`, { cause });
    }
  }
}

/**
 * Milliseconds of a run: the mean over one turn, in which the contestant answers again and again until the turn is
 * long enough to be measured well and to outweigh the caches that it finds cold. Slow ones answer once.
 */
async function takeTurn(contestant: Contestant, { turnMs = 25, collects = false }: Contest): Promise<number> {
  if (collects) {
    collectGarbage();
  }
  const start = performance.now();
  let runs = 0;
  let elapsedMs = 0;
  do {
    await contestant.run();
    runs += 1;
    elapsedMs = performance.now() - start;
  } while (elapsedMs < turnMs);
  return elapsedMs / runs;
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

function summarize(durations: Float64Array): Timing {
  const sorted = durations.toSorted();
  return { medianMs: quantile(sorted, 0.5), p90Ms: quantile(sorted, 0.9), rounds: sorted.length };
}

function quantile(sorted: Float64Array, share: number): number {
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] as number;
  const above = sorted[Math.ceil(place)] as number;
  return below + (above - below) * (place - Math.floor(place));
}
