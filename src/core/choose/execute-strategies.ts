import { type Assembly, ask, brokenContract } from "../assembly.js";
import { NOT_NOMINATED } from "../fuse/packing.js";
import type { Allocation } from "../model/candidate.js";
import type { Fragment } from "../model/fragment.js";
import { Reason } from "../model/payload.js";
import type { Nomination } from "../stages.js";
import { gatherGroups } from "./gather-groups.js";

/** What the strategies want: the nominations, and every nominated fragment once, in the order of the nominations. */
export interface Nominated {
  readonly nominations: readonly Nomination[];
  readonly fragments: readonly Fragment[];
}

/** Stage 3. Runs the strategies; groups are gathered in each nomination, and each fragment's rank and lack of one is recorded. */
export async function executeStrategies(assembly: Assembly, allocations: readonly Allocation[]): Promise<Nominated> {
  const { request, registry, run } = assembly;
  const input = {
    fragments: request.fragments,
    query: request.query,
    asOf: request.asOf,
    allocations: allocations.map((allocation) => ({
      ...allocation,
      implementation: registry.strategy(allocation.strategy),
    })),
  };
  const answer = await ask(assembly, "strategy_executor", (executor) => executor.execute(input, run));
  if (answer.length !== allocations.length || answer.length >= NOT_NOMINATED) {
    throw brokenContract(assembly, "strategy_executor", "did not answer with one nomination for each strategy");
  }
  answer.forEach((nomination, i) => {
    checkNomination(assembly, nomination, allocations[i]!);
  });
  const nominations = answer.map((nomination) => gatherGroups(nomination, assembly.links));
  const fragments = unite(nominations, request.fragments.length);
  recordRanks(assembly, nominations);
  recordAbsent(assembly, fragments, answer);
  return { nominations, fragments };
}

function checkNomination(assembly: Assembly, nomination: Nomination, { strategy, tokens }: Allocation): void {
  const { fragments, scores } = nomination;
  const known = assembly.request.fragments;
  const seen = new Uint8Array(known.length);
  for (const fragment of fragments) {
    const i = fragment.inputIndex;
    if (known[i] !== fragment || seen[i] === 1) {
      const fault = known[i] === fragment ? "twice" : "which is not of the request";
      throw brokenContract(assembly, "strategy_executor", `let ${strategy} nominate ${fragment.fragmentId}, ${fault}`);
    }
    seen[i] = 1;
  }
  if (nomination.strategy !== strategy || nomination.tokens > tokens) {
    throw brokenContract(assembly, "strategy_executor", `changed the name or the share of ${strategy}`);
  }
  if (
    scores !== undefined &&
    !(scores.length === fragments.length && scores.every((score) => score >= 0 && score <= 1))
  ) {
    throw brokenContract(
      assembly,
      "strategy_executor",
      `gave ${strategy} scores that are not one from 0 to 1 for each fragment`,
    );
  }
}

/** Every fragment of the nominations once, in their order. */
function unite(nominations: readonly Nomination[], fragmentCount: number): readonly Fragment[] {
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

function recordRanks({ trace }: Assembly, nominations: readonly Nomination[]): void {
  for (const { fragments } of nominations) {
    for (let rank = 0; rank < fragments.length; rank++) trace.setRank(fragments[rank]!, rank);
  }
}

function recordAbsent(
  { request, trace, links }: Assembly,
  united: readonly Fragment[],
  answer: readonly Nomination[],
): void {
  if (united.length === request.fragments.length) return;
  const present = new Set(united);
  const wanted = new Set(answer.flatMap(({ fragments }) => fragments));
  for (const fragment of request.fragments) {
    if (present.has(fragment)) continue;
    if (wanted.has(fragment)) {
      const missing = links.groupOf(fragment).find((member) => !wanted.has(member));
      trace.decide(fragment, "strategy_executor", Reason.PARTNER_MISSING, missing);
    } else {
      trace.decide(fragment, "strategy_executor", Reason.NOT_NOMINATED);
    }
  }
}
