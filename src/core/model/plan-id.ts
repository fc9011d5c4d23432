import { quote } from "../errors.js";

/** 26 characters of Crockford base 32; the first is at most 7, since a ULID has 128 bits. */
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Says what is wrong with a plan id, or nothing. */
export function planIdFault(planId: string): string | undefined {
  if (ULID.test(planId)) return undefined;
  return `is ${quote(planId)}, which is not a ULID; a ULID has 26 characters of 0-9 and A-Z without I, L, O and U, the first from 0 to 7`;
}
