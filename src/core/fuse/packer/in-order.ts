import type { PlacedNomination } from "../../model/nomination.js";
import { splitTokens } from "../../model/split-tokens.js";
import type { Packer } from "../../stages.js";
import type { PackingInput } from "../packing.js";
import { explainDrops } from "./explain-drops.js";
import { fill, type Ledger, openLedger } from "./fill.js";
import { fillFloors, restrictNomination } from "./floors.js";
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
    const refill = (tokens: number): Ledger => fillAll(withTokens(input, tokens));
    const unreachable = explainDrops(given, ledger, () => fillAll(withPlenty(input)));
    return {
      chosenBy: ledger.chosenBy,
      required: ledger.required,
      unreachable,
      isCut: ledger.steps.left < 0,
      shortfalls: () => fillShortfalls({ input, ledger, unreachable, refill }),
    };
  },
};

function fillAll(input: PackingInput): Ledger {
  const ledger = openLedger(input);
  const nominations = input.sections === undefined ? input.nominations : afterFloors(ledger);
  ledger.tokens = 0;
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

/** Fills the floors; what they leave is shared in the proportion of the shares. */
function afterFloors(ledger: Ledger): readonly PlacedNomination[] {
  const { nominations, tokens } = ledger.input;
  ledger.tokens = tokens;
  fillFloors(ledger);
  const shares = nominations.map((nomination) => nomination.tokens);
  const shared = shares.reduce((a, b) => a + b, 0);
  const split = splitTokens(ledger.tokens, [...shares, Math.max(0, tokens - shared)]);
  return nominations.map((nomination, k) => ({ ...nomination, tokens: split[k]! }));
}

/** Where a resolver ran, only what stands for its key has a turn of its own, and what something nominated requires. */
function withoutAlternatives(input: PackingInput): PackingInput {
  const { alternatives, nominations, fragments, links } = input;
  if (alternatives === undefined) return input;
  const required = new Set(
    links.any
      ? nominations.flatMap(({ positions }) => [...positions].flatMap((i) => links.requiredBy(fragments[i]!)))
      : [],
  );
  return {
    ...input,
    nominations: nominations.map((nomination) =>
      restrictNomination(nomination, (i) => alternatives[i] === 0 || required.has(fragments[i]!)),
    ),
  };
}

/** The same filling with other tokens, of which every strategy may have all. */
function withTokens(input: PackingInput, tokens: number): PackingInput {
  return { ...input, tokens, nominations: input.nominations.map((nomination) => ({ ...nomination, tokens })) };
}

/** The same filling with tokens for everything. */
function withPlenty(input: PackingInput): PackingInput {
  return { ...withTokens(input, Number.MAX_SAFE_INTEGER), sections: input.sections?.atPlenty };
}
