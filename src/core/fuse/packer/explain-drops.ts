import type { Fragment } from "../../model/fragment.js";
import { Reason } from "../../model/payload.js";
import { closureOf } from "../closure.js";
import type { PackingInput } from "../packing.js";
import type { Ledger } from "./fill.js";

/**
 * Why fragments that no larger budget would let in are out: each takes its reason at a plentiful budget. What the plentiful budget lets in
 * is not among them, and was over budget.
 */
export function explainDrops(input: PackingInput, ledger: Ledger, fillWithPlenty: () => Ledger): Map<Fragment, Reason> {
  const reasons = new Map<Fragment, Reason>();
  if (!input.links.any && input.variants.members.length === 0 && input.alternatives === undefined) return reasons;
  const plenty = fillWithPlenty();
  for (const { positions } of input.nominations) {
    for (const i of positions) {
      if (ledger.chosenBy[i] !== 0 || plenty.chosenBy[i] !== 0) continue;
      reasons.set(input.fragments[i]!, reasonAtPlenty(input.fragments[i]!, input, plenty));
    }
  }
  return reasons;
}

function reasonAtPlenty(fragment: Fragment, input: PackingInput, plenty: Ledger): Reason {
  const { links, variants, out, alternatives } = input;
  const key = variants.keys[fragment.inputIndex]!;
  if (alternatives?.[fragment.inputIndex] === 1 || (key >= 0 && plenty.holders.has(key))) return Reason.OTHER_VARIANT;
  const isOut = ({ inputIndex }: Fragment): boolean => {
    const held = plenty.holders.get(variants.keys[inputIndex]!);
    return out[inputIndex] === 1 || (held !== undefined && held.inputIndex !== inputIndex);
  };
  const around = { links, isPresent: () => false, isOut };
  const group = links.partsOf(fragment);
  const lacksPartner = group.some((part) => part.every((member) => isOut(member) || needsLost(member, around)));
  if (group.length > 1 && lacksPartner && !needsLost(fragment, around)) return Reason.PARTNER_MISSING;
  const alone = closureOf(fragment, Number.MAX_SAFE_INTEGER, around);
  // What is whole and still not in has a group with two variants that cannot both be there, or a miss that ends before it.
  return alone === undefined || needsLost(fragment, around) ? Reason.REQUIREMENT_MISSING : Reason.OVER_BUDGET;
}

function needsLost(fragment: Fragment, around: Parameters<typeof closureOf>[2]): boolean {
  return around.links
    .requiredBy(fragment)
    .some((required) => closureOf(required, Number.MAX_SAFE_INTEGER, around) === undefined);
}
