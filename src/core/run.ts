import type { Expressions } from "./expressions.js";
import type { Instant } from "./model/instant.js";
import type { StageRole } from "./stages.js";
import type { TokenCounter } from "./token-counter.js";

/** A value now or later. */
export type MaybePromise<T> = T | Promise<T>;

/** Sees what happens, and cannot change it. Every method may be absent, and must not throw. */
export interface Recorder {
  /** A stage has answered, or failed. */
  stageFinished?(stage: StageRole, component: string, durationMs: number, outcome: StageOutcome): void;
  /** A strategy has ranked, or failed. */
  strategyFinished?(strategy: string, durationMs: number, outcome: StrategyOutcome): void;
}

/** Whose component it was, and how it ended. */
export interface StageOutcome {
  readonly source: Source;
  readonly failed: boolean;
}

/** The same of a strategy. */
export interface StrategyOutcome extends StageOutcome {
  /** True where the request itself has the settings, whatever the name stands for elsewhere. */
  readonly isInline: boolean;
}

/** Where a component or a strategy comes from: part of the server, registered as settings, or hosted by a client. */
export type Source = "built_in" | "registered" | "hosted";

/** Of a run, what long work needs: the word that it is to end, and turns for others. */
export type Pauses = Pick<Run, "breathe" | "signal">;

/** What travels beside the data: everything that the pure core may not make itself. */
export interface Run {
  /** Makes a ULID, later ones greater than earlier ones. */
  newId(): string;
  /** The time of day. */
  now(): Instant;
  /** Milliseconds from any fixed point, never backwards. */
  elapsedMs(): number;
  /** Aborted when the caller has gone away or its deadline has passed; its reason is then a `ContextError`. */
  readonly signal: AbortSignal;
  /** Milliseconds that the caller still waits. Absent: it said no end. */
  remainingMs?(): number;
  /** Counts what the caller did not count. */
  readonly counter: TokenCounter;
  /** Evaluates the expressions of callers. */
  readonly expressions: Expressions;
  /** Lets other calls have a turn, and news of an abort arrive, where this one has held the thread for long; nothing where it has not. */
  breathe(): MaybePromise<void>;
  readonly recorder: Recorder;
}
