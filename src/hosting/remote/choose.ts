/** The stages that choose, spoken over a stream. */
import type { StrategyOutput } from "../../../gen/acms/v1/hosted_stage.js";
import type { Allocation as WireAllocation } from "../../../gen/acms/v1/strategy.js";
import type {
  Answering,
  BudgetAllocator,
  Fragment,
  Nomination,
  Ranking,
  Strategy,
  StrategyExecutor,
  StrategySelector,
} from "../../core/index.js";
import type { HostedComponent } from "../hosted-component.js";
import { AnswerFault, fragmentsAtPositions } from "../wire.js";
import { patienceOf, type RemoteFactory } from "./questions.js";

export const remoteSelector: RemoteFactory<StrategySelector & Answering> = (component, stage) => ({
  select: ({ hint, query, fragments, strategies }, run) =>
    component.ask(
      {
        $case: "strategySelector",
        fragments,
        value: { hint: [...hint], query, strategies: [...strategies] },
      },
      patienceOf(run, stage),
      ({ candidates }) => candidates,
    ),
  rejected: (fault, answer) => component.rejected(fault, answer),
});

export const remoteAllocator: RemoteFactory<BudgetAllocator & Answering> = (component, stage) => ({
  allocate: (tokens, candidates, run) =>
    component.ask(
      { $case: "budgetAllocator", value: { tokens: asInt32(tokens), candidates: [...candidates] } },
      patienceOf(run, stage),
      ({ tokens: shares }) => {
        if (shares.length !== candidates.length) {
          throw new AnswerFault(`gave ${shares.length} shares to ${candidates.length} candidates`);
        }
        return candidates.map((candidate, i) => ({ ...candidate, tokens: shares[i]! }));
      },
    ),
  rejected: (fault, answer) => component.rejected(fault, answer),
});

export const remoteExecutor: RemoteFactory<StrategyExecutor & Answering> = (component, stage) => ({
  execute: ({ fragments, query, asOf, allocations }, run) => {
    const given = allocations.map(({ strategy, tokens }): WireAllocation => ({ strategy, tokens: asInt32(tokens) }));
    return component.ask(
      { $case: "strategyExecutor", fragments, value: { query, asOf, allocations: given } },
      patienceOf(run, stage),
      ({ nominations }) => {
        if (nominations.length !== allocations.length) {
          throw new AnswerFault(`gave ${nominations.length} nominations for ${allocations.length} strategies`);
        }
        return allocations.map(
          ({ strategy, confidence, tokens }, i): Nomination => ({
            strategy,
            confidence,
            tokens,
            ...rankingOf(nominations[i]!, fragments),
          }),
        );
      },
    );
  },
  rejected: (fault, answer) => component.rejected(fault, answer),
});

/** A strategy that is hosted; whatever its stage allows is in the run that it gets. */
export function remoteStrategy(component: HostedComponent): Strategy {
  const { name } = component;
  return {
    name,
    get explanation() {
      const { explanation } = component.declaration;
      return explanation === "" ? "Ranks as the client that hosts it does." : explanation;
    },
    get capabilities() {
      return component.declaration.capabilities;
    },
    confidence: () => component.declaration.confidence,
    rank: ({ fragments, query, asOf }, run) =>
      component.ask({ $case: "strategy", fragments, value: { query, asOf } }, patienceOf(run, {}), (output) =>
        rankingOf(output, fragments),
      ),
    rejected: (fault, answer) => component.rejected(fault, answer),
  };
}

function rankingOf(output: StrategyOutput, fragments: readonly Fragment[]): Ranking {
  const { nominated, scores, endsAtMiss, windowFrom, outside } = output;
  return {
    fragments: fragmentsAtPositions(fragments, nominated),
    miss: endsAtMiss ? "end" : "skip",
    ...(windowFrom !== undefined && { suffixFrom: windowFrom }),
    ...(outside.length > 0 && { outside: fragmentsAtPositions(fragments, outside) }),
    ...((scores.length > 0 || nominated.length === 0) && { scores }),
  };
}

/** The most tokens that the wire has numbers for. */
const MAX_INT32 = 2_147_483_647;

/** Tokens as they are sent; a budget beyond all numbers is as good as the greatest. */
export function asInt32(tokens: number): number {
  return Math.min(MAX_INT32, tokens);
}
