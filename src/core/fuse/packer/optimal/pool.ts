/** What a packer for value chooses from, and what each fragment is worth to it. */
import type { Fragment } from "../../../model/fragment.js";
import { Reason } from "../../../model/payload.js";
import type { PackingInput } from "../../packing.js";
import { createLeastValueTest, type LeastValue } from "../least-value.js";
import { type Worths, worthsOf } from "./worths.js";

/**
 * The options of a packer for value. The value of a fragment is its worth times its tokens to the power of the exponent, 0 to 1; 0 by
 * default: the worth alone. What is below the least value enters only where others need it; pins are in whatever they are worth.
 */
export type Objective = LeastValue;

export interface Pool {
  readonly input: PackingInput;
  /** By input position: the number of the first nomination that holds the fragment, from 1; 0: none does. */
  readonly numbers: Uint8Array;
  /** By input position: 1 where a fragment may enter, by itself or for another. */
  readonly possible: Uint8Array;
  /** By input position: 1 where it may enter for its own sake; the others enter only where such a one needs them. */
  readonly wanted: Uint8Array;
  readonly below: ReadonlyMap<Fragment, Reason>;
  readonly worths: Worths;
}

/** Reads the pool of a packing. O(n). */
export function readPool(input: PackingInput, objective: Objective): Pool {
  const numbers = nominationNumbers(input);
  const possible = possibleOf(input);
  const wanted = new Uint8Array(numbers.length);
  for (let i = 0; i < wanted.length; i++) wanted[i] = numbers[i] === 0 ? 0 : possible[i]!;
  const below = new Map<Fragment, Reason>();
  const isWorthTooLittle = createLeastValueTest(objective, input);
  if (isWorthTooLittle !== undefined) {
    for (const fragment of input.fragments) {
      const i = fragment.inputIndex;
      if (numbers[i] === 0 || input.committed.has(fragment) || !isWorthTooLittle(fragment)) continue;
      below.set(fragment, Reason.BELOW_MINIMUM_VALUE);
      wanted[i] = 0;
    }
  }
  return { input, numbers, possible, wanted, below, worths: worthsOf(input, numbers, objective.valueExponent ?? 0) };
}

function nominationNumbers({ nominations, fragments }: PackingInput): Uint8Array {
  const numbers = new Uint8Array(fragments.length);
  nominations.forEach(({ positions }, k) => {
    for (let rank = 0; rank < positions.length; rank++) {
      if (numbers[positions[rank]!] === 0) numbers[positions[rank]!] = k + 1;
    }
  });
  return numbers;
}

/** What is neither out nor committed, and whose key no committed fragment holds. */
function possibleOf({ out, committed, variants }: PackingInput): Uint8Array {
  const possible = new Uint8Array(out.length);
  for (let i = 0; i < out.length; i++) possible[i] = 1 - out[i]!;
  for (const { inputIndex } of committed) {
    possible[inputIndex] = 0;
    const key = variants.keys[inputIndex]!;
    if (key >= 0) for (const variant of variants.members[key]!) possible[variant.inputIndex] = 0;
  }
  return possible;
}
