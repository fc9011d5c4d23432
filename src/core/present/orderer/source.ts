import type { Fragment } from "../../model/fragment.js";
import { compareUtf8 } from "../../model/text.js";
import { naturalKey } from "../../order/natural-key.js";
import { compareTotal } from "../../order/total-order.js";
import type { Orderer } from "../../stages.js";
import { gatherUnits } from "./units.js";

/**
 * By resource, and in it by location as a person reads it, so that L9 stands before L10; then the shallower first, an outline before its
 * details. A group stands where its first member does.
 */
export const source: Orderer = {
  order: (selected) => {
    const placed = selected.map((fragment) => ({ fragment, location: naturalKey(fragment.provenance.location) }));
    return gatherUnits(placed.sort(comparePlaces).map(({ fragment }) => fragment)).flat();
  },
};

interface Placed {
  readonly fragment: Fragment;
  /** The location as a natural key. */
  readonly location: string;
}

function comparePlaces(a: Placed, b: Placed): number {
  return (
    compareUtf8(a.fragment.provenance.resourceUri, b.fragment.provenance.resourceUri) ||
    compareUtf8(a.location, b.location) ||
    a.fragment.detailDepth - b.fragment.detailDepth ||
    compareTotal(a.fragment, b.fragment)
  );
}
