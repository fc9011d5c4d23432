import type { Fragment } from "../model/fragment.js";
import { isSelection } from "../trace.js";
import { NOT_NOMINATED, type Packing, type PackingInput } from "./packing.js";
import { sectionTokens } from "./sections.js";

/** Says what is wrong with a packer's answer, or nothing: whatever packed, no payload is over its budget or tears what belongs together. */
export function packingFault(packing: Packing, input: PackingInput): string | undefined {
  return (
    choicesFault(packing, input) ??
    priceFault(packing, input) ??
    capFault(packing, input) ??
    linksFault(packing, input) ??
    reasonsFault(packing, input)
  );
}

function choicesFault(
  { chosenBy }: Packing,
  { fragments, nominations, committed, out }: PackingInput,
): string | undefined {
  if (!(chosenBy instanceof Uint8Array) || chosenBy.length !== fragments.length)
    return "did not answer with a choice for each fragment";
  const arePlain = largestIn(chosenBy) <= nominations.length && !out.includes(1);
  for (let i = 0; !arePlain && i < chosenBy.length; i++) {
    const number = chosenBy[i]!;
    if (number === 0) continue;
    const isNumber = number <= nominations.length || (number === NOT_NOMINATED && committed.has(fragments[i]!));
    if (!isNumber) return `chose ${fragments[i]!.fragmentId} for a strategy that did not run`;
    if (out[i] === 1) return `chose ${fragments[i]!.fragmentId}, which is out of the running`;
  }
  for (const fragment of committed) {
    if (chosenBy[fragment.inputIndex] === 0) return `left out ${fragment.fragmentId}, which is pinned`;
  }
  return undefined;
}

function largestIn(numbers: Uint8Array): number {
  let largest = 0;
  for (let i = 0; i < numbers.length; i++) if (numbers[i]! > largest) largest = numbers[i]!;
  return largest;
}

function priceFault({ chosenBy }: Packing, { tokenCounts, committed, tokens }: PackingInput): string | undefined {
  let spent = 0;
  // Multiplied instead of asked, since no processor can guess which fragments are in.
  for (let i = 0; i < tokenCounts.length; i++) spent += tokenCounts[i]! * Number(chosenBy[i] !== 0);
  for (const { tokenCount } of committed) spent -= tokenCount;
  return spent > tokens ? `spent ${spent} of ${tokens} tokens` : undefined;
}

function capFault({ chosenBy }: Packing, { sections, fragments }: PackingInput): string | undefined {
  if (sections === undefined) return undefined;
  const chosen = fragments.filter(({ inputIndex }) => chosenBy[inputIndex] !== 0);
  const tokens = sectionTokens(sections, chosen);
  const over = sections.list.findIndex((_, number) => tokens[number]! > sections.caps[number]!);
  if (over < 0) return undefined;
  return `spent ${tokens[over]} tokens on the section ${sections.list[over]!.name}, whose cap is ${sections.caps[over]}`;
}

function linksFault({ chosenBy }: Packing, { fragments, links }: PackingInput): string | undefined {
  if (!links.any) return undefined;
  const isIn = ({ inputIndex }: Fragment): boolean => chosenBy[inputIndex] !== 0;
  const whole = new Set<unknown>();
  const torn = fragments.find((fragment) => {
    if (!isIn(fragment) || links.isAlone(fragment)) return false;
    const parts = links.partsOf(fragment);
    if (!whole.has(parts) && !parts.every((part) => part.some(isIn))) return true;
    whole.add(parts);
    return !links.requiredBy(fragment).every(isIn);
  });
  return torn === undefined ? undefined : `tore ${torn.fragmentId} from what it needs`;
}

function reasonsFault({ chosenBy, required, unreachable }: Packing, { fragments }: PackingInput): string | undefined {
  const isKnown = (fragment: Fragment): boolean => fragments[fragment.inputIndex] === fragment;
  for (const [fragment, reason] of unreachable) {
    if (!isKnown(fragment) || chosenBy[fragment.inputIndex] !== 0 || isSelection(reason)) {
      return `gave ${fragment.fragmentId} a reason that is none for what is left out`;
    }
  }
  for (const [fragment, by] of required) {
    if (!isKnown(fragment) || !isKnown(by) || chosenBy[fragment.inputIndex] === 0) {
      return `said that ${fragment.fragmentId} is required, which it did not choose`;
    }
  }
  return undefined;
}
