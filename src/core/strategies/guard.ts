import { componentFailure } from "../component-failure.js";
import { ContextError } from "../errors.js";
import type { Strategy } from "./strategy.js";

/** The strategy under the name that it goes by, whose failures name it, whoever calls it. */
export function guardStrategy(name: string, strategy: Strategy): Strategy {
  return {
    name,
    explanation: strategy.explanation,
    capabilities: strategy.capabilities,
    confidence: (query) => confidenceOf(name, strategy, query),
    rank: async (input, run) => {
      try {
        return await strategy.rank(input, run);
      } catch (cause) {
        if (cause instanceof ContextError || run.signal.aborted) throw cause;
        throw componentFailure("strategy", name, "failed", cause);
      }
    },
  };
}

/** A strategy's confidence; throws an error that names it where it has none. */
export function confidenceOf(name: string, strategy: Strategy, query: string): number {
  let confidence: number;
  try {
    confidence = strategy.confidence(query);
  } catch (cause) {
    throw componentFailure("strategy", name, "failed to say its confidence", cause);
  }
  if (confidence >= 0 && Number.isFinite(confidence)) return confidence;
  throw componentFailure("strategy", name, `said that its confidence is ${confidence}`);
}
