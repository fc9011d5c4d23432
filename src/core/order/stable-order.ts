import { type Fragment, Role } from "../model/fragment.js";
import { compareInstants } from "../model/instant.js";
import { compareTotal } from "./total-order.js";

/** What changes rarely first: system fragments, then pinned ones, then the rest; each oldest first, then in the total order. */
export function compareStable(a: Fragment, b: Fragment): number {
  return rankOf(a) - rankOf(b) || compareInstants(a.createdAt, b.createdAt) || compareTotal(a, b);
}

function rankOf({ role, pinned }: Fragment): number {
  if (role === Role.SYSTEM) return 0;
  return pinned ? 1 : 2;
}
