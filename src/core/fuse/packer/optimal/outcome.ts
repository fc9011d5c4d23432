/** From the set that was found to a packing: what still fits is added, and each fragment says whose choice it was. */
import type { Fragment } from "../../../model/fragment.js";
import { NOT_NOMINATED } from "../../packing.js";
import { type Ledger, openLedger, openPass } from "../fill.js";
import type { Compiled } from "./compile.js";
import type { Pool } from "./pool.js";
import type { Solution } from "./solve.js";

/** Books a solution in a ledger of so many tokens, and adds, in the total order, what is wanted and still fits. */
export function book(pool: Pool, compiled: Compiled, { picks }: Solution, tokens: number): Ledger {
  const { input, numbers } = pool;
  const { keys } = input.variants;
  const ledger = openLedger(input);
  ledger.tokens = tokens;
  for (const choice of picks) {
    for (const i of compiled.fragmentsOf(choice)) {
      ledger.chosenBy[i] = numbers[i] || NOT_NOMINATED;
      ledger.tokens -= input.tokenCounts[i]!;
      if (keys[i]! >= 0) ledger.holders.set(keys[i]!, input.fragments[i]!);
    }
  }
  addWhatFits(pool, compiled, ledger);
  nameLeads(pool, compiled, ledger);
  return ledger;
}

function addWhatFits({ input, wanted, numbers }: Pool, { places }: Compiled, ledger: Ledger): void {
  const { chosenBy, holders } = ledger;
  const { tokenCounts, variants, fragments } = input;
  const fitting: number[] = [];
  for (let i = 0; i < wanted.length; i++) {
    if (wanted[i] === 0 || chosenBy[i] !== 0 || tokenCounts[i]! > ledger.tokens) continue;
    if (!holders.has(variants.keys[i]!)) fitting.push(i);
  }
  if (fitting.length === 0) return;
  const pass = openPass(ledger, NOT_NOMINATED);
  for (const i of fitting.sort(places.compareFragments)) pass.enter(i);
  for (const { inputIndex } of fragments) {
    if (chosenBy[inputIndex] === NOT_NOMINATED) chosenBy[inputIndex] = numbers[inputIndex] || NOT_NOMINATED;
  }
  ledger.required.clear();
}

/** What entered without a nomination was required: by the earliest of the wanted fragments that need it. */
function nameLeads({ input, numbers, wanted }: Pool, { places }: Compiled, { chosenBy, required }: Ledger): void {
  const { links, fragments, committed } = input;
  if (!links.any) return;
  const isIn = ({ inputIndex }: Fragment): boolean => chosenBy[inputIndex] !== 0;
  const leads = fragments.filter((fragment) => isIn(fragment) && wanted[fragment.inputIndex] === 1);
  leads.sort((a, b) => places.compareFragments(a.inputIndex, b.inputIndex));
  const seen = new Set<Fragment>(committed);
  for (const lead of leads) {
    const waiting = [lead];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
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
