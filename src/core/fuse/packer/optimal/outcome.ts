/** From the set that was found to a packing: what still fits is added, and each fragment says whose choice it was. */
import type { Fragment } from "../../../model/fragment.js";
import { sortInSlices } from "../../../order/sort-in-slices.js";
import type { Slices } from "../../../run-in-slices.js";
import { SLICE_STEPS, Slice } from "../../../slice.js";
import { aroundNext, closureOf, wantedByName } from "../../closure.js";
import type { Part } from "../../links.js";
import { NOT_NOMINATED } from "../../packing.js";
import { hasOneOfEach } from "../../variants.js";
import { type Ledger, openLedger } from "../fill.js";
import type { Compiled } from "./compile.js";
import type { Pool } from "./pool.js";
import { repair } from "./repair.js";
import type { Solution } from "./solve.js";

/** A choice may stand for several fragments. */
const STEPS_PER_CHOICE = 4;

/** Books a solution in a ledger of so many tokens, and adds what is wanted and still fits. */
export function* book(
  pool: Pool,
  compiled: Compiled,
  { picks }: Pick<Solution, "picks">,
  tokens: number,
): Slices<Ledger> {
  const { input, numbers } = pool;
  const ledger = openLedger(input);
  ledger.tokens = tokens;
  const slice = new Slice();
  const chosen = new Uint8Array(numbers.length);
  for (let at = 0; at < picks.length; at++) {
    compiled.flag(picks[at]!, chosen);
    if (slice.isOver(STEPS_PER_CHOICE)) yield;
  }
  const { networks } = compiled.problem;
  if (networks.some(({ areAllWanted }) => !areAllWanted)) {
    repair(pool, chosen);
    yield;
  }
  for (let i = 0; i < chosen.length; i += SLICE_STEPS) {
    enterAll(chosen, i, { numbers, ledger });
    yield;
  }
  yield* addWhatFits(pool, compiled, ledger);
  yield* nameLeads(pool, compiled, ledger);
  return ledger;
}

const NO_PARTS: readonly Part[] = [];

/**
 * Adds what is worth nothing in the total order, each with all that it needs. Beside the best set nothing of worth fits; beside another
 * one it is added first, the most value per token before others.
 */
function* addWhatFits({ input, wanted, numbers, worths }: Pool, { places }: Compiled, ledger: Ledger): Slices<void> {
  const { chosenBy, holders } = ledger;
  const { tokenCounts, variants, fragments, scores } = input;
  const found: number[] = [];
  for (let i = 0; i < wanted.length; i++) {
    if (wanted[i] === 0 || chosenBy[i] !== 0 || tokenCounts[i]! > ledger.tokens) continue;
    if (holders.size === 0 || !holders.has(variants.keys[i]!)) found.push(i);
  }
  const fitting = Uint32Array.from(found);
  const density = (i: number): number => worths.values[i]! / Math.max(1, tokenCounts[i]!);
  yield* sortInSlices(fitting, (a, b) => density(b) - density(a) || places.compareFragments(a, b));
  const isHeld = ({ inputIndex }: Fragment): boolean => holders.has(variants.keys[inputIndex]!);
  const around = {
    links: input.links,
    isPresent: ({ inputIndex }: Fragment) => chosenBy[inputIndex] !== 0,
    isOut: (fragment: Fragment) => input.out[fragment.inputIndex] === 1 || isHeld(fragment),
    isPreferred: ({ inputIndex }: Fragment) => scores[inputIndex]! >= 0,
    isOneOfEach: (unit: readonly Fragment[]) => hasOneOfEach(unit, variants),
    tally: ledger.tally,
    isTooDear: ledger.isTooDear,
    steps: ledger.steps,
  };
  const missed = new Set<readonly Part[]>();
  const slice = new Slice(ledger.steps);
  for (const i of fitting) {
    if (slice.isOver()) yield;
    if (chosenBy[i] !== 0 || isHeld(fragments[i]!) || ledger.tally?.fits(fragments[i]!) === false) continue;
    // A group without alternatives is the same whoever of it is asked for, and what missed once misses to the end.
    const parts = fragments[i]!.groupId === "" ? NO_PARTS : input.links.partsOf(fragments[i]!);
    if (missed.has(parts)) continue;
    const unit = closureOf(wantedByName(fragments[i]!), ledger.tokens, aroundNext(around)) ?? [];
    if (unit.length === 0 && parts.length > 1 && parts.every(({ length }) => length === 1)) missed.add(parts);
    for (const { inputIndex } of unit) enter(inputIndex, numbers, ledger);
  }
}

/** Books the next of what is chosen, in a function of its own, which is faster. */
function enterAll(
  chosen: Uint8Array,
  from: number,
  { numbers, ledger }: { numbers: Uint8Array; ledger: Ledger },
): void {
  const end = Math.min(chosen.length, from + SLICE_STEPS);
  for (let i = from; i < end; i++) if (chosen[i] === 1) enter(i, numbers, ledger);
}

/** Books the fragment at an input position as the choice of the first nomination that holds it. */
function enter(i: number, numbers: Uint8Array, ledger: Ledger): void {
  const { variants, tokenCounts, fragments } = ledger.input;
  const fragment = fragments[i]!;
  const key = variants.keys[i]!;
  ledger.chosenBy[i] = numbers[i] || NOT_NOMINATED;
  ledger.tokens -= tokenCounts[i]!;
  ledger.tally?.add(fragment);
  if (key >= 0) ledger.holders.set(key, fragment);
}

/** True where something entered without a nomination and is not committed. */
function holdsBrought(chosenBy: Uint8Array, numbers: Uint8Array, { fragments, committed }: Pool["input"]): boolean {
  for (let i = 0; i < chosenBy.length; i++) {
    if (chosenBy[i] !== 0 && numbers[i] === 0 && !committed.has(fragments[i]!)) return true;
  }
  return false;
}

/** A fragment is looked up in sets, with its group and what it requires. */
const STEPS_PER_NAMED = 4;

/** What entered without a nomination was required: by the earliest of the wanted fragments that need it. */
function* nameLeads(
  { input, numbers, wanted }: Pool,
  { places }: Compiled,
  { chosenBy, required }: Ledger,
): Slices<void> {
  const { links, fragments, committed } = input;
  if (!links.any) return;
  const isIn = ({ inputIndex }: Fragment): boolean => chosenBy[inputIndex] !== 0;
  if (!holdsBrought(chosenBy, numbers, input)) return;
  yield;
  const isLead = (fragment: Fragment): boolean => isIn(fragment) && wanted[fragment.inputIndex] === 1;
  const leads = Uint32Array.from(fragments.filter(isLead), ({ inputIndex }) => inputIndex);
  yield* sortInSlices(leads, places.compareFragments);
  const seen = new Set<Fragment>(committed);
  const slice = new Slice();
  for (const at of leads) {
    const lead = fragments[at]!;
    const waiting = [lead];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (slice.isOver(STEPS_PER_NAMED)) yield;
      if (seen.has(next)) continue;
      seen.add(next);
      const i = next.inputIndex;
      if (numbers[i] === 0) {
        required.set(next, lead);
        chosenBy[i] = numbers[lead.inputIndex]!;
      }
      waiting.push(...links.requiredBy(next), ...links.groupOf(next).filter(isIn));
    }
  }
}
