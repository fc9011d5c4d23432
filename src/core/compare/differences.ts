import type { Fragment } from "../model/fragment.js";
import type { Payload } from "../model/payload.js";
import { sortByKey } from "../order/by-key.js";
import { highestFirst } from "../order/keys.js";
import { compareTotal } from "../order/total-order.js";

/** A fragment that some variants kept and others did not. */
export interface Difference {
  readonly fragment: Fragment;
  /** Positions of the variants that kept it, rising. */
  readonly keptBy: readonly number[];
}

/** Where payloads of one input differ. Lists hold the most relevant first, equal ones in the total order. */
export interface Differences {
  readonly differences: readonly Difference[];
  /** Empty where there is no payload. */
  readonly keptByAll: readonly Fragment[];
  /** How many fragments are in no payload. */
  readonly keptByNone: number;
}

/** Compares what payloads hold of the same fragments; a variant without a payload takes no part. */
export function findDifferences(
  fragments: readonly Fragment[],
  payloads: readonly (Payload | undefined)[],
): Differences {
  const kept = payloads.flatMap((payload, position) =>
    payload === undefined ? [] : [{ position, marks: marksOf(payload, fragments.length) }],
  );
  const counts = new Uint16Array(fragments.length);
  for (const { marks } of kept) for (let i = 0; i < marks.length; i++) counts[i]! += marks[i]!;
  const differing = fragments.filter((_, i) => counts[i]! > 0 && counts[i]! < kept.length);
  const shared = fragments.filter((_, i) => counts[i]! > 0 && counts[i]! === kept.length);
  return {
    differences: mostRelevantFirst(differing).map((fragment) => ({
      fragment,
      keptBy: kept.filter(({ marks }) => marks[fragment.inputIndex] === 1).map(({ position }) => position),
    })),
    keptByAll: mostRelevantFirst(shared),
    keptByNone: fragments.length - differing.length - shared.length,
  };
}

/** By input position: 1 where a payload holds the fragment. */
function marksOf({ fragments }: Payload, fragmentCount: number): Uint8Array {
  const marks = new Uint8Array(fragmentCount);
  for (const { inputIndex } of fragments) marks[inputIndex] = 1;
  return marks;
}

function mostRelevantFirst(fragments: readonly Fragment[]): readonly Fragment[] {
  return sortByKey(fragments, ({ relevanceScore }) => highestFirst(relevanceScore), compareTotal);
}
