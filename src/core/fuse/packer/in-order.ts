import type { Packer } from "../../stages.js";
import { fill, openLedger } from "./fill.js";
import { fillShortfalls } from "./shortfall.js";

/**
 * Fills in the order of the nominations, each strategy within its share plus what those before it left. What is left after the last is
 * offered once more to all in turn, so that where nothing is short nothing is dropped.
 */
export const inOrder: Packer = {
  pack: (input) => {
    const { nominations } = input;
    const ledger = openLedger(input);
    nominations.forEach((nomination, k) => {
      ledger.tokens += nomination.tokens;
      fill(nomination, k + 1, ledger);
    });
    if (nominations.length > 1) {
      nominations.forEach((nomination, k) => {
        fill(nomination, k + 1, ledger);
      });
    }
    return {
      chosenBy: ledger.chosenBy,
      required: ledger.required,
      unreachable: new Map(),
      shortfalls: () => fillShortfalls(input, ledger.chosenBy, ledger.tokens),
    };
  },
};
