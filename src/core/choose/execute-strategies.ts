import { type Assembly, ask, brokenContract } from "../assembly.js";
import { MAX_NOMINATIONS } from "../fuse/packing.js";
import type { Allocation } from "../model/candidate.js";
import type { Fragment } from "../model/fragment.js";
import { Reason } from "../model/payload.js";
import type { Nomination } from "../stages.js";
import { gatherGroups } from "./gather-groups.js";

/** A nomination with the input position of each of its fragments, in the same order. */
export interface PlacedNomination extends Nomination {
  readonly positions: Uint32Array;
}

/** What the strategies want: the nominations, and every nominated fragment once, in the order of the nominations. */
export interface Nominated {
  readonly nominations: readonly PlacedNomination[];
  readonly fragments: readonly Fragment[];
}

/** Stage 3. Runs the strategies; groups are gathered in each nomination, and each fragment's rank and lack of one is recorded. */
export async function executeStrategies(assembly: Assembly, allocations: readonly Allocation[]): Promise<Nominated> {
  const { request, registry, run } = assembly;
  const input = {
    fragments: request.fragments,
    columns: request.columns,
    query: request.query,
    asOf: request.asOf,
    allocations: allocations.map((allocation) => ({
      ...allocation,
      implementation: registry.strategy(allocation.strategy),
    })),
  };
  const answer = await ask(assembly, "strategy_executor", (executor) => executor.execute(input, run));
  if (answer.length !== allocations.length || answer.length > MAX_NOMINATIONS) {
    throw brokenContract(assembly, "strategy_executor", "did not answer with one nomination for each strategy");
  }
  const given = answer.map((nomination, i) => placeNomination(assembly, nomination, allocations[i]!));
  const nominations = given.map((nomination) => gatherGroups(nomination, assembly.links));
  for (const { positions } of nominations) assembly.trace.setRanks(positions);
  const fragments = unite(nominations, request.fragments.length);
  recordAbsent(assembly, fragments, given);
  return { nominations, fragments };
}

function placeNomination(
  assembly: Assembly,
  nomination: Nomination,
  { strategy, tokens }: Allocation,
): PlacedNomination {
  const { fragments, scores, positions: given } = nomination;
  const known = assembly.request.fragments;
  const seen = new Uint8Array(known.length);
  const positions = new Uint32Array(fragments.length);
  for (let rank = 0; rank < fragments.length; rank++) {
    const fragment = fragments[rank]!;
    const i = given === undefined ? fragment.inputIndex : given[rank]!;
    if (known[i] !== fragment || seen[i] === 1) {
      const fault = known[i] === fragment ? "twice" : "which is not of the request";
      throw brokenContract(assembly, "strategy_executor", `let ${strategy} nominate ${fragment.fragmentId}, ${fault}`);
    }
    seen[i] = 1;
    positions[rank] = i;
  }
  if (nomination.strategy !== strategy || nomination.tokens > tokens) {
    throw brokenContract(assembly, "strategy_executor", `changed the name or the share of ${strategy}`);
  }
  if (scores !== undefined && !areScores(scores, fragments.length)) {
    const fault = `gave ${strategy} scores that are not one from 0 to 1 for each fragment`;
    throw brokenContract(assembly, "strategy_executor", fault);
  }
  return { ...nomination, positions };
}

/** True for so many numbers from 0 to 1. */
export function areScores(scores: readonly number[] | Float64Array, count: number): boolean {
  if (scores.length !== count) return false;
  for (let i = 0; i < count; i++) if (!(scores[i]! >= 0 && scores[i]! <= 1)) return false;
  return true;
}

/** Every fragment of the nominations once, in their order. */
function unite(nominations: readonly PlacedNomination[], fragmentCount: number): readonly Fragment[] {
  if (nominations.length === 1) return nominations[0]!.fragments;
  const seen = new Uint8Array(fragmentCount);
  return nominations
    .flatMap(({ fragments }) => fragments)
    .filter(({ inputIndex }) => {
      if (seen[inputIndex] === 1) return false;
      seen[inputIndex] = 1;
      return true;
    });
}

function recordAbsent(
  { request, trace, links }: Assembly,
  united: readonly Fragment[],
  given: readonly Nomination[],
): void {
  if (united.length === request.fragments.length) return;
  const present = new Set(united);
  const wanted = new Set(given.flatMap(({ fragments }) => fragments));
  for (const fragment of request.fragments) {
    if (present.has(fragment) || trace.isDecided(fragment)) continue;
    if (wanted.has(fragment)) {
      const missing = links.groupOf(fragment).find((member) => !wanted.has(member));
      trace.decide(fragment, "strategy_executor", Reason.PARTNER_MISSING, missing);
    } else {
      trace.decide(fragment, "strategy_executor", Reason.NOT_NOMINATED);
    }
  }
}
