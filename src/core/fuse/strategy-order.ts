import type { Fragment } from "../model/fragment.js";
import type { PlacedNomination } from "../model/nomination.js";
import { compareTotal } from "../order/total-order.js";
import { NOT_NOMINATED, type Packing, type PackingInput } from "./packing.js";

/**
 * The input positions of what was chosen: the first strategy's choices as it ranked them, then the next's. What was brought in without a
 * nomination stands before the one that brought it, and pins without a nomination before everything; but where the first strategy is a
 * window, and for what a window brought, at their place by age, pins also where another strategy nominated them.
 */
export function strategyOrder(input: PackingInput, packing: Packing): Uint32Array {
  const { nominations, fragments } = input;
  const { chosenBy, required } = packing;
  const ordered = new Uint32Array(chosenBy.length);
  let count = 0;
  const put = (uninvited: readonly Fragment[]): void => {
    for (const { inputIndex } of [...uninvited].sort(compareTotal)) ordered[count++] = inputIndex;
  };
  const pins = standaloneIn(input, packing);
  const brought = broughtBy(nominations, chosenBy, required);
  const pinsInWindow = nominations[0]?.suffixFrom !== undefined;
  if (!pinsInWindow) put([...pins]);
  nominations.forEach(({ positions, suffixFrom }, k) => {
    // Where nothing is pinned, no fragment is looked at: they lie scattered in memory.
    const isOwn = (i: number): boolean => chosenBy[i] === k + 1 && (pins.size === 0 || !pins.has(fragments[i]!));
    const ranks = suffixFrom ?? positions.length;
    for (let rank = 0; rank < ranks; rank++) {
      const i = positions[rank]!;
      if (!isOwn(i)) continue;
      if (brought.size > 0 && suffixFrom === undefined) put(brought.get(fragments[i]!) ?? []);
      ordered[count++] = i;
    }
    if (suffixFrom === undefined) return;
    // By age, which is input order, with what came in beside the window.
    const uninvited = [...brought.values()].flat().filter(({ inputIndex }) => chosenBy[inputIndex] === k + 1);
    const beside = k === 0 ? [...uninvited, ...pins] : uninvited;
    const inside = [...positions.subarray(suffixFrom)].filter(isOwn);
    const byAge = [...inside, ...beside.map(({ inputIndex }) => inputIndex)].sort((one, other) => one - other);
    for (const i of byAge) ordered[count++] = i;
  });
  return ordered.subarray(0, count);
}

/** What is committed and has no place in a nomination: where the first one is a window, whatever else nominated it. */
function standaloneIn({ committed, nominations }: PackingInput, { chosenBy }: Packing): ReadonlySet<Fragment> {
  if (committed.size === 0) return committed;
  const first = nominations[0];
  const inWindow = first?.suffixFrom === undefined ? undefined : new Set(first.positions);
  const isStandalone = ({ inputIndex }: Fragment): boolean =>
    chosenBy[inputIndex] === NOT_NOMINATED || (inWindow !== undefined && !inWindow.has(inputIndex));
  return new Set([...committed].filter(isStandalone));
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
