/** What the main thread and a worker say to each other. A worker answers each message with one, in order. */
import type { Evaluation, ExpressionFault, ExpressionResult, FailedEvaluation } from "./contract.js";
import type { FieldName, Needs } from "./fields.js";

/** The values of one field, by position in the fragments. Times are seconds and nanoseconds in turn, a truth is 0 or 1. */
export type Column = Float64Array | readonly string[] | readonly (readonly string[])[];

/** Fragments as they travel. */
export interface PackedFragments {
  readonly count: number;
  readonly columns: ReadonlyMap<FieldName, Column>;
  /** The values of each key that is needed, or every map. */
  readonly metadata: ReadonlyMap<string, readonly (string | undefined)[]> | readonly ReadonlyMap<string, string>[];
}

/** Asks what is wrong with an expression, and what it needs. */
export interface CheckMessage {
  readonly kind: "check";
  readonly source: string;
  readonly gives: ExpressionResult;
}

export type CheckAnswer = { readonly fault: ExpressionFault } | { readonly fault?: undefined; readonly needs: Needs };

/** Asks for the values of expressions that were checked. */
export interface EvaluateMessage {
  readonly kind: "evaluate";
  /** Empty: there is none. */
  readonly where: string;
  /** Empty: there is none. */
  readonly score: string;
  readonly fragments: PackedFragments;
  readonly query: string;
  /** Seconds and nanoseconds. */
  readonly now: readonly [seconds: number, nanos: number];
}

export type EvaluateAnswer = Evaluation | FailedEvaluation;

/** The answer to each kind of message. */
export type AnswerTo<M> = M extends CheckMessage ? CheckAnswer : EvaluateAnswer;
