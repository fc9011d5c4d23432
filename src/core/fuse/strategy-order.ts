import type { PlacedNomination } from "../choose/execute-strategies.js";
import type { Fragment } from "../model/fragment.js";
import { compareTotal } from "../order/total-order.js";
import { NOT_NOMINATED, type Packing, type PackingInput } from "./packing.js";

/**
 * The input positions of what was chosen: the first strategy's choices as it ranked them, then the next's. What was brought in without a
 * nomination stands before the one that brought it, and pins without a nomination before everything.
 */
export function strategyOrder(
  { committed, nominations, fragments }: PackingInput,
  { chosenBy, required }: Packing,
): Uint32Array {
  const ordered = new Uint32Array(chosenBy.length);
  let count = 0;
  const put = (uninvited: readonly Fragment[]): void => {
    for (const { inputIndex } of [...uninvited].sort(compareTotal)) ordered[count++] = inputIndex;
  };
  put([...committed].filter(({ inputIndex }) => chosenBy[inputIndex] === NOT_NOMINATED));
  const brought = broughtBy(nominations, chosenBy, required);
  nominations.forEach(({ positions }, k) => {
    for (let rank = 0; rank < positions.length; rank++) {
      const i = positions[rank]!;
      if (chosenBy[i] !== k + 1) continue;
      if (brought.size > 0) put(brought.get(fragments[i]!) ?? []);
      ordered[count++] = i;
    }
  });
  return ordered.subarray(0, count);
}

/** What each fragment brought in that its strategy had not nominated. */
function broughtBy(
  nominations: readonly PlacedNomination[],
  chosenBy: Uint8Array,
  required: ReadonlyMap<Fragment, Fragment>,
): Map<Fragment, Fragment[]> {
  const brought = new Map<Fragment, Fragment[]>();
  if (required.size === 0) return brought;
  const nominated = nominations.map(({ positions }) => new Set(positions));
  for (const [fragment, by] of required) {
    const i = fragment.inputIndex;
    if (!nominated[chosenBy[i]! - 1]?.has(i)) brought.set(by, [...(brought.get(by) ?? []), fragment]);
  }
  return brought;
}
