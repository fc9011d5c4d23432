import { type Assembly, ask, brokenContract } from "../assembly.js";
import type { Fragment } from "../model/fragment.js";
import { type PackingReport, Reason, TraceLevel } from "../model/payload.js";
import { compareTotal } from "../order/total-order.js";
import type { Nomination } from "../stages.js";
import type { Committed } from "./commit-pins.js";
import { NOT_NOMINATED, type Packing } from "./packing.js";
import { furtherBudget } from "./reserve-tokens.js";
import type { Scored } from "./score-fragments.js";

/** What enters the payload. */
export interface Selection {
  /** In the order of the strategies. */
  readonly fragments: readonly Fragment[];
  readonly strategiesUsed: readonly string[];
  readonly report: PackingReport | undefined;
}

/** Stage 7. Lets the packer spend the tokens, checks what it did, and records why each nominated fragment is in or out. */
export async function packFragments(
  assembly: Assembly,
  scored: Scored,
  committed: Committed,
  tokens: number,
): Promise<Selection> {
  const { nominations, scores } = scored;
  const input = { nominations, committed: committed.fragments, scores, links: assembly.links, tokens };
  const packing = await ask(assembly, "packer", (packer) => packer.pack(input, assembly.run));
  const fragments = inStrategyOrder(assembly, nominations, packing);
  checkPacking(assembly, fragments, packing, committed, tokens);
  recordSelected(assembly, fragments, packing);
  recordDropped(assembly, scored, packing, committed);
  return { fragments, strategiesUsed: strategiesUsed(nominations, packing, fragments), report: packing.report };
}

/**
 * The first strategy's choices as it ranked them, then the next's. What was brought in without a nomination stands before the one that
 * brought it, and pins without a nomination before everything.
 */
function inStrategyOrder(
  { request }: Assembly,
  nominations: readonly Nomination[],
  { chosenBy, required }: Packing,
): Fragment[] {
  const ordered: Fragment[] = [];
  const nominated = new Set<Fragment>();
  const brought = new Map<Fragment, Fragment[]>();
  if (required.size > 0) {
    nominations.forEach(({ fragments }, k) => {
      for (const fragment of fragments) if (chosenBy[fragment.inputIndex] === k + 1) nominated.add(fragment);
    });
    for (const [fragment, by] of required) {
      if (!nominated.has(fragment)) brought.set(by, [...(brought.get(by) ?? []), fragment].sort(compareTotal));
    }
  }
  for (const fragment of request.fragments) {
    if (chosenBy[fragment.inputIndex] === NOT_NOMINATED) ordered.push(fragment);
  }
  if (ordered.length > 1) ordered.sort(compareTotal);
  nominations.forEach(({ fragments }, k) => {
    for (const fragment of fragments) {
      if (chosenBy[fragment.inputIndex] !== k + 1) continue;
      if (brought.size > 0) ordered.push(...(brought.get(fragment) ?? []));
      ordered.push(fragment);
    }
  });
  return ordered;
}

function checkPacking(
  assembly: Assembly,
  fragments: readonly Fragment[],
  { chosenBy }: Packing,
  committed: Committed,
  tokens: number,
): void {
  let total = 0;
  for (const { tokenCount } of fragments) total += tokenCount;
  if (total > committed.tokens + tokens) {
    throw brokenContract(assembly, "packer", `spent ${total - committed.tokens} of ${tokens} tokens`);
  }
  const isIn = ({ inputIndex }: Fragment): boolean => chosenBy[inputIndex] !== 0;
  for (const fragment of committed.fragments) {
    if (!isIn(fragment)) throw brokenContract(assembly, "packer", `left out ${fragment.fragmentId}, which is pinned`);
  }
  if (!assembly.links.any) return;
  for (const fragment of fragments) {
    const missing = assembly.links.entrants(
      fragment,
      Number.POSITIVE_INFINITY,
      (other) => other !== fragment && isIn(other),
      () => false,
    );
    if ((missing?.length ?? 0) > 1) {
      throw brokenContract(assembly, "packer", `tore ${fragment.fragmentId} from what it needs`);
    }
  }
}

function recordSelected({ trace }: Assembly, fragments: readonly Fragment[], { required }: Packing): void {
  for (const fragment of fragments) {
    if (trace.isDecided(fragment)) continue;
    const by = required.size === 0 ? undefined : required.get(fragment);
    trace.decide(fragment, "packer", by === undefined ? Reason.CHOSEN : Reason.REQUIRED, by);
  }
}

function recordDropped(assembly: Assembly, scored: Scored, packing: Packing, committed: Committed): void {
  const { trace, request } = assembly;
  const { chosenBy, unreachable } = packing;
  const shortfalls = request.trace === TraceLevel.NONE ? undefined : packing.shortfalls?.();
  const mostFurther = 2_147_483_647 - request.budget.maxTokens;
  for (const fragment of scored.fragments) {
    const i = fragment.inputIndex;
    if (chosenBy[i] !== 0) continue;
    trace.decide(fragment, "packer", unreachable.get(fragment) ?? Reason.OVER_BUDGET);
    const short = shortfalls?.tokens[i] ?? -1;
    if (short < 0) continue;
    const further = furtherBudget(assembly, committed, short);
    if (further <= mostFurther) trace.setMissing(fragment, further, !shortfalls!.estimates.has(i));
  }
}

function strategiesUsed(
  nominations: readonly Nomination[],
  { chosenBy }: Packing,
  selected: readonly Fragment[],
): string[] {
  const used = nominations.filter(
    ({ fragments }) => selected.length === 0 || fragments.some(({ inputIndex }) => chosenBy[inputIndex] !== 0),
  );
  return used.map(({ strategy }) => strategy);
}
