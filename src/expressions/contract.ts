/** The core's contract, that the rest of this folder fulfils. */
export type {
  Evaluation,
  ExpressionFault,
  ExpressionInput,
  ExpressionPair,
  ExpressionResult,
  Expressions,
  FailedEvaluation,
  SourcePosition,
} from "../core/index.js";
