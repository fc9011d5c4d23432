import type { Fragment } from "../model/fragment.js";
import { compareTotal } from "../order/total-order.js";

/** Deepest first, then the more relevant, then the total order. */
export function compareDepth(a: Fragment, b: Fragment): number {
  return b.detailDepth - a.detailDepth || b.relevanceScore - a.relevanceScore || compareTotal(a, b);
}
