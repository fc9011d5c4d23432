import { type Assembly, ask, brokenContract } from "../assembly.js";
import type { Committed } from "../fuse/commit-pins.js";
import { MAX_NOMINATIONS } from "../fuse/packing.js";
import type { Allocation } from "../model/candidate.js";
import type { Fragment } from "../model/fragment.js";
import { Reason } from "../model/payload.js";
import { fragmentsAt } from "../order/by-key.js";
import type { Nomination } from "../stages.js";
import { guardStrategy } from "../strategies/guard.js";
import { gatherGroups } from "./gather-groups.js";

/** A nomination whose fragments are known by their input positions. */
export interface PlacedNomination extends Omit<Nomination, "fragments" | "positions" | "outside"> {
  readonly positions: Uint32Array;
}

/** What the strategies want: the nominations, and every nominated fragment once, in the order of the nominations. */
export interface Nominated {
  readonly nominations: readonly PlacedNomination[];
  readonly fragments: readonly Fragment[];
}

/** Stage 3. Runs the strategies; groups are gathered in each nomination, and each fragment's rank and lack of one is recorded. */
export async function executeStrategies(
  assembly: Assembly,
  allocations: readonly Allocation[],
  committed: Committed,
): Promise<Nominated> {
  const { request, registry, run } = assembly;
  const input = {
    fragments: request.fragments,
    columns: request.columns,
    query: request.query,
    asOf: request.asOf,
    allocations: allocations.map((allocation) => ({
      ...allocation,
      implementation: guardStrategy(allocation.strategy, registry.strategy(allocation.strategy)),
    })),
  };
  const answer = await ask(assembly, "strategy_executor", (executor) => executor.execute(input, run));
  if (answer.length !== allocations.length || answer.length > MAX_NOMINATIONS) {
    throw brokenContract(assembly, "strategy_executor", "did not answer with one nomination for each strategy");
  }
  const given = answer.map((nomination, i) => placeNomination(assembly, nomination, allocations[i]!));
  const nominations = given.map((nomination) =>
    gatherGroups(nomination, request.fragments, assembly.links, committed.fragments),
  );
  for (const { positions } of nominations) assembly.trace.setRanks(positions);
  const united = unite(nominations, request.fragments.length);
  const outside = new Set(answer.flatMap((nomination) => nomination.outside ?? []));
  recordAbsent(assembly, united, given, outside);
  return { nominations, fragments: fragmentsAt(request.fragments, united) };
}

function placeNomination(
  assembly: Assembly,
  { fragments, outside: _outside, ...nomination }: Nomination,
  { strategy, tokens }: Allocation,
): PlacedNomination {
  const all = assembly.request.fragments;
  const positions = nomination.positions ?? positionsOf(fragments, all);
  const fault = nominationFault({ ...nomination, positions }, all.length, { strategy, tokens });
  if (fault !== undefined) throw brokenContract(assembly, "strategy_executor", fault);
  return { ...nomination, positions };
}

function nominationFault(
  nomination: PlacedNomination,
  fragmentCount: number,
  { strategy, tokens }: Pick<Allocation, "strategy" | "tokens">,
): string | undefined {
  const { positions, scores, suffixFrom = 0 } = nomination;
  if (!areDistinct(positions, fragmentCount)) {
    return `let ${strategy} nominate a fragment twice, or one that is not of the request`;
  }
  if (nomination.strategy !== strategy || nomination.tokens > tokens)
    return `changed the name or the share of ${strategy}`;
  if (!(suffixFrom >= 0 && suffixFrom <= positions.length))
    return `let the window of ${strategy} begin at rank ${suffixFrom}`;
  if (scores !== undefined && !areScores(scores, positions.length)) {
    return `gave ${strategy} scores that are not one from 0 to 1 for each fragment`;
  }
  return undefined;
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

/** True for so many numbers from 0 to 1. */
export function areScores(scores: readonly number[] | Float64Array, count: number): boolean {
  if (scores.length !== count) return false;
  for (let i = 0; i < count; i++) if (!(scores[i]! >= 0 && scores[i]! <= 1)) return false;
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
  given: readonly PlacedNomination[],
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
