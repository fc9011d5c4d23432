import { type Assembly, heldToContract } from "../assembly.js";
import { BrokenContract } from "../component-failure.js";
import { ContextError } from "../errors.js";
import { decideFailure } from "../hosted/decide-failure.js";
import { HostedError, hostedError } from "../hosted/hosted-error.js";
import { failureWarning } from "../hosted/stand-in.js";
import type { Fragment } from "../model/fragment.js";
import { areScores } from "../model/nomination.js";
import type { Run } from "../run.js";
import { guardStrategy } from "../strategies/guard.js";
import type { Ranking, RankingInput, Strategy } from "../strategies/strategy.js";
import { DEFAULT_STRATEGY } from "./select-strategies.js";

/**
 * A hosted strategy as the executor runs it: its answer is checked by itself, so that its failure is not the executor's, and its failure is
 * decided as the request says for the strategy executor.
 */
export function guardHosted(assembly: Assembly, name: string, strategy: Strategy): Strategy {
  const { request, warnings } = assembly;
  const { policy, timeoutMs } = request.pipeline.hosted?.strategy_executor ?? {};
  return {
    ...guardStrategy(name, strategy),
    rank: async (input, run) => {
      try {
        return await rankChecked(name, strategy, input, withinTime(run, timeoutMs));
      } catch (error) {
        if (run.signal.aborted) throw run.signal.reason;
        if (!(error instanceof HostedError)) throw error;
        const decided = decideFailure(error.kind, "strategy", policy);
        if (decided === "fail") throw error;
        const standIn = decided === "skip" ? undefined : builtInFor(name, assembly);
        const instead = standIn === undefined ? "it nominates nothing" : `the built-in ${standIn.name} took its place`;
        warnings.push(failureWarning("strategy_executor", name, error, instead));
        return standIn === undefined ? { fragments: [], miss: "skip" } : standIn.rank(input, run);
      }
    },
  };
}

/** The built-in strategy of the same name, or the default one. */
function builtInFor(name: string, { registry }: Assembly): Strategy {
  const builtIn = registry.builtIn.strategies();
  return builtIn.get(name) ?? builtIn.get(DEFAULT_STRATEGY)!;
}

function withinTime(run: Run, timeoutMs: number | undefined): Run {
  if (timeoutMs === undefined) return run;
  const startMs = run.elapsedMs();
  const own = (): number => timeoutMs - (run.elapsedMs() - startMs);
  return { ...run, remainingMs: () => Math.min(own(), run.remainingMs?.() ?? own()) };
}

async function rankChecked(name: string, strategy: Strategy, input: RankingInput, run: Run): Promise<Ranking> {
  const at = { role: "strategy", name } as const;
  try {
    const ranking = await strategy.rank(input, run);
    return await heldToContract(strategy, ranking, (one) => rankingFault(one, input.fragments), run.signal);
  } catch (cause) {
    if (cause instanceof BrokenContract) throw hostedError(at, "invariant", cause.fault);
    if (cause instanceof ContextError || run.signal.aborted) throw cause;
    throw hostedError(at, "invariant", "answered with what is no answer", { cause });
  }
}

function rankingFault({ fragments, scores, suffixFrom = 0 }: Ranking, all: readonly Fragment[]): string | undefined {
  const seen = new Uint8Array(all.length);
  for (const { inputIndex } of fragments) {
    if (seen[inputIndex] !== 0) return "nominated a fragment twice, or one that is not of the request";
    seen[inputIndex] = 1;
  }
  if (!(suffixFrom >= 0 && suffixFrom <= fragments.length)) return `let its window begin at rank ${suffixFrom}`;
  if (scores !== undefined && !areScores(scores, fragments.length)) {
    return "gave scores that are not one from 0 to 1 for each fragment";
  }
  return undefined;
}
