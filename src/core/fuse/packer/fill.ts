/**
 * The one filler: spends tokens turn by turn, each turn a unit of what stands or falls together. Every packer that goes by order uses it;
 * what a unit is, only the links and the variants know.
 */

import type { Fragment } from "../../model/fragment.js";
import type { PlacedNomination } from "../../model/nomination.js";
import { closureOf, type Surroundings } from "../closure.js";
import { NOT_NOMINATED, type PackingInput } from "../packing.js";

/** What has been chosen so far, and what is left to spend. */
export interface Ledger {
  tokens: number;
  readonly input: PackingInput;
  /** By input position: 0, or the number of the nomination whose choice it is. */
  readonly chosenBy: Uint8Array;
  /** Fragments that entered with another's unit before their own turn, and whose it was. */
  readonly required: Map<Fragment, Fragment>;
  /** By number of a variant key: the fragment that holds it. */
  readonly holders: Map<number, Fragment>;
}

/** Opens a ledger in which the committed fragments are in, each as a choice of the first nomination that holds it. */
export function openLedger(input: PackingInput): Ledger {
  const { committed, nominations, tokenCounts, variants } = input;
  const chosenBy = new Uint8Array(tokenCounts.length);
  const holders = new Map<number, Fragment>();
  for (const fragment of committed) {
    chosenBy[fragment.inputIndex] = NOT_NOMINATED;
    const key = variants.keys[fragment.inputIndex]!;
    if (key >= 0) holders.set(key, fragment);
  }
  if (committed.size > 0) {
    nominations.forEach(({ positions }, k) => {
      for (const i of positions) if (chosenBy[i] === NOT_NOMINATED) chosenBy[i] = k + 1;
    });
  }
  return { tokens: 0, input, chosenBy, required: new Map(), holders };
}

/**
 * Goes through a nomination and lets in each unit that fits in the ledger's tokens; what is chosen already costs nothing. A miss is
 * skipped or ends it, as the nomination says; from `suffixFrom` on the turns go backwards from the last, and a unit has its turn at its
 * first member. O(n) where nothing is linked; requirement closures that do not fit are walked again at each turn, each walk at most as far
 * as the tokens reach.
 */
export function fill(nomination: PlacedNomination, number: number, ledger: Ledger): void {
  const { positions, miss, suffixFrom } = nomination;
  const pass = openPass(ledger, number);
  const forwards = suffixFrom ?? positions.length;
  const missForwards = suffixFrom === undefined ? miss : "skip";
  for (let turn = 0; turn < forwards; turn++) {
    if (!pass.enter(positions[turn]!) && missForwards === "end") return;
  }
  if (suffixFrom === undefined) return;
  const leads = leadsOfSuffix(nomination, suffixFrom, ledger);
  for (let turn = positions.length - 1; turn >= suffixFrom; turn--) {
    if (leads !== undefined && !leads.has(positions[turn]!)) continue;
    if (!pass.enter(positions[turn]!) && miss === "end") return;
  }
}

/** One way through the units, in which what missed once is not tried again. */
export interface Pass {
  /** Lets in the unit of the fragment at an input position, if it fits; true also where it is in already. */
  enter(inputIndex: number): boolean;
}

/** Opens a pass whose choices are those of the nomination of a number. */
export function openPass(ledger: Ledger, number: number): Pass {
  const { chosenBy, input } = ledger;
  const { tokenCounts, links, variants, fragments, out } = input;
  const isSimple = !links.any && variants.members.length === 0;
  const missed = isSimple ? chosenBy : new Uint8Array(chosenBy.length);
  const around: Surroundings = {
    links,
    isPresent: ({ inputIndex }) => chosenBy[inputIndex] !== 0,
    isOut: (fragment) =>
      out[fragment.inputIndex] === 1 || missed[fragment.inputIndex] === 1 || isHeldByOther(fragment, ledger),
  };
  const enterUnit = (fragment: Fragment): boolean => {
    const unit = closureOf(fragment, ledger.tokens, around);
    // A unit that missed once in a pass misses to its end: whatever enters later takes at least as much as it spares the unit.
    if (unit === undefined || !hasOneOfEach(unit, ledger)) {
      missed[fragment.inputIndex] = 1;
      return false;
    }
    take(unit, fragment, number, ledger);
    return true;
  };
  return {
    enter: (i) => {
      if (chosenBy[i] !== 0) return true;
      const fragment = fragments[i]!;
      if (!isSimple && !(variants.keys[i]! < 0 && links.isAlone(fragment))) {
        return missed[i] === 0 && enterUnit(fragment);
      }
      if (tokenCounts[i]! > ledger.tokens) return false;
      chosenBy[i] = number;
      ledger.tokens -= tokenCounts[i]!;
      return true;
    },
  };
}

function isHeldByOther(fragment: Fragment, { holders, input }: Ledger): boolean {
  if (holders.size === 0) return false;
  const holder = holders.get(input.variants.keys[fragment.inputIndex]!);
  return holder !== undefined && holder !== fragment;
}

/** False where a unit would bring in two variants of one key. */
function hasOneOfEach(unit: readonly Fragment[], { input: { variants } }: Ledger): boolean {
  if (variants.members.length === 0) return true;
  const keys = unit.map(({ inputIndex }) => variants.keys[inputIndex]!).filter((key) => key >= 0);
  return new Set(keys).size === keys.length;
}

function take(unit: readonly Fragment[], lead: Fragment, number: number, ledger: Ledger): void {
  const { chosenBy, holders, required, input } = ledger;
  const own = new Set(input.links.groupOf(lead));
  for (const member of unit) {
    const i = member.inputIndex;
    chosenBy[i] = number;
    ledger.tokens -= member.tokenCount;
    if (input.variants.keys[i]! >= 0) holders.set(input.variants.keys[i]!, member);
    if (!own.has(member)) required.set(member, lead);
  }
}

/** The positions at which the suffix's units have their turn: going backwards, each unit's last to come. Nothing where all are alone. */
function leadsOfSuffix({ positions }: PlacedNomination, from: number, { input }: Ledger): Set<number> | undefined {
  const { links, fragments } = input;
  if (!links.any) return undefined;
  const seen = new Set<Fragment>();
  const leads = new Set<number>();
  for (let turn = from; turn < positions.length; turn++) {
    const fragment = fragments[positions[turn]!]!;
    if (seen.has(fragment)) continue;
    leads.add(fragment.inputIndex);
    for (const member of links.groupOf(fragment)) seen.add(member);
  }
  return leads;
}
