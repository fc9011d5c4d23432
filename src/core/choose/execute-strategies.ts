import { type Assembly, ask } from "../assembly.js";
import type { Committed } from "../fuse/commit-pins.js";
import { MAX_NOMINATIONS } from "../fuse/packing.js";
import type { Allocation } from "../model/candidate.js";
import type { Fragment } from "../model/fragment.js";
import { areScores, type Nominated, type PlacedNomination } from "../model/nomination.js";
import { Reason } from "../model/payload.js";
import { fragmentsAt, knownPositions } from "../order/by-key.js";
import { runInSlices } from "../run-in-slices.js";
import type { Nomination } from "../stages.js";
import { guardStrategy } from "../strategies/guard.js";
import type { Strategy } from "../strategies/strategy.js";
import { gatherAll, type Ungathered } from "./gather-groups.js";
import { guardHosted } from "./run-hosted-strategy.js";

/** Stage 3. Runs the strategies; groups are gathered in each nomination, and each fragment's rank and lack of one is recorded. */
export async function executeStrategies(
  assembly: Assembly,
  allocations: readonly Allocation[],
  committed: Committed,
): Promise<Nominated> {
  const { request, run } = assembly;
  const input = {
    fragments: request.fragments,
    columns: request.columns,
    query: request.query,
    asOf: request.asOf,
    allocations: allocations.map((allocation) => ({
      ...allocation,
      implementation: timed(assembly, guarded(assembly, allocation.strategy)),
    })),
  };
  const answer = await ask(
    assembly,
    "strategy_executor",
    (executor) => executor.execute(input, run),
    (nominations) => nominationsFault(nominations, allocations, request.fragments),
  );
  const given = answer.map((nomination) => placeNomination(nomination, request.fragments));
  const gathered = runInSlices(gatherAll(given, assembly, committed.fragments), run);
  const nominations = gathered instanceof Promise ? await gathered : gathered;
  for (const { positions } of nominations) assembly.trace.setRanks(positions);
  const united = unite(nominations, request.fragments.length);
  const outside = new Set(answer.flatMap((nomination) => nomination.outside ?? []));
  recordAbsent(assembly, united, given, outside);
  const first = answer[0]?.fragments ?? [];
  const isFirst = knownPositions(first, request.fragments) === united;
  return { nominations, fragments: isFirst ? first : fragmentsAt(request.fragments, united) };
}

function guarded(assembly: Assembly, name: string): Strategy {
  const { registry } = assembly;
  const strategy = registry.strategy(name);
  const isHosted = registry.sourceOfStrategy(name) === "hosted";
  return isHosted ? guardHosted(assembly, name, strategy) : guardStrategy(name, strategy);
}

/** The strategy, whose time the recorder is told where it asks. */
function timed({ request, registry, run }: Assembly, strategy: Strategy): Strategy {
  const { recorder } = run;
  if (recorder.strategyFinished === undefined) return strategy;
  const source = registry.sourceOfStrategy(strategy.name);
  const isInline = request.strategies.some(({ name, config }) => name === strategy.name && config !== undefined);
  return {
    ...strategy,
    rank: async (input, given) => {
      const startMs = run.elapsedMs();
      let failed = true;
      try {
        const ranking = await strategy.rank(input, given);
        failed = false;
        return ranking;
      } finally {
        recorder.strategyFinished?.(strategy.name, run.elapsedMs() - startMs, { source, failed, isInline });
      }
    },
  };
}

function placeNomination(
  { fragments, outside: _outside, ...nomination }: Nomination,
  all: readonly Fragment[],
): Ungathered {
  return { ...nomination, positions: positionsIn(fragments, all) };
}

function nominationsFault(
  nominations: readonly Nomination[],
  allocations: readonly Allocation[],
  all: readonly Fragment[],
): string | undefined {
  if (nominations.length !== allocations.length || nominations.length > MAX_NOMINATIONS) {
    return "did not answer with one nomination for each strategy";
  }
  for (const [k, nomination] of nominations.entries()) {
    const fault = nominationFault(nomination, all, allocations[k]!);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function nominationFault(
  nomination: Nomination,
  all: readonly Fragment[],
  { strategy, tokens }: Allocation,
): string | undefined {
  const { fragments, scores, suffixFrom = 0, confidence, miss } = nomination;
  if (!areDistinct(positionsIn(fragments, all), all.length)) {
    return `let ${strategy} nominate a fragment twice, or one that is not of the request`;
  }
  if (
    nomination.strategy !== strategy ||
    !(nomination.tokens >= 0 && nomination.tokens <= tokens) ||
    !(confidence >= 0)
  ) {
    return `changed the name, the share or the confidence of ${strategy}`;
  }
  if (miss !== "skip" && miss !== "end") return `let ${strategy} answer a miss with ${miss}`;
  if (!(suffixFrom >= 0 && suffixFrom <= fragments.length))
    return `let the window of ${strategy} begin at rank ${suffixFrom}`;
  if (scores !== undefined && !areScores(scores, fragments.length)) {
    return `gave ${strategy} scores that are not one from 0 to 1 for each fragment`;
  }
  return undefined;
}

function positionsIn(fragments: readonly Fragment[], all: readonly Fragment[]): Uint32Array {
  return knownPositions(fragments, all) ?? positionsOf(fragments, all);
}

/** The positions of fragments in a list; for a fragment that is not in it, one past its end. */
function positionsOf(fragments: readonly Fragment[], all: readonly Fragment[]): Uint32Array {
  return Uint32Array.from(fragments, (fragment) =>
    all[fragment.inputIndex] === fragment ? fragment.inputIndex : all.length,
  );
}

function areDistinct(positions: Uint32Array, count: number): boolean {
  const seen = new Uint8Array(count);
  for (let rank = 0; rank < positions.length; rank++) {
    const i = positions[rank]!;
    if (i >= count || seen[i] === 1) return false;
    seen[i] = 1;
  }
  return true;
}

/** The position of every fragment of the nominations once, in their order. */
function unite(nominations: readonly PlacedNomination[], fragmentCount: number): Uint32Array {
  if (nominations.length === 1) return nominations[0]!.positions;
  const seen = new Uint8Array(fragmentCount);
  const united: number[] = [];
  for (const { positions } of nominations) {
    for (const i of positions) {
      if (seen[i] === 0) united.push(i);
      seen[i] = 1;
    }
  }
  return Uint32Array.from(united);
}

function recordAbsent(
  { request, trace, links }: Assembly,
  united: Uint32Array,
  given: readonly Ungathered[],
  outside: ReadonlySet<Fragment>,
): void {
  if (united.length === request.fragments.length) return;
  const present = new Set(united);
  const wanted = new Set(given.flatMap(({ positions }) => [...positions]));
  for (const fragment of request.fragments) {
    const i = fragment.inputIndex;
    if (present.has(i) || trace.isDecided(fragment)) continue;
    if (wanted.has(i)) {
      const missing = links.groupOf(fragment).find(({ inputIndex }) => !wanted.has(inputIndex));
      trace.decide(fragment, "strategy_executor", Reason.PARTNER_MISSING, missing);
    } else {
      const reason = outside.has(fragment) ? Reason.OUTSIDE_WINDOW : Reason.NOT_NOMINATED;
      trace.decide(fragment, "strategy_executor", reason);
    }
  }
}
