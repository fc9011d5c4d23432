import type { Assembly } from "../assembly.js";
import { ContextError } from "../errors.js";
import type { Fragment } from "../model/fragment.js";
import { Reason } from "../model/payload.js";
import { compareTotal } from "../order/total-order.js";
import { closureOf, priceOf, type Surroundings } from "./closure.js";

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
  // In the total order, so that the order of the input does not show in who brought whom.
  const pins = [...request.columns.pinned].sort(compareTotal);
  const { availableTokens } = request.budget;
  // The pins themselves are there before anything that they bring, so that no alternative is brought in beside a pinned one.
  const fragments = new Set(pins);
  let tokens = priceOf(pins);
  const around: Surroundings = { links, isPresent: (fragment) => fragments.has(fragment), isOut: () => false };
  for (const pin of pins) {
    trace.decide(pin, "packer", Reason.PINNED);
    const left = availableTokens - tokens;
    const brought = closureOf(pin, left, around) ?? closureOf(pin, Number.MAX_SAFE_INTEGER, around) ?? [];
    for (const fragment of brought) {
      fragments.add(fragment);
      tokens += fragment.tokenCount;
      trace.decide(fragment, "packer", Reason.REQUIRED, pin);
    }
  }
  if (tokens > availableTokens) throw pinnedOverBudget(pins.length, tokens, availableTokens);
  return { fragments, tokens };
}

function pinnedOverBudget(pins: number, needed: number, available: number): ContextError {
  const what =
    pins === 1
      ? "the pinned fragment needs, with all that it brings,"
      : `the ${pins} pinned fragments need, with all that they bring,`;
  return new ContextError("PINNED_OVER_BUDGET", `${what} ${needed} tokens; ${available} are available`, {
    metadata: { needed_tokens: String(needed), available_tokens: String(available) },
  });
}
