/**
 * The one filler: spends tokens turn by turn, each turn a unit of what stands or falls together. Every packer that goes by order uses it;
 * what a unit is, only the links and the variants know.
 */

import type { Fragment } from "../../model/fragment.js";
import type { PlacedNomination } from "../../model/nomination.js";
import type { Slices } from "../../run-in-slices.js";
import { SLICE_STEPS, SLICE_WALKED } from "../../slice.js";
import { aroundNext, cheapestClosure, closureOf, priceOf, wantedAtTurn } from "../closure.js";
import { noteShort, type Surroundings, type WalkSteps, walkSteps } from "../closure-walk.js";
import { leastPrices } from "../least-prices.js";
import type { Links } from "../links.js";
import { NOT_NOMINATED, type PackingInput } from "../packing.js";
import { SectionTally } from "../sections.js";
import { hasOneOfEach } from "../variants.js";
import { KeyHolders } from "./key-holders.js";
import { type TurnOrder, turnOrder } from "./turns.js";

/** What has been chosen so far, and what is left to spend. */
export interface Ledger {
  tokens: number;
  readonly input: PackingInput;
  /** By input position: 0, or the number of the nomination whose choice it is. */
  readonly chosenBy: Uint8Array;
  /** Fragments that entered with another's unit before their own turn, and whose it was. */
  readonly required: Map<Fragment, Fragment>;
  /** By number of a variant key: the fragment that holds it. */
  readonly holders: KeyHolders;
  /** What is taken of each section. Absent: the budget has none. */
  readonly tally: SectionTally | undefined;
  /** What thresholds keep from entering for its own sake; of alternatives it is the last. Absent: nothing. */
  readonly below?: ReadonlyMap<Fragment, unknown> | undefined;
  /** Steps that walks for units that do not fit may still take. */
  readonly steps: WalkSteps;
  /** Where less is left than this, nothing that costs anything can enter; 0 where that is not looked for. */
  readonly leastPrice: number;
  /** All that could be spent at first, and what is committed. */
  readonly roomForAll: number;
  /** True for what no budget of this ledger has room for, with all that it requires. */
  readonly isTooDear: (fragment: Fragment) => boolean;
  /** The only fragment of which it is asked whether it enters; once that is known, the rest may be left out. Absent: all is wanted. */
  readonly asked?: Fragment | undefined;
}

/** What a ledger opens with; without tokens it has none to spend. */
export type Opening = Partial<Pick<Ledger, "tokens" | "below" | "asked">>;

/** Opens a ledger in which the committed fragments are in, each as a choice of the first nomination that holds it. */
export function openLedger(input: PackingInput, { tokens = 0, below, asked }: Opening = {}): Ledger {
  const { committed, nominations, tokenCounts, variants } = input;
  const chosenBy = new Uint8Array(tokenCounts.length);
  const holders = new KeyHolders(variants.members.length);
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
  const tally = input.sections && new SectionTally(input.sections, committed);
  const leastPrice = input.links.any ? leastOf(tokenCounts) : 0;
  const steps = walkSteps(WALK_STEPS);
  const roomForAll = Math.max(tokens, input.tokens) + priceOf([...committed]);
  const isTooDear = dearnessTest(input.links, roomForAll, steps);
  return {
    roomForAll,
    tokens,
    input,
    chosenBy,
    required: new Map(),
    holders,
    tally,
    below,
    steps,
    leastPrice,
    isTooDear,
    asked,
  };
}

/** Steps of walks from which on it is worth to know what everything costs at least. */
const HEAVY_WALKS = 32_768;

/**
 * Tells what is too dear for so many tokens, whatever of it is in by then: what was spent on that is no longer there to be spent on the
 * rest.
 */
function dearnessTest(links: Links, roomForAll: number, steps: WalkSteps): Ledger["isTooDear"] {
  return (fragment) => {
    if (steps.walked < HEAVY_WALKS) return false;
    const short = (leastPrices(links).get(fragment) ?? 0) - roomForAll;
    if (short > 0) noteShort(steps, short);
    return short > 0;
  };
}

/** How many further tokens a fragment lacks at least, with all that it requires; 0 or less where that says nothing. */
export function lacksAtLeast(fragment: Fragment, { input, roomForAll }: Ledger): number {
  return (leastPrices(input.links).get(fragment) ?? 0) - roomForAll;
}

function leastOf(numbers: Float64Array): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < numbers.length; i++) if (numbers[i]! < least) least = numbers[i]!;
  return least;
}

/** True where going on with a filling changes nothing, or nothing that is asked for. */
export function isFilled(ledger: Ledger): boolean {
  const { tokens, leastPrice, asked, chosenBy } = ledger;
  if (tokens < leastPrice) {
    noteShort(ledger.steps, leastPrice - tokens);
    return true;
  }
  return asked !== undefined && (chosenBy[asked.inputIndex] !== 0 || isHeldByOther(asked, ledger));
}

/**
 * Goes through a nomination and lets in each unit that fits in the ledger's tokens; what is chosen already costs nothing. A miss by budget
 * is skipped or ends it, as the nomination says; what could not enter at any budget ends nothing. O(n) where nothing is linked.
 */
export function* fill(nomination: PlacedNomination, number: number, ledger: Ledger): Slices<void> {
  const pass = openPass(ledger, number);
  const order = turnOrder(nomination, ledger.input);
  for (let turn = 0; turn < order.leads.length && !isFilled(ledger); ) {
    turn = fillSlice(pass, order, turn, ledger.steps);
    if (turn < order.leads.length) yield;
  }
}

/** Goes through some turns from one on, in a function of its own, which is faster; answers where to go on. */
function fillSlice(pass: Pass, { leads, skipping }: TurnOrder, from: number, steps: WalkSteps): number {
  const end = Math.min(leads.length, from + SLICE_STEPS);
  const mostWalked = steps.walked + SLICE_WALKED;
  for (let turn = from; turn < end; turn++) {
    if (!pass.enter(leads[turn]!) && turn >= skipping && !pass.isLost(leads[turn]!)) return leads.length;
    if (steps.walked > mostWalked) return turn + 1;
  }
  return end;
}

/** One way through the units, in which what missed once is not tried again. */
export interface Pass {
  /** Lets in the unit of the fragment at an input position, if it fits; true also where it is in already. */
  enter(inputIndex: number): boolean;
  /** True for a fragment that could not enter beside what is chosen, whatever the budget. */
  isLost(inputIndex: number): boolean;
}

/**
 * Steps that the walks of one pass may take for units that do not fit, so that no web of requirements holds a request up; then what is
 * linked is taken to miss, and the payload says so.
 */
const WALK_STEPS = 3_000_000;

/** What missed, whoever asks for it. */
const MISSED = 1;

/** What missed with its group; something that names it may still bring it, as an alternative that nobody nominated. */
const TURN_MISSED = 2;

/** What has nothing to add, as its group is in. */
const TURN_HAD = 3;

/** Opens a pass whose choices are those of the nomination of a number. */
export function openPass(ledger: Ledger, number: number): Pass {
  const { chosenBy, holders, input, tally } = ledger;
  const { tokenCounts, links, variants, fragments, out, scores } = input;
  const isSimple = !links.any && variants.members.length === 0;
  const missed = isSimple ? chosenBy : new Uint8Array(chosenBy.length);
  const isLostBeside = (fragment: Fragment): boolean =>
    out[fragment.inputIndex] === 1 || isHeldByOther(fragment, ledger);
  const around = {
    links,
    isPresent: ({ inputIndex }: Fragment) => chosenBy[inputIndex] !== 0,
    isOut: (fragment: Fragment) =>
      missed[fragment.inputIndex] === MISSED || isLostBeside(fragment) || tally?.fits(fragment) === false,
    isPreferred: (fragment: Fragment) => scores[fragment.inputIndex]! >= 0 && ledger.below?.has(fragment) !== true,
    isOneOfEach: (unit: readonly Fragment[]) => hasOneOfEach(unit, variants),
    tally,
    // Whatever enters later takes at least as many tokens as it spares another, so what missed once misses to the end of the pass.
    isTooDear: ledger.isTooDear,
    onLost: ({ inputIndex }: Fragment) => {
      missed[inputIndex] = MISSED;
    },
    steps: ledger.steps,
  };
  const endTurns = (fragment: Fragment, as: number): void => {
    for (const { inputIndex } of links.groupOf(fragment)) missed[inputIndex] ||= as;
  };
  const enterUnit = (fragment: Fragment): boolean => {
    const before = ledger.steps.left;
    const unit = closureOf(wantedAtTurn(fragment, links), ledger.tokens, aroundNext(around));
    if (unit === undefined) {
      endTurns(fragment, TURN_MISSED);
      missed[fragment.inputIndex] = MISSED;
      return false;
    }
    // Only what does not enter is walked more than once.
    ledger.steps.left = before;
    take(unit, fragment, number, ledger);
    endTurns(fragment, TURN_HAD);
    return true;
  };
  return {
    enter: (i) => {
      if (chosenBy[i] !== 0) return true;
      if (!isSimple && !links.isAlone(fragments[i]!))
        return missed[i] === 0 ? enterUnit(fragments[i]!) : missed[i] === TURN_HAD;
      if (tokenCounts[i]! > ledger.tokens) {
        noteShort(ledger.steps, tokenCounts[i]! - ledger.tokens);
        return false;
      }
      const key = variants.keys[i]!;
      if (out[i] === 1 || (key >= 0 && holders.has(key))) return false;
      if (tally !== undefined) {
        if (!tally.fits(fragments[i]!)) return false;
        tally.add(fragments[i]!);
      }
      chosenBy[i] = number;
      ledger.tokens -= tokenCounts[i]!;
      if (key >= 0) holders.set(key, fragments[i]!);
      return true;
    },
    isLost: (i) => {
      const unlimited: Surroundings = { links, isPresent: around.isPresent, isOut: isLostBeside, steps: ledger.steps };
      const unit = cheapestClosure(wantedAtTurn(fragments[i]!, links), unlimited);
      return unit === undefined || !hasOneOfEach(unit, variants);
    },
  };
}

function isHeldByOther(fragment: Fragment, { holders, input }: Ledger): boolean {
  if (holders.size === 0) return false;
  const holder = holders.get(input.variants.keys[fragment.inputIndex]!);
  return holder !== undefined && holder !== fragment;
}

function take(unit: readonly Fragment[], lead: Fragment, number: number, ledger: Ledger): void {
  const { chosenBy, holders, required, input } = ledger;
  if (unit.length === 0) return;
  const own = new Set(input.links.groupOf(lead));
  // Where the lead gave way to an alternative, that brought the rest.
  const bringer = unit.includes(lead) ? lead : (unit.find((member) => own.has(member)) ?? lead);
  for (const member of unit) {
    const i = member.inputIndex;
    chosenBy[i] = number;
    ledger.tokens -= member.tokenCount;
    ledger.tally?.add(member);
    if (input.variants.keys[i]! >= 0) holders.set(input.variants.keys[i]!, member);
    if (!own.has(member)) required.set(member, bringer);
  }
}
