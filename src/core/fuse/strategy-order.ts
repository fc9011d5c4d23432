import type { Fragment } from "../model/fragment.js";
import type { PlacedNomination } from "../model/nomination.js";
import { compareTotal } from "../order/total-order.js";
import { NOT_NOMINATED, type Packing, type PackingInput } from "./packing.js";

/**
 * The input positions of what was chosen: the first strategy's choices as it ranked them, then the next's. What was brought in without a
 * nomination stands before the one that brought it, and pins without a nomination before everything; but where the first strategy is a
 * window, and for what a window brought, at their place by age.
 */
export function strategyOrder(input: PackingInput, packing: Packing): Uint32Array {
  const { committed, nominations, fragments } = input;
  const { chosenBy, required } = packing;
  const ordered = new Uint32Array(chosenBy.length);
  let count = 0;
  const put = (uninvited: readonly Fragment[]): void => {
    for (const { inputIndex } of [...uninvited].sort(compareTotal)) ordered[count++] = inputIndex;
  };
  const pins = [...committed].filter(({ inputIndex }) => chosenBy[inputIndex] === NOT_NOMINATED);
  const brought = broughtBy(nominations, chosenBy, required);
  const pinsInWindow = nominations[0]?.suffixFrom !== undefined;
  if (!pinsInWindow) put(pins);
  nominations.forEach((nomination, k) => {
    const { positions, suffixFrom } = nomination;
    const extras = k === 0 && pinsInWindow ? pins : [];
    const ranks = suffixFrom ?? positions.length;
    for (let rank = 0; rank < ranks; rank++) {
      const i = positions[rank]!;
      if (chosenBy[i] !== k + 1) continue;
      if (brought.size > 0 && suffixFrom === undefined) put(brought.get(fragments[i]!) ?? []);
      ordered[count++] = i;
    }
    if (suffixFrom === undefined) return;
    for (const i of windowByAge(nomination, suffixFrom, k + 1, [...extras, ...[...brought.values()].flat()], packing)) {
      ordered[count++] = i;
    }
  });
  return ordered.subarray(0, count);
}

/** The chosen part of a window, with what came in beside it, by age, which is input order. */
function windowByAge(
  { positions }: PlacedNomination,
  from: number,
  number: number,
  extras: readonly Fragment[],
  { chosenBy }: Packing,
): number[] {
  const inside = [...positions.subarray(from)].filter((i) => chosenBy[i] === number);
  const beside = extras
    .map(({ inputIndex }) => inputIndex)
    .filter((i) => chosenBy[i] === number || chosenBy[i] === NOT_NOMINATED);
  return [...inside, ...beside].sort((a, b) => a - b);
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
    if (nominated[chosenBy[i]! - 1]?.has(i)) continue;
    const others = brought.get(by);
    if (others === undefined) brought.set(by, [fragment]);
    else others.push(fragment);
  }
  return brought;
}
