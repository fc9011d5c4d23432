import { type Assembly, ask } from "../assembly.js";
import type { Fragment } from "../model/fragment.js";
import type { PlacedNomination } from "../model/nomination.js";
import { type PackingReport, Reason, TraceLevel } from "../model/payload.js";
import { fragmentsAt } from "../order/by-key.js";
import { stageNumber } from "../trace.js";
import type { Committed } from "./commit-pins.js";
import type { Packing, PackingInput } from "./packing.js";
import { packingFault } from "./packing-fault.js";
import { furtherBudgets } from "./reserve-tokens.js";
import type { Scored } from "./score-fragments.js";
import { strategyOrder } from "./strategy-order.js";
import { compileVariants, noVariants, type Variants } from "./variants.js";

/** What enters the payload. */
export interface Selection {
  /** In the order of the strategies. */
  readonly fragments: readonly Fragment[];
  /** The input position of each, in the same order. */
  readonly positions: Uint32Array;
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
  const input: PackingInput = {
    nominations,
    fragments: assembly.request.fragments,
    committed: committed.fragments,
    scores,
    tokenCounts: assembly.request.columns.tokenCounts,
    links: assembly.links,
    variants: variantsInRunning(assembly, scored),
    out: assembly.out,
    alternatives: scored.alternatives,
    baseline: scored.baseline,
    tokens,
  };
  const packing = await ask(
    assembly,
    "packer",
    (packer) => packer.pack(input, assembly.run),
    (answer) => packingFault(answer, input),
  );
  const positions = strategyOrder(input, packing);
  const fragments = fragmentsAt(assembly.request.fragments, positions);
  recordSelected(assembly, packing);
  recordDropped(assembly, scored, packing, committed);
  const used = strategiesUsed(nominations, packing, fragments.length);
  return { fragments, positions, strategiesUsed: used, report: packing.report };
}

/** Alternatives among what may enter: what was nominated, and what something nominated may bring. */
function variantsInRunning({ oneVariant, links, request, out }: Assembly, { fragments }: Scored): Variants {
  const count = request.fragments.length;
  if (!oneVariant) return noVariants(count);
  const isNominatedAlone = !links.any && request.columns.pinned.length === 0;
  const running = isNominatedAlone ? fragments : request.fragments.filter(({ inputIndex }) => out[inputIndex] === 0);
  return compileVariants(running, count);
}

const PACKER = stageNumber("packer");

function recordSelected({ trace }: Assembly, packing: Packing): void {
  const { chosenBy, required } = packing;
  for (let i = 0; i < chosenBy.length; i++) {
    if (chosenBy[i] !== 0 && !trace.isDecidedAt(i)) trace.decideAt(i, PACKER, Reason.CHOSEN);
  }
  for (const [fragment, by] of required) if (!fragment.pinned) trace.decide(fragment, "packer", Reason.REQUIRED, by);
}

function recordDropped(assembly: Assembly, scored: Scored, packing: Packing, committed: Committed): void {
  const { trace, request } = assembly;
  const { chosenBy, unreachable } = packing;
  for (const { positions } of scored.nominations) {
    for (let rank = 0; rank < positions.length; rank++) {
      const i = positions[rank]!;
      if (chosenBy[i] === 0) trace.decideAt(i, PACKER, Reason.OVER_BUDGET);
    }
  }
  const shortfalls = request.trace === TraceLevel.NONE ? undefined : packing.shortfalls?.();
  for (const [fragment, reason] of unreachable) {
    // A middle variant enters at a middle budget, though not at a plentiful one, at which a deeper one does.
    const enters = (shortfalls?.tokens[fragment.inputIndex] ?? -1) >= 0;
    trace.decide(fragment, "packer", enters ? Reason.OVER_BUDGET : reason);
  }
  if (shortfalls === undefined) return;
  trace.setMissing(furtherBudgets(assembly, committed, shortfalls.tokens), shortfalls.estimates);
}

function strategiesUsed(nominations: readonly PlacedNomination[], { chosenBy }: Packing, selected: number): string[] {
  const used = nominations.filter(({ positions }) => selected === 0 || positions.some((i) => chosenBy[i] !== 0));
  return used.map(({ strategy }) => strategy);
}
