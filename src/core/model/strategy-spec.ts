import { z } from "zod";
import { quote } from "../errors.js";
import type { Faults } from "./faults.js";

/** A strategy as a request names it. */
export interface StrategySpecDraft {
  name: string;
  confidence?: number | undefined;
  config?: { readonly $case: string; readonly value: unknown } | undefined;
}

/** A strategy that a request asks for. */
export interface StrategySpec {
  readonly name: string;
  /** Replaces the strategy's own confidence. */
  readonly confidence: number | undefined;
}

/** The most strategies of one request. */
export const MAX_STRATEGIES = 16;

const strategyName = z.string().min(1).max(128);
const confidenceWeight = z.number().min(0);

/** Checks the strategies of a request; faults go to `faults`. None given: none returned, the pipeline has its default. */
export function readStrategySpecs(drafts: readonly StrategySpecDraft[], faults: Faults): StrategySpec[] {
  if (drafts.length > MAX_STRATEGIES) {
    faults.add("strategies", `has ${drafts.length} entries; at most ${MAX_STRATEGIES} are allowed`);
  }
  const seen = new Map<string, number>();
  return drafts.map((draft, i) => {
    const path = `strategies[${i}]`;
    readStrategyName(draft.name, `${path}.name`, faults);
    const before = seen.get(draft.name);
    if (before !== undefined) {
      faults.add(`${path}.name`, `is ${quote(draft.name)}, as strategies[${before}] is; each name may stand once`);
    }
    seen.set(draft.name, i);
    if (draft.confidence !== undefined) readConfidence(draft.confidence, `${path}.confidence`, faults);
    return { name: draft.name, confidence: draft.confidence };
  });
}

/** Checks a strategy's name. */
export function readStrategyName(name: string, path: string, faults: Faults): void {
  if (!strategyName.safeParse(name).success) {
    faults.add(path, `is ${quote(name)}; a name has 1 to 128 characters`);
  }
}

/** Checks a confidence. */
export function readConfidence(confidence: number, path: string, faults: Faults): void {
  if (!confidenceWeight.safeParse(confidence).success) {
    faults.add(path, `is ${confidence}; allowed are finite numbers from 0.0`);
  }
}
