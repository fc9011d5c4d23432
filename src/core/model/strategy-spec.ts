import { z } from "zod";
import { quote } from "../errors.js";
import type { Faults } from "./faults.js";
import { fieldFault } from "./priority-rules.js";

/** A strategy as a request names it: the shape of the wire message. */
export interface StrategySpecDraft {
  name: string;
  confidence?: number | undefined;
  config?: StrategyConfigDraft | undefined;
}

/** Settings as they come, of one kind. */
export type StrategyConfigDraft =
  | { readonly $case: "slidingWindow"; readonly value: { windowSize: number; windowMode: number } }
  | {
      readonly $case: "priority";
      readonly value: { rules: readonly { field: string; matcher: string; score: number }[]; scoreExpression: string };
    }
  | { readonly $case: "expression"; readonly value: { where: string; score: string } };

/** A strategy that a request asks for. */
export interface StrategySpec {
  readonly name: string;
  /** Replaces the strategy's own confidence. */
  readonly confidence: number | undefined;
  /** Settings given here. Absent: those that the name stands for. */
  readonly config: StrategyConfigDraft | undefined;
}

/** The most strategies of one request. */
export const MAX_STRATEGIES = 16;

const MAX_RULES = 256;

/** Scores are compared to twelve decimals, which larger numbers do not have, and sums of larger ones overflow. */
const MAX_RULE_SCORE = 1_000;

const strategyName = z.string().min(1).max(128);
const confidenceWeight = z.number().min(0);
const windowSize = z.number().int().min(1);

/** The built-in names, each with the kind of settings that it takes; none: it takes none. */
const KIND_OF_BUILT_IN = new Map<string, StrategyConfigDraft["$case"] | "none">([
  ["relevance", "none"],
  ["recency", "none"],
  ["tiered", "none"],
  ["sliding_window", "slidingWindow"],
  ["priority_context", "priority"],
]);

/** Checks the strategies of a request; faults go to `faults`. None given: none returned, the pipeline has its default. */
export function readStrategySpecs(drafts: readonly StrategySpecDraft[], faults: Faults): StrategySpec[] {
  if (drafts.length > MAX_STRATEGIES) {
    faults.add("strategies", `has ${drafts.length} entries; at most ${MAX_STRATEGIES} are allowed`);
  }
  const seen = new Map<string, number>();
  return drafts.map((draft, i) => {
    const path = `strategies[${i}]`;
    const before = seen.get(draft.name);
    if (before !== undefined) {
      faults.add(`${path}.name`, `is ${quote(draft.name)}, as strategies[${before}] is; each name may stand once`);
    }
    seen.set(draft.name, i);
    return readStrategySpec(draft, path, faults);
  });
}

/**
 * Checks one strategy; faults go to `faults`, their paths beginning with `path`. A built-in name takes settings of its own kind alone, but
 * where it is overwritten. What expressions say is checked elsewhere.
 */
export function readStrategySpec(
  draft: StrategySpecDraft,
  path: string,
  faults: Faults,
  { overwrites = false }: { overwrites?: boolean } = {},
): StrategySpec {
  const { name, confidence, config } = draft;
  readStrategyName(name, `${path}.name`, faults);
  if (confidence !== undefined) readConfidence(confidence, `${path}.confidence`, faults);
  if (config !== undefined) {
    const kind = KIND_OF_BUILT_IN.get(name.replace(/^builtin:/, ""));
    if (!overwrites && kind !== undefined && kind !== config.$case) {
      const allowed = kind === "none" ? "no settings" : `settings of its own kind, ${fieldOf(kind)}`;
      faults.add(
        `${path}.${fieldOf(config.$case)}`,
        `is given for ${quote(name)}, a built-in name that takes ${allowed}`,
      );
    }
    readConfig(config, path, faults);
  }
  return { name, confidence, config };
}

function readConfig(config: StrategyConfigDraft, path: string, faults: Faults): void {
  if (config.$case === "slidingWindow") {
    const { windowSize: size, windowMode: mode } = config.value;
    if (!windowSize.safeParse(size).success) {
      faults.add(`${path}.sliding_window.window_size`, `is ${size}; allowed are whole numbers from 1`);
    }
    if (![0, 1, 2].includes(mode)) {
      faults.add(`${path}.sliding_window.window_mode`, `is ${mode}; allowed are messages (1), tokens (2) or absent`);
    }
  }
  if (config.$case === "priority") readRules(config.value.rules, `${path}.priority.rules`, faults);
  if (config.$case === "priority" && config.value.rules.length > 0 && config.value.scoreExpression !== "") {
    faults.add(`${path}.priority.score_expression`, "is given beside rules; allowed is one of the two");
  }
  if (config.$case === "expression" && config.value.where === "" && config.value.score === "") {
    faults.add(`${path}.expression`, "has neither where nor score; at least one is needed");
  }
}

function readRules(
  rules: readonly { field: string; matcher: string; score: number }[],
  path: string,
  faults: Faults,
): void {
  if (rules.length > MAX_RULES) faults.add(path, `has ${rules.length} entries; at most ${MAX_RULES} are allowed`);
  rules.forEach(({ field, score }, i) => {
    const fault = fieldFault(field);
    if (fault !== undefined) faults.add(`${path}[${i}].field`, `${quote(field)} ${fault}`);
    if (!(Math.abs(score) <= MAX_RULE_SCORE)) {
      faults.add(
        `${path}[${i}].score`,
        `is ${score}; allowed are numbers from -${MAX_RULE_SCORE} to ${MAX_RULE_SCORE}`,
      );
    }
  });
}

/** The name of a kind of settings in the contract. */
function fieldOf(kind: StrategyConfigDraft["$case"]): string {
  return kind === "slidingWindow" ? "sliding_window" : kind;
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
