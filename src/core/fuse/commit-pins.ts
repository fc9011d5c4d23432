import type { Assembly } from "../assembly.js";
import { ContextError } from "../errors.js";
import type { Fragment } from "../model/fragment.js";
import { Reason } from "../model/payload.js";
import { compareTotal } from "../order/total-order.js";
import { cheapestClosure, closureOf, priceOf, wantedByName } from "./closure.js";
import { type Surroundings, walkSteps } from "./closure-walk.js";
import type { Links } from "./links.js";
import { type Sections, sectionTokens } from "./sections.js";

/** What is in the payload whatever the strategies say. */
export interface Committed {
  readonly fragments: ReadonlySet<Fragment>;
  readonly tokens: number;
}

/**
 * Commits the pinned fragments, with their groups and all that they require, before anything else is spent. Throws `PINNED_OVER_BUDGET`
 * with both numbers where they take more than there is, and `PINNED_OVER_CAP` where they take more of a section than its cap: never a
 * silently shorter payload.
 */
export function commitPins(assembly: Assembly): Committed {
  const { request, links, sections, trace } = assembly;
  // In the total order, so that the order of the input does not show in who brought whom.
  const pins = [...request.columns.pinned].sort(compareTotal);
  if (pins.length === 0) return NOTHING_COMMITTED;
  const { availableTokens } = request.budget;
  const steps = walkSteps(Number.POSITIVE_INFINITY);
  const around: Surroundings = { links, isPresent: () => false, isOut: () => false, steps };
  const wanted = wantedByName(...pins);
  const closure = closureOf(wanted, availableTokens, around);
  if (closure === undefined) {
    throw pinnedOverBudget(pins.length, priceOf(cheapestClosure(wanted, around) ?? pins), availableTokens);
  }
  if (steps.isCut) warnOfCutGroups(assembly);
  if (sections !== undefined) checkCaps(closure, sections);
  for (const pin of pins) trace.decide(pin, "packer", Reason.PINNED);
  const broughtBy = firstToBring(pins, closure, links);
  for (const fragment of closure) {
    if (!fragment.pinned) trace.decide(fragment, "packer", Reason.REQUIRED, broughtBy.get(fragment));
  }
  return { fragments: new Set(closure), tokens: priceOf(closure) };
}

function warnOfCutGroups({ parts, warnings }: Assembly): void {
  const message =
    "the pinned groups have so many alternatives with requirements that not all were tried; a deeper one that fits may be missing";
  warnings.push({ code: "search_cut", stage: "packer", component: parts.stages.packer.name, message });
}

const NOTHING_COMMITTED: Committed = { fragments: new Set(), tokens: 0 };

/** The first pin, in their order, with which each of the others came in. */
function firstToBring(pins: readonly Fragment[], closure: readonly Fragment[], links: Links): Map<Fragment, Fragment> {
  const members = new Set(closure);
  const broughtBy = new Map<Fragment, Fragment>();
  const groups = new Set<readonly Fragment[]>();
  for (const pin of pins) {
    const waiting = [pin];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const group = links.groupOf(next);
      const partners = groups.has(group) ? [] : group;
      groups.add(group);
      for (const other of [...partners, ...links.requiredBy(next)]) {
        if (!members.has(other) || broughtBy.has(other) || other.pinned) continue;
        broughtBy.set(other, pin);
        waiting.push(other);
      }
    }
  }
  return broughtBy;
}

/** Throws where the pins take more of a section than its cap; the message names every such section. */
function checkCaps(closure: readonly Fragment[], sections: Sections): void {
  const tokens = sectionTokens(sections, closure);
  const over = sections.list.flatMap(({ name }, i) =>
    tokens[i]! > sections.caps[i]! ? [{ name, needed: tokens[i]!, cap: sections.caps[i]! }] : [],
  );
  if (over.length === 0) return;
  const each = over.map(({ name, needed, cap }) => `${needed} tokens of the section ${name}, whose cap is ${cap}`);
  const [{ name, needed, cap }] = over as [(typeof over)[0]];
  throw new ContextError("PINNED_OVER_CAP", `the pinned fragments take, with all that they bring, ${each.join("; ")}`, {
    metadata: { section: name, needed_tokens: String(needed), available_tokens: String(cap) },
  });
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
