import type { Fragment } from "../../model/fragment.js";
import { Reason } from "../../model/payload.js";
import type { Part } from "../links.js";
import type { Packing, PackingInput } from "../packing.js";

/** Answers for a drop and its reason which fragment the reason speaks of; nothing where there is none. */
export type Relations = (fragment: Fragment, reason: Reason) => Fragment | undefined;

/**
 * The fragments that the reasons of drops speak of: the variant that is in instead, the first requirement that is not in, the first partner
 * that has another reason to be out. What alternatives or partners have in common is looked for once: O(fragments) for all drops.
 */
export function relationsIn(input: PackingInput, packing: Packing): Relations {
  const isIn = ({ inputIndex }: Fragment): boolean => packing.chosenBy[inputIndex] !== 0;
  const chosenOf = chosenAlternatives(input, isIn);
  const missingPartnerOf = missingPartners(input, packing, isIn);
  return (fragment, reason) => {
    switch (reason) {
      case Reason.OTHER_VARIANT:
        return chosenOf(fragment);
      case Reason.REQUIREMENT_MISSING:
        return input.links.requiredBy(fragment).find((required) => !isIn(required));
      case Reason.PARTNER_MISSING:
        return missingPartnerOf(fragment);
      default:
        return undefined;
    }
  };
}

/** The alternative of a fragment that is in: of its key, else of its part of the group. */
function chosenAlternatives(
  { links, variants }: PackingInput,
  isIn: (fragment: Fragment) => boolean,
): (fragment: Fragment) => Fragment | undefined {
  const ofKey = new Map<number, Fragment | undefined>();
  const parts = new Map<readonly Part[], ReadonlyMap<Fragment, Fragment | undefined>>();
  return (fragment) => {
    const key = variants.keys[fragment.inputIndex]!;
    const inKey = fromCache(ofKey, key, () => variants.members[key]?.find(isIn));
    if (inKey !== undefined) return inKey;
    const all = links.partsOf(fragment);
    return fromCache(parts, all, () => chosenOfParts(all, isIn)).get(fragment);
  };
}

function chosenOfParts(
  parts: readonly Part[],
  isIn: (fragment: Fragment) => boolean,
): ReadonlyMap<Fragment, Fragment | undefined> {
  const chosen = new Map<Fragment, Fragment | undefined>();
  for (const part of parts) {
    const one = part.find(isIn);
    for (const member of part) chosen.set(member, one);
  }
  return chosen;
}

/** The first partner that is not in for a reason of its own, else the first that is not in. */
function missingPartners(
  { links, out }: PackingInput,
  { unreachable }: Packing,
  isIn: (fragment: Fragment) => boolean,
): (fragment: Fragment) => Fragment | undefined {
  const missing = new Map<readonly Fragment[], readonly Fragment[]>();
  const isLost = (partner: Fragment): boolean =>
    out[partner.inputIndex] === 1 || unreachable.get(partner) !== Reason.PARTNER_MISSING;
  return (fragment) => {
    const group = links.groupOf(fragment);
    // Two of each, as a fragment is no partner of its own.
    const first = fromCache(missing, group, () => {
      const notIn = group.filter((partner) => !isIn(partner));
      return [...notIn.filter(isLost).slice(0, 2), ...notIn.slice(0, 2)];
    });
    return first.find((partner) => partner !== fragment);
  };
}

function fromCache<Key, Value>(cache: Map<Key, Value>, key: Key, compute: () => Value): Value {
  const known = cache.get(key);
  if (known !== undefined || cache.has(key)) return known as Value;
  const value = compute();
  cache.set(key, value);
  return value;
}
