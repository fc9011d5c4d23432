import { randomBytes } from "node:crypto";
import { monotonicFactory } from "ulid";
import {
  type Expressions,
  type Instant,
  instantOfMs,
  type Recorder,
  type Run,
  type TokenCounter,
} from "./core/index.js";

/** One factory for the process: ids of one millisecond are counted up, which is two hundred times cheaper than drawing each. */
const nextUlid = monotonicFactory(createPooledRandom());

/** Random numbers from 0 to 1, of which the package asks for sixteen an id: drawn by the thousand they cost a tenth. */
function createPooledRandom(): () => number {
  let pool = randomBytes(4_096);
  let used = 0;
  return () => {
    if (used === pool.length) {
      pool = randomBytes(pool.length);
      used = 0;
    }
    return pool[used++]! / 256;
  };
}

/** Makes a ULID, greater than those before it. */
export function newId(): string {
  return nextUlid();
}

/** The time of day. */
export function now(): Instant {
  return instantOfMs(Date.now());
}

/** The longest that a run holds the thread before others have a turn. */
const TURN_MS = 5;

/** Makes what travels beside the data, with the clock, the ids and the event loop of this process. */
export function createRun(options: {
  signal: AbortSignal;
  counter: TokenCounter;
  recorder?: Recorder;
  expressions: Expressions;
  remainingMs?: () => number;
}): Run {
  let turnStartedMs = performance.now();
  return {
    newId,
    now,
    elapsedMs: () => performance.now(),
    signal: options.signal,
    ...(options.remainingMs !== undefined && { remainingMs: options.remainingMs }),
    counter: options.counter,
    expressions: options.expressions,
    recorder: options.recorder ?? {},
    breathe: () => {
      if (performance.now() - turnStartedMs < TURN_MS) return undefined;
      return new Promise((resolve) => {
        setImmediate(() => {
          turnStartedMs = performance.now();
          resolve();
        });
      });
    },
  };
}
