import type { Packer } from "../../stages.js";
import type { PackingInput } from "../packing.js";
import { explainDrops } from "./explain-drops.js";
import { fill, type Ledger, openLedger } from "./fill.js";
import { fillShortfalls } from "./shortfall.js";

/**
 * Fills in the order of the nominations, each strategy within its share plus what those before it left. What is left after the last is
 * offered once more to all in turn, so that where nothing is short nothing is dropped.
 */
export const inOrder: Packer = {
  keepsVariants: true,
  pack: (given) => {
    const input = withoutAlternatives(given);
    const ledger = fillAll(input);
    return {
      chosenBy: ledger.chosenBy,
      required: ledger.required,
      unreachable: explainDrops(given, ledger, () => fillAll(withPlenty(input))),
      shortfalls: () => fillShortfalls(input, ledger),
    };
  },
};

function fillAll(input: PackingInput): Ledger {
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
  return ledger;
}

/** Where a resolver ran, only what stands for its key has a turn of its own; what something requires may enter with that. */
function withoutAlternatives(input: PackingInput): PackingInput {
  const { alternatives, nominations } = input;
  if (alternatives === undefined) return input;
  return {
    ...input,
    nominations: nominations.map((nomination) => {
      const stays = (_: unknown, rank: number): boolean => alternatives[nomination.positions[rank]!] === 0;
      return {
        ...nomination,
        positions: nomination.positions.filter(stays),
        ...(nomination.suffixFrom !== undefined && {
          suffixFrom: nomination.positions.subarray(0, nomination.suffixFrom).filter(stays).length,
        }),
      };
    }),
  };
}

function withPlenty(input: PackingInput): PackingInput {
  const tokens = Number.MAX_SAFE_INTEGER;
  return { ...input, tokens, nominations: input.nominations.map((nomination) => ({ ...nomination, tokens })) };
}
