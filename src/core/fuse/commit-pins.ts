import type { Assembly } from "../assembly.js";
import { ContextError } from "../errors.js";
import type { Fragment } from "../model/fragment.js";
import { Reason } from "../model/payload.js";

/** What is in the payload whatever the strategies say. */
export interface Committed {
  readonly fragments: ReadonlySet<Fragment>;
  readonly tokens: number;
}

/**
 * Commits the pinned fragments, with their groups and all that they require, before anything else is spent. Throws `PINNED_OVER_BUDGET`
 * with both numbers where they take more than there is: never a silently shorter payload.
 */
export function commitPins({ request, links, trace }: Assembly): Committed {
  const fragments = new Set<Fragment>();
  let tokens = 0;
  const pins = request.columns.pinned;
  for (const pin of pins) {
    const isPresent = (fragment: Fragment): boolean => fragments.has(fragment);
    for (const entrant of links.entrants(pin, Number.POSITIVE_INFINITY, isPresent, () => false) ?? []) {
      fragments.add(entrant);
      tokens += entrant.tokenCount;
      if (!entrant.pinned) trace.decide(entrant, "packer", Reason.REQUIRED, pin);
    }
    trace.decide(pin, "packer", Reason.PINNED);
  }
  const { availableTokens } = request.budget;
  if (tokens > availableTokens) throw pinnedOverBudget(pins.length, tokens, availableTokens);
  return { fragments, tokens };
}

function pinnedOverBudget(pins: number, needed: number, available: number): ContextError {
  const what = pins === 1 ? "the pinned fragment needs" : `the ${pins} pinned fragments need`;
  return new ContextError(
    "PINNED_OVER_BUDGET",
    `${what} ${needed} tokens, with all that they bring; ${available} are available`.replace(
      "they bring",
      pins === 1 ? "it brings" : "they bring",
    ),
    { metadata: { needed_tokens: String(needed), available_tokens: String(available) } },
  );
}
