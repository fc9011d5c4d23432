import type { Faults } from "./faults.js";
import { codePointCount } from "./text.js";

/** A list of a request whose elements are fragments, or hold one as a member. */
export interface FragmentList {
  readonly name: string;
  readonly member?: string;
}

/** The path of the fragment at a position of a list. */
export function pathIn({ name, member }: FragmentList, inputIndex: number): string {
  return `${name}[${inputIndex}]${member === undefined ? "" : `.${member}`}`;
}

/** Where a fragment stands in the request, for the paths of its faults. */
export interface Place {
  readonly faults: Faults;
  readonly list: FragmentList;
  readonly inputIndex: number;
}

/** Adds a fault of one field of the fragment at a place. */
export function addFault(at: Place, field: string, description: string): void {
  at.faults.add(`${pathIn(at.list, at.inputIndex)}.${field}`, description);
}

/** The fault of a text over its limit. */
export function tooLong(text: string, limit: number): string {
  return `has ${codePointCount(text)} characters; at most ${limit} are allowed`;
}
