import type { Fragment } from "../../model/fragment.js";
import type { PlacedNomination } from "../../model/nomination.js";
import type { PackingInput } from "../packing.js";

/** The order in which a filling goes through a nomination: for each unit the input position of the fragment whose turn it is. */
export interface TurnOrder {
  readonly leads: Uint32Array;
  /** At so many first turns a miss is skipped; at one after them it ends the filling. */
  readonly skipping: number;
}

/**
 * Lists the turns. A ranking goes forwards. A window goes backwards from its newest, after what stands before it; a unit of which a part is
 * in the window has its turn there, at its oldest member, so that the window stays a suffix.
 */
export function turnOrder(nomination: PlacedNomination, input: PackingInput): TurnOrder {
  const { positions, miss, suffixFrom } = nomination;
  if (suffixFrom === undefined) return { leads: positions, skipping: miss === "end" ? 0 : positions.length };
  const oldest = oldestInWindow(positions, suffixFrom, input);
  const leads = new Uint32Array(positions.length);
  let count = 0;
  for (let rank = 0; rank < suffixFrom; rank++) {
    if (!oldest.spanning.has(positions[rank]!)) leads[count++] = positions[rank]!;
  }
  const before = count;
  for (let rank = positions.length - 1; rank >= suffixFrom; rank--) {
    if (oldest.isOldest(positions[rank]!)) leads[count++] = positions[rank]!;
  }
  return { leads: leads.subarray(0, count), skipping: miss === "end" ? before : count };
}

interface OldestInWindow {
  /** True for a fragment of the window before which no other of its group stands there. */
  isOldest(inputIndex: number): boolean;
  /** Members that stand outside the window of groups that have one in it. */
  readonly spanning: ReadonlySet<number>;
}

function oldestInWindow(positions: Uint32Array, from: number, { fragments, links }: PackingInput): OldestInWindow {
  const spanning = new Set<number>();
  if (!links.any) return { isOldest: () => true, spanning };
  const seen = new Set<Fragment>();
  const oldest = new Set<number>();
  for (let rank = from; rank < positions.length; rank++) {
    const fragment = fragments[positions[rank]!]!;
    if (seen.has(fragment)) continue;
    oldest.add(fragment.inputIndex);
    for (const member of links.groupOf(fragment)) {
      seen.add(member);
      spanning.add(member.inputIndex);
    }
  }
  return { isOldest: (i) => oldest.has(i), spanning };
}
