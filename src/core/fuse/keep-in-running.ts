import type { Nominated } from "../choose/execute-strategies.js";
import type { Fragment } from "../model/fragment.js";
import type { Nomination } from "../stages.js";

/** The nominations with only those fragments that remain; scores stay with their fragments. */
export function keepInRunning({ nominations, fragments }: Nominated, remaining: ReadonlySet<Fragment>): Nominated {
  return {
    nominations: nominations.map((nomination) => keepOf(nomination, remaining)),
    fragments: fragments.filter((fragment) => remaining.has(fragment)),
  };
}

function keepOf(nomination: Nomination, remaining: ReadonlySet<Fragment>): Nomination {
  const { fragments, scores } = nomination;
  return {
    ...nomination,
    fragments: fragments.filter((fragment) => remaining.has(fragment)),
    ...(scores && { scores: Float64Array.from(scores).filter((_, i) => remaining.has(fragments[i]!)) }),
  };
}
