import { goTogether } from "./web.js";
import { Draft } from "./web-draft.js";
import type { PricedWeb } from "./web-prices.js";

/** A set of a web: an option by turn, its tokens and its own value. */
export interface WebSet {
  readonly options: Int32Array;
  readonly tokens: number;
  readonly value: number;
}

/** Where the baseline of a web is sought. */
export interface WebRoom {
  readonly price: number;
  /** The most tokens that the set may take. */
  readonly tokens: number;
}

/**
 * Shares of the price at which a set is drafted. At the price itself a hub that many need hangs in the balance, and all that need it with
 * it; somewhat below, it is in, and what is too much then can be taken out by the piece.
 */
const SHARES = [1, 0.95, 0.8, 1.1];

/** Shares of the price that the sets ask for, one after the other, while they grow. */
const LADDER = [4, 3, 2.4, 2, 1.7, 1.5, 1.35, 1.2, 1.1, 1.05, 1, 0.95, 0.9, 0.8, 0.7, 0.5, 0.3, 0];

/** Ties that may be looked at in all; then what is drafted is left as it is. */
const MOST_STEPS = 1_500_000;
const STEPS_PER_SLICE = 50_000;

/**
 * A set to begin from, the best of some drafts: nothing at all, or what every variable would take at a price, without what then lacks
 * something, shrunk to the room; and in each case filled, by falling price, with whatever is worth it with all that it needs.
 */
export function* webBaseline(web: PricedWeb, room: WebRoom): Generator<void, WebSet> {
  let best: Draft | undefined;
  let steps = 0;
  for (const share of [undefined, ...SHARES]) {
    const begin = share === undefined ? new Int32Array(web.turns.length) : favourites(web, room.price * share);
    yield;
    const draft = new Draft(web, begin, room.tokens);
    draft.dropLacking();
    yield* draft.shrink();
    yield* grow(draft, web, { price: room.price, mostSteps: MOST_STEPS - steps });
    steps += draft.steps;
    if (best === undefined || draft.value > best.value) best = draft;
  }
  return best!;
}

/** Fills a draft by falling price; yields now and then. */
function* grow(
  draft: Draft,
  { turns }: PricedWeb,
  { price, mostSteps }: { price: number; mostSteps: number },
): Generator<void, void> {
  let nextTurn = STEPS_PER_SLICE;
  for (const share of price === 0 ? [0] : LADDER) {
    for (let turn = turns.length - 1; turn >= 0; turn--) {
      if (draft.steps > mostSteps) return;
      if (draft.options[turn] === 0) draft.tryTurn(turn, price * share);
      if (draft.steps < nextTurn) continue;
      nextTurn = draft.steps + STEPS_PER_SLICE;
      yield;
    }
  }
}

/**
 * By turn: the option that is worth most beyond its price, given what the turns before took: what their ties moved counts no more, but
 * whether the options go together does.
 */
function favourites({ turns, web, movedToSecond }: PricedWeb, price: number): Int32Array {
  const taken = new Int32Array(turns.length);
  turns.forEach(({ values, tokens, moves }, turn) => {
    let most = Number.NEGATIVE_INFINITY;
    for (let option = 0; option < values.length; option++) {
      if (moves[option]! < 0) continue;
      let worth = values[option]! - price * tokens[option]!;
      for (const tie of web.behind[turn]!) {
        worth -= goTogether(tie, taken[tie.first]!, option)
          ? movedToSecond[tie.number]![option]!
          : Number.POSITIVE_INFINITY;
      }
      if (worth <= most) continue;
      most = worth;
      taken[turn] = option;
    }
  });
  return taken;
}
