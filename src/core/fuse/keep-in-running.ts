import type { Nominated, PlacedNomination } from "../choose/execute-strategies.js";
import type { Fragment } from "../model/fragment.js";

/** The nominations with only those fragments that remain; scores stay with their fragments. */
export function keepInRunning({ nominations, fragments }: Nominated, remaining: ReadonlySet<Fragment>): Nominated {
  return {
    nominations: nominations.map((nomination) => keepOf(nomination, remaining)),
    fragments: fragments.filter((fragment) => remaining.has(fragment)),
  };
}

function keepOf(nomination: PlacedNomination, remaining: ReadonlySet<Fragment>): PlacedNomination {
  const { fragments, positions, scores } = nomination;
  const remains = (_: unknown, rank: number): boolean => remaining.has(fragments[rank]!);
  return {
    ...nomination,
    fragments: fragments.filter(remains),
    positions: positions.filter(remains),
    ...(scores && { scores: Float64Array.from(scores).filter(remains) }),
  };
}
