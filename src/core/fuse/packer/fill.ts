/**
 * The one filler: spends tokens on a nomination, turn by turn, each turn a unit of what stands or falls together. Every packer that goes
 * by order uses it; what a unit is, only the links know.
 */
import type { Fragment } from "../../model/fragment.js";
import type { Nomination } from "../../stages.js";
import type { Links } from "../links.js";
import { NOT_NOMINATED } from "../packing.js";

/** What has been chosen so far, and what is left to spend. */
export interface Ledger {
  tokens: number;
  /** By input position: 0, or the number of the nomination whose choice it is. */
  readonly chosenBy: Uint8Array;
  /** Fragments that entered with another's unit before their own turn, and whose it was. */
  readonly required: Map<Fragment, Fragment>;
}

/** Opens a ledger in which the committed fragments are in, each as a choice of the first nomination that holds it. */
export function openLedger(
  fragmentCount: number,
  committed: ReadonlySet<Fragment>,
  nominations: readonly Nomination[],
): Ledger {
  const chosenBy = new Uint8Array(fragmentCount);
  for (const { inputIndex } of committed) chosenBy[inputIndex] = NOT_NOMINATED;
  if (committed.size > 0) {
    nominations.forEach(({ fragments }, k) => {
      for (const fragment of fragments) {
        if (chosenBy[fragment.inputIndex] === NOT_NOMINATED) chosenBy[fragment.inputIndex] = k + 1;
      }
    });
  }
  return { tokens: 0, chosenBy, required: new Map() };
}

/**
 * Goes through a nomination and lets in each unit that fits in the ledger's tokens; what is chosen already costs nothing. A miss is
 * skipped or ends it, as the nomination says. O(n) where nothing is linked; requirement closures that do not fit are walked again at each
 * turn, each walk at most as far as the tokens reach.
 */
export function fill({ fragments, miss }: Nomination, number: number, links: Links, ledger: Ledger): void {
  const { chosenBy } = ledger;
  const missed = links.any ? new Uint8Array(chosenBy.length) : chosenBy;
  for (const fragment of fragments) {
    const i = fragment.inputIndex;
    if (chosenBy[i] !== 0) continue;
    let entered: boolean;
    if (links.isAlone(fragment)) {
      entered = fragment.tokenCount <= ledger.tokens;
      if (entered) {
        chosenBy[i] = number;
        ledger.tokens -= fragment.tokenCount;
      }
    } else {
      entered = missed[i] === 0 && enterUnit(fragment, number, links, ledger, missed);
      // A unit that missed once in a pass misses to its end: whatever enters later takes at least as much as it spares the unit.
      if (!entered) missed[i] = 1;
    }
    if (!entered && miss === "end") return;
  }
}

function enterUnit(fragment: Fragment, number: number, links: Links, ledger: Ledger, missed: Uint8Array): boolean {
  const { chosenBy } = ledger;
  const unit = links.entrants(
    fragment,
    ledger.tokens,
    (member) => chosenBy[member.inputIndex] !== 0,
    (member) => missed[member.inputIndex] === 1,
  );
  if (unit === undefined) return false;
  const own = new Set(links.groupOf(fragment));
  for (const member of unit) {
    chosenBy[member.inputIndex] = number;
    ledger.tokens -= member.tokenCount;
    if (!own.has(member)) ledger.required.set(member, fragment);
  }
  return true;
}
