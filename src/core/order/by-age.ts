import type { Fragment } from "../model/fragment.js";
import { compareInstants } from "../model/instant.js";

/** Oldest first, in input order where times are equal: input order is age. */
export function compareAge(a: Fragment, b: Fragment): number {
  return compareInstants(a.createdAt, b.createdAt) || a.inputIndex - b.inputIndex;
}
