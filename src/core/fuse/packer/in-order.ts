import type { Fragment } from "../../model/fragment.js";
import type { PlacedNomination } from "../../model/nomination.js";
import { splitTokens } from "../../model/split-tokens.js";
import { runInSlices, type Slices } from "../../run-in-slices.js";
import { Slice } from "../../slice.js";
import type { Packer } from "../../stages.js";
import { wasCut } from "../closure-walk.js";
import { type Packing, type PackingInput, withOtherTokens } from "../packing.js";
import { explainDrops } from "./explain-drops.js";
import { fill, type Ledger, openLedger } from "./fill.js";
import type { Goal } from "./fill-by-turns.js";
import { fillFloors, restrictNomination } from "./floors.js";
import { fillShortfalls } from "./shortfall.js";

/**
 * Fills in the order of the nominations, each strategy within its share plus what those before it left. What is left after the last is
 * offered once more to all in turn, so that where nothing is short nothing is dropped.
 */
export const inOrder: Packer = {
  keepsVariants: true,
  pack: (input, run) => runInSlices(pack(input), run),
};

function* pack(given: PackingInput): Slices<Packing> {
  const input = yield* withoutAlternatives(given);
  const ledger = yield* fillAll(input);
  const unreachable = yield* explainDrops(given, ledger, fillAll(withPlenty(input)));
  const refill = ({ tokens, asked }: Goal): Slices<Ledger> => fillAll(withTokens(input, tokens), asked);
  return {
    chosenBy: ledger.chosenBy,
    required: ledger.required,
    unreachable,
    isCut: wasCut(ledger.steps),
    shortfalls: () => fillShortfalls({ input, ledger, unreachable, refill, sweepsBy: sweepsBy(input) }),
  };
}

function* fillAll(input: PackingInput, asked?: Fragment): Slices<Ledger> {
  const ledger = openLedger(input, { asked });
  const nominations = input.sections === undefined ? input.nominations : yield* afterFloors(ledger);
  ledger.tokens = 0;
  for (const [k, nomination] of nominations.entries()) {
    ledger.tokens += nomination.tokens;
    yield* fill(nomination, k + 1, ledger);
  }
  if (nominations.length === 1) return ledger;
  for (const [k, nomination] of nominations.entries()) yield* fill(nomination, k + 1, ledger);
  return ledger;
}

/** Fills the floors; what they leave is shared in the proportion of the shares. */
function* afterFloors(ledger: Ledger): Slices<readonly PlacedNomination[]> {
  const { nominations, tokens } = ledger.input;
  ledger.tokens = tokens;
  yield* fillFloors(ledger);
  const shares = nominations.map((nomination) => nomination.tokens);
  const shared = shares.reduce((a, b) => a + b, 0);
  const split = splitTokens(ledger.tokens, [...shares, Math.max(0, tokens - shared)]);
  return nominations.map((nomination, k) => ({ ...nomination, tokens: split[k]! }));
}

/** Where a resolver ran, only what stands for its key has a turn of its own, and what something nominated requires. */
function* withoutAlternatives(input: PackingInput): Slices<PackingInput> {
  const { alternatives, nominations, fragments, links } = input;
  if (alternatives === undefined) return input;
  const required = new Uint8Array(fragments.length);
  const slice = new Slice();
  for (const { positions } of links.any ? nominations : []) {
    for (let rank = 0; rank < positions.length; rank++) {
      for (const { inputIndex } of links.requiredBy(fragments[positions[rank]!]!)) required[inputIndex] = 1;
      if (slice.isOver()) yield;
    }
  }
  const restricted: PlacedNomination[] = [];
  for (const nomination of nominations) {
    restricted.push(restrictNomination(nomination, (i) => alternatives[i] === 0 || required[i] === 1));
    if (slice.isOver(nomination.positions.length)) yield;
  }
  return { ...input, nominations: restricted };
}

/** Of several strategies any token may change the shares, and only where these are known is the filling the one of a larger budget. */
function sweepsBy({ nominations, sharesAt }: PackingInput): "miss" | "token" | undefined {
  if (nominations.length === 1) return "miss";
  return sharesAt === undefined ? undefined : "token";
}

/** The same filling with other tokens; where the shares are not known, every strategy may have all. */
function withTokens(input: PackingInput, tokens: number): PackingInput {
  const shares = input.sharesAt?.(tokens);
  const nominations = input.nominations.map((nomination, k) => ({ ...nomination, tokens: shares?.[k] ?? tokens }));
  return { ...withOtherTokens(input, tokens), nominations };
}

/** The same filling with tokens for everything. */
function withPlenty(input: PackingInput): PackingInput {
  const tokens = Number.MAX_SAFE_INTEGER;
  const nominations = input.nominations.map((nomination) => ({ ...nomination, tokens }));
  return { ...input, tokens, nominations, sections: input.sections?.atPlenty };
}
