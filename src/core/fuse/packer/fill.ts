/**
 * The one filler: spends tokens on a nomination, turn by turn, each turn a unit of what stands or falls together. Every packer that goes
 * by order uses it; what a unit is, only the links know.
 */
import type { PlacedNomination } from "../../choose/execute-strategies.js";
import type { Fragment } from "../../model/fragment.js";
import type { Links } from "../links.js";
import { NOT_NOMINATED, type PackingInput } from "../packing.js";

/** What has been chosen so far, and what is left to spend. */
export interface Ledger {
  tokens: number;
  /** By input position: 0, or the number of the nomination whose choice it is. */
  readonly chosenBy: Uint8Array;
  /** Price of each fragment, by input position. */
  readonly tokenCounts: Float64Array;
  readonly links: Links;
  /** Every fragment of the request. */
  readonly fragments: readonly Fragment[];
  /** Fragments that entered with another's unit before their own turn, and whose it was. */
  readonly required: Map<Fragment, Fragment>;
}

/** Opens a ledger in which the committed fragments are in, each as a choice of the first nomination that holds it. */
export function openLedger({ committed, nominations, tokenCounts, links, fragments }: PackingInput): Ledger {
  const chosenBy = new Uint8Array(tokenCounts.length);
  for (const { inputIndex } of committed) chosenBy[inputIndex] = NOT_NOMINATED;
  if (committed.size > 0) {
    nominations.forEach(({ positions }, k) => {
      for (const i of positions) if (chosenBy[i] === NOT_NOMINATED) chosenBy[i] = k + 1;
    });
  }
  return { tokens: 0, chosenBy, tokenCounts, links, fragments, required: new Map() };
}

/**
 * Goes through a nomination and lets in each unit that fits in the ledger's tokens; what is chosen already costs nothing. A miss is
 * skipped or ends it, as the nomination says. O(n) where nothing is linked; requirement closures that do not fit are walked again at each
 * turn, each walk at most as far as the tokens reach.
 */
export function fill({ positions, miss }: PlacedNomination, number: number, ledger: Ledger): void {
  const { chosenBy, tokenCounts, links, fragments } = ledger;
  const linked = links.any;
  const missed = linked ? new Uint8Array(chosenBy.length) : chosenBy;
  for (let turn = 0; turn < positions.length; turn++) {
    const i = positions[turn]!;
    if (chosenBy[i] !== 0) continue;
    let entered: boolean;
    if (!linked || links.isAlone(fragments[i]!)) {
      entered = tokenCounts[i]! <= ledger.tokens;
      if (entered) {
        chosenBy[i] = number;
        ledger.tokens -= tokenCounts[i]!;
      }
    } else {
      entered = missed[i] === 0 && enterUnit(fragments[i]!, number, ledger, missed);
      // A unit that missed once in a pass misses to its end: whatever enters later takes at least as much as it spares the unit.
      if (!entered) missed[i] = 1;
    }
    if (!entered && miss === "end") return;
  }
}

function enterUnit(fragment: Fragment, number: number, ledger: Ledger, missed: Uint8Array): boolean {
  const { chosenBy, links } = ledger;
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
