import type { Fragment } from "../model/fragment.js";
import type { Nominated, PlacedNomination } from "../model/nomination.js";

/** The nominations with only those fragments that remain; scores stay with their fragments. */
export function keepInRunning({ nominations, fragments }: Nominated, remaining: ReadonlySet<Fragment>): Nominated {
  const positions = new Set([...remaining].map(({ inputIndex }) => inputIndex));
  return {
    nominations: nominations.map((nomination) => keepOf(nomination, positions)),
    fragments: fragments.filter((fragment) => remaining.has(fragment)),
  };
}

function keepOf(nomination: PlacedNomination, remaining: ReadonlySet<number>): PlacedNomination {
  const { positions, scores, suffixFrom } = nomination;
  const remains = (_: unknown, rank: number): boolean => remaining.has(positions[rank]!);
  return {
    ...nomination,
    positions: positions.filter(remains),
    ...(suffixFrom !== undefined && { suffixFrom: positions.subarray(0, suffixFrom).filter(remains).length }),
    scores: Float64Array.from(scores).filter(remains),
  };
}
