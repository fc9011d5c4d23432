import type { Fragment } from "../../model/fragment.js";
import { Reason } from "../../model/payload.js";
import type { Packing, PackingInput } from "../packing.js";

/**
 * The fragment that the reason of a drop speaks of: the variant that is in instead, the first requirement that is not in, the first partner
 * that has another reason to be out; nothing where there is none.
 */
export function relatedTo(
  fragment: Fragment,
  reason: Reason,
  { input, packing }: { readonly input: PackingInput; readonly packing: Packing },
): Fragment | undefined {
  const { links, variants, out } = input;
  const isIn = ({ inputIndex }: Fragment): boolean => packing.chosenBy[inputIndex] !== 0;
  switch (reason) {
    case Reason.OTHER_VARIANT: {
      const ofKey = variants.members[variants.keys[fragment.inputIndex]!] ?? [];
      return (
        ofKey.find(isIn) ??
        links
          .partsOf(fragment)
          .find((part) => part.includes(fragment))
          ?.find(isIn)
      );
    }
    case Reason.REQUIREMENT_MISSING:
      return links.requiredBy(fragment).find((required) => !isIn(required));
    case Reason.PARTNER_MISSING: {
      const partners = links.groupOf(fragment).filter((partner) => partner !== fragment && !isIn(partner));
      const isLost = (partner: Fragment): boolean =>
        out[partner.inputIndex] === 1 || packing.unreachable.get(partner) !== Reason.PARTNER_MISSING;
      return partners.find(isLost) ?? partners[0];
    }
    default:
      return undefined;
  }
}
