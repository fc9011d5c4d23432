import type { Fragment } from "../../model/fragment.js";
import type { Slices } from "../../run-in-slices.js";
import { Slice } from "../../slice.js";
import { cheapestClosure, priceOf, wantedAtTurn } from "../closure.js";
import { type Surroundings, walkSteps } from "../closure-walk.js";
import type { Packing, PackingInput } from "../packing.js";

/** Steps that finding the prices of units may take; one that is not found does not count. */
const PRICING_STEPS = 1_000_000;

/**
 * The price of the dearest unit that a packing let in. No selection is cut back below it: a question that takes most of the budget must not
 * be lost because it does not fit below the low mark.
 */
export function* dearestUnit(
  { chosenBy }: Packing,
  { fragments, committed, links, tokenCounts }: PackingInput,
): Slices<number> {
  const steps = walkSteps(PRICING_STEPS);
  const around: Surroundings = {
    links,
    isPresent: (fragment) => committed.has(fragment),
    isOut: ({ inputIndex }) => chosenBy[inputIndex] === 0,
    steps,
  };
  const seen = new Set<Fragment>();
  let dearest = 0;
  const slice = new Slice(steps);
  for (let i = 0; i < chosenBy.length; i++) {
    if (slice.isOver()) yield;
    const fragment = fragments[i]!;
    if (chosenBy[i] === 0 || seen.has(fragment) || committed.has(fragment)) continue;
    if (links.isAlone(fragment)) {
      dearest = Math.max(dearest, tokenCounts[i]!);
      continue;
    }
    for (const member of links.groupOf(fragment)) seen.add(member);
    dearest = Math.max(dearest, priceOf(cheapestClosure(wantedAtTurn(fragment, links), around) ?? []));
  }
  return dearest;
}
