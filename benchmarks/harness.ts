import { collectGarbage } from "./collect.js";
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
  /**
   * How long a contestant runs before each turn without being timed, where one run of it is shorter: what ran before may
   * have left caches, heap and compiled code in a state that a quick contestant would pay for. Default 0.
   */
  readonly settleMs?: number;
  /**
   * True: garbage is collected before each turn of each contestant, untimed, so that none pays for what another left behind. Default false:
   * among quick contestants that differs little.
   */
  readonly collects?: boolean;
  /** Decides the order of the contestants in each round. Default 1. */
  readonly seed?: number;
}

/** Milliseconds of the timed runs of one contestant. */
export interface Timing {
  readonly medianMs: number;
  readonly p90Ms: number;
  readonly p95Ms: number;
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
  const durations = new Map<Contestant, number[]>(contestants.map((contestant) => [contestant, []]));
  for (let round = 0; round < warmUps + rounds; round += 1) {
    for (const contestant of shuffle(contestants, random)) {
      const taken = durations.get(contestant) as number[];
      taken.push(await takeTurn(contestant, contest, taken.at(-1) ?? Number.POSITIVE_INFINITY));
    }
  }
  await checkAll(contestants);
  return new Map([...durations].map(([{ name }, taken]) => [name, summarize(taken.slice(warmUps))]));
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
async function takeTurn(
  contestant: Contestant,
  { turnMs = 25, settleMs = 0, collects = false }: Contest,
  lastMs: number,
): Promise<number> {
  if (collects) {
    collectGarbage();
  }
  if (lastMs < settleMs) {
    await runFor(contestant, settleMs);
  }
  return runFor(contestant, turnMs);
}

/** Runs a contestant at least once, and until so much time is over; the mean of the runs in milliseconds. */
async function runFor(contestant: Contestant, leastMs: number): Promise<number> {
  const start = performance.now();
  let runs = 0;
  let elapsedMs = 0;
  do {
    await contestant.run();
    runs += 1;
    elapsedMs = performance.now() - start;
  } while (elapsedMs < leastMs);
  return elapsedMs / runs;
}

function summarize(durations: readonly number[]): Timing {
  const sorted = durations.toSorted((one, other) => one - other);
  return {
    medianMs: quantile(sorted, 0.5),
    p90Ms: quantile(sorted, 0.9),
    p95Ms: quantile(sorted, 0.95),
    rounds: sorted.length,
  };
}

function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] as number;
  const above = sorted[Math.ceil(place)] as number;
  return below + (above - below) * (place - Math.floor(place));
}
