import type { Fragment } from "../model/fragment.js";
import { highestFirst } from "../order/keys.js";
import { compareTotal } from "../order/total-order.js";

/** Deepest first, then the more relevant (to twelve decimals), then the total order. */
export function compareDepth(a: Fragment, b: Fragment): number {
  return (
    b.detailDepth - a.detailDepth ||
    highestFirst(a.relevanceScore) - highestFirst(b.relevanceScore) ||
    compareTotal(a, b)
  );
}
