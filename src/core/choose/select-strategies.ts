import { type Assembly, ask } from "../assembly.js";
import type { Candidate } from "../model/candidate.js";
import type { Registry } from "../registry.js";
import { confidenceOf } from "../strategies/guard.js";

/** What an assembly asks for that names no strategy. */
export const DEFAULT_STRATEGY = "relevance";

/** The most strategies that one assembly runs. */
const MAX_CANDIDATES = 200;

/**
 * Stage 1. The selector is asked even where the request names strategies; one that its answer lacks runs at confidence 1.0. A confidence
 * in the request replaces the selector's. Strategies of confidence 0 do not run, unless all are 0.
 */
export async function selectStrategies(assembly: Assembly): Promise<readonly Candidate[]> {
  const { request, registry, run } = assembly;
  const specs =
    request.strategies.length > 0 ? request.strategies : [{ name: DEFAULT_STRATEGY, confidence: undefined }];
  const hint = specs.map(({ name }) => name);
  for (const name of hint) registry.strategy(name);
  const input = {
    hint,
    query: request.query,
    fragments: request.fragments,
    strategies: candidatesOf(registry, request.query, hint),
  };
  const answer = await ask(
    assembly,
    "strategy_selector",
    (selector) => selector.select(input, run),
    (chosen) => candidatesFault(chosen, input.strategies),
  );
  const answered = new Map(answer.map((candidate) => [candidate.strategy, candidate.confidence]));
  const named = specs.map(({ name, confidence }) => ({
    strategy: name,
    confidence: confidence ?? answered.get(name) ?? 1,
  }));
  const candidates = [...named, ...answer.filter(({ strategy }) => !hint.includes(strategy))];
  const weighty = candidates.filter(({ confidence }) => confidence > 0);
  return weighty.length > 0 ? weighty : candidates;
}

/** What exists, each with its confidence for a query; names that mean a strategy in another way (`builtin:NAME`) are added. */
export function candidatesOf(registry: Registry, query: string, names: readonly string[] = []): Candidate[] {
  const strategies = registry.strategies();
  for (const name of names) if (!strategies.has(name)) strategies.set(name, registry.strategy(name));
  return [...strategies].map(([name, strategy]) => ({
    strategy: name,
    confidence: confidenceOf(name, strategy, query),
  }));
}

/** Says what is wrong with a selector's answer, or nothing. */
export function candidatesFault(answer: readonly Candidate[], asked: readonly Candidate[]): string | undefined {
  if (answer.length > MAX_CANDIDATES) return `chose ${answer.length} strategies; at most ${MAX_CANDIDATES} run`;
  const remaining = new Set(asked.map(({ strategy }) => strategy));
  for (const { strategy, confidence } of answer) {
    if (!remaining.delete(strategy)) return `chose ${strategy} twice, or without its being there to choose`;
    if (!(confidence >= 0 && Number.isFinite(confidence))) return `gave ${strategy} the confidence ${confidence}`;
  }
  return undefined;
}
