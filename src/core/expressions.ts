import type { Fragment } from "./model/fragment.js";
import type { Instant } from "./model/instant.js";

/** What an expression has to give for each fragment. */
export type ExpressionResult = "boolean" | "number";

/** A place in the source of an expression; both count from 1, columns in code points. */
export interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

/** What is wrong with an expression, as a caller may read it. */
export interface ExpressionFault {
  /** Begins with the position where there is one, and says what came and what is allowed. */
  readonly description: string;
  /** Absent where the whole expression is at fault: too long, too slow. */
  readonly position?: SourcePosition | undefined;
}

/** The expressions of one strategy; an absent or empty one takes no part. */
export interface ExpressionPair {
  /** Says whether a fragment is nominated. */
  readonly where?: string | undefined;
  /** Gives a nominated fragment's score. */
  readonly score?: string | undefined;
}

/** What expressions speak about. */
export interface ExpressionInput {
  readonly fragments: readonly Fragment[];
  /** The text that `query` stands for. */
  readonly query: string;
  /** The time that `now` stands for. */
  readonly asOf: Instant;
}

/** What both expressions gave, by position in the fragments. */
export interface Evaluation {
  readonly fault?: undefined;
  /** 1 where `where` is true, else 0. Absent: there was no `where`. */
  readonly nominated: Uint8Array | undefined;
  /** Finite; 0 where `where` is false, for there the score is not asked. Absent: there was no `score`. */
  readonly scores: Float64Array | undefined;
}

/** Why there is no evaluation: the caller's expression, or its data, is at fault. */
export interface FailedEvaluation {
  readonly fault: ExpressionFault;
  /** The expression at fault; where both together took too long, the one that is given, `where` before `score`. */
  readonly part: keyof ExpressionPair;
  /** The position in the fragments of the one where it failed. Absent: no single fragment is to blame. */
  readonly index?: number | undefined;
}

/** Evaluates expressions that callers wrote. They cannot hang the process, and see nothing but what they are given. */
export interface Expressions {
  /**
   * Says what is wrong with an expression before any fragment is there: its length, its syntax, an unknown name, types that do not fit.
   * Nothing: it may be evaluated, and can fail only by its data or its time. Throws the signal's reason, and errors of the server alone.
   */
  check(source: string, gives: ExpressionResult, signal: AbortSignal): Promise<ExpressionFault | undefined>;
  /** Evaluates a strategy's expressions over all fragments; one that fails for one fragment fails for all. Throws as `check` does. */
  evaluate(pair: ExpressionPair, input: ExpressionInput, signal: AbortSignal): Promise<Evaluation | FailedEvaluation>;
}
