import { turnOrder } from "../packer/turns.js";
import type { Packing, PackingInput } from "../packing.js";

/**
 * True where a nomination that ends at a miss, and that the packer ended there, would get holes: a window that skips messages is no
 * conversation.
 */
export function leavesHoles(input: PackingInput, plain: Packing, isWanted: (inputIndex: number) => boolean): boolean {
  const { nominations, fragments, committed } = input;
  const counts = (i: number): boolean => !committed.has(fragments[i]!) && !plain.unreachable.has(fragments[i]!);
  return nominations.some((nomination) => {
    const { leads, skipping } = turnOrder(nomination, input);
    const turns = leads.subarray(skipping).filter(counts);
    return isStart(turns, (i) => plain.chosenBy[i] !== 0) && !isStart(turns, isWanted);
  });
}

/** True where those for which something holds are the first ones, without a gap. */
function isStart(positions: Uint32Array, holds: (inputIndex: number) => boolean): boolean {
  const first = positions.findIndex((i) => !holds(i));
  return first < 0 || !positions.subarray(first).some(holds);
}
