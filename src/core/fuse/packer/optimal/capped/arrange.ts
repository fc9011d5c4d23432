/** The order in which open classes are decided: what is left of a cap is to be known as early as can be. */
import type { OpenLevel } from "./open-core.js";

/** A class, or a network: what is decided in one go. */
export interface Unit {
  readonly levels: readonly OpenLevel[];
  readonly touched: OpenLevel["touched"];
  /** What the nearest choice beside the best loses. */
  readonly second: number;
}

export interface Arranged {
  readonly levels: readonly OpenLevel[];
  /** By level: the part that it stands in, from 0. */
  readonly parts: Int32Array;
  /** What the nearest of the levels that were left out loses at least; infinite where none was. */
  readonly outer: number;
}

/**
 * Parts of units, the nearest to being undecided first in each, and of each no more than so many. The cap that the fewest levels take
 * something of comes first, with all that do, then the cap that the fewest of the others take something of, and so on; last come those
 * that take of no cap. Expects the units in the order of nearness. O(caps squared x levels).
 */
export function arrange(units: readonly Unit[], width: number, most: number): Arranged {
  const arranged: OpenLevel[] = [];
  const parts: number[] = [];
  let outer = Number.POSITIVE_INFINITY;
  let rest = units;
  let part = 0;
  const take = (own: readonly Unit[]): void => {
    for (const { levels } of own.slice(0, most)) {
      for (const level of levels) {
        arranged.push(level);
        parts.push(part);
      }
    }
    if (own.length > most) outer = Math.min(outer, own[most]!.second);
    if (own.length > 0) part++;
  };
  const caps = new Set(Array.from({ length: width - 1 }, (_, cap) => 1 + cap));
  while (caps.size > 0 && rest.length > 0) {
    const scarcest = scarcestOf(caps, rest);
    caps.delete(scarcest);
    take(rest.filter(({ touched }) => touched[scarcest] === 1));
    rest = rest.filter(({ touched }) => touched[scarcest] === 0);
  }
  take(rest);
  return { levels: arranged, parts: Int32Array.from(parts), outer };
}

function scarcestOf(caps: Iterable<number>, units: readonly Unit[]): number {
  let scarcest = 0;
  let fewest = Number.POSITIVE_INFINITY;
  for (const cap of caps) {
    const count = units.reduce((sum, { touched, levels }) => sum + touched[cap]! * levels.length, 0);
    if (count >= fewest) continue;
    fewest = count;
    scarcest = cap;
  }
  return scarcest;
}

/** By limit: how many first levels it takes until no further one takes something of it. */
export function reachesOf(levels: readonly OpenLevel[], width: number): Int32Array {
  return Int32Array.from(
    { length: width },
    (_, limit) => levels.findLastIndex(({ touched }) => touched[limit] === 1) + 1,
  );
}

/** By limit: the first level that takes something of it; that after the last where none does. */
export function startsOf(levels: readonly OpenLevel[], width: number): Int32Array {
  return Int32Array.from({ length: width }, (_, limit) => {
    const first = levels.findIndex(({ touched }) => touched[limit] === 1);
    return first < 0 ? levels.length : first;
  });
}
