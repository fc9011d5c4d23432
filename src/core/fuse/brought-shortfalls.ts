/**
 * What no strategy nominated enters with what requires it, so it lacks what the first of those lacks: outside a window, say, where the
 * window has no room for a message that needs an older one.
 */
import type { Fragment } from "../model/fragment.js";
import type { Slices } from "../run-in-slices.js";
import { Slice } from "../slice.js";
import type { Packing, PackingInput, Shortfalls } from "./packing.js";

/** Shortfalls with those of what would have been brought, which are listed. */
export interface WithBrought extends Shortfalls {
  readonly brought: readonly Fragment[];
}

/** True where something requires what no strategy nominated. */
export function mayBring({ links, nominations, out }: PackingInput): boolean {
  if (!links.any) return false;
  const isNominated = markNominated(nominations, out.length);
  return links.tied.some((fragment) =>
    links.requiredBy(fragment).some(({ inputIndex }) => isNominated[inputIndex] === 0),
  );
}

function markNominated(nominations: PackingInput["nominations"], count: number): Uint8Array {
  const isNominated = new Uint8Array(count);
  for (const { positions } of nominations) {
    for (let rank = 0; rank < positions.length; rank++) isNominated[positions[rank]!] = 1;
  }
  return isNominated;
}

/** Adds the shortfalls of fragments that nobody nominated, and that something over budget would have brought. */
export function* addBrought(found: Shortfalls, input: PackingInput, { chosenBy }: Packing): Slices<WithBrought> {
  if (!mayBring(input)) return { ...found, brought: [] };
  yield;
  const { links, out } = input;
  const slice = new Slice();
  const isNominated = markNominated(input.nominations, chosenBy.length);
  const mayCome = ({ inputIndex: i }: Fragment): boolean => isNominated[i] === 0 && out[i] === 0 && chosenBy[i] === 0;
  const lacking = links.tied.filter(({ inputIndex: i }) => isNominated[i] === 1 && found.tokens[i]! >= 0);
  lacking.sort((a, b) => found.tokens[a.inputIndex]! - found.tokens[b.inputIndex]!);
  const tokens = found.tokens.slice();
  const estimates = new Set(found.estimates);
  const brought = new Set<Fragment>();
  // Whoever lacks least comes first; then whoever makes an estimate of it, since in truth it may come before.
  for (const isSecond of [false, true]) {
    const seen = new Set<Fragment>();
    for (const lead of lacking) {
      if (isSecond && !found.estimates.has(lead.inputIndex)) continue;
      for (const { fragment, isSure } of requiredWith(lead, input, seen)) {
        if (slice.isOver()) yield;
        if (!mayCome(fragment)) continue;
        if (!brought.has(fragment)) tokens[fragment.inputIndex] = found.tokens[lead.inputIndex]!;
        brought.add(fragment);
        if (isSecond || !isSure) estimates.add(fragment.inputIndex);
      }
    }
  }
  return { tokens, estimates, brought: [...brought] };
}

/** What a fragment requires, transitively, but for what was seen before; of a group's alternatives it is not sure which one comes. */
function* requiredWith(
  lead: Fragment,
  { links }: PackingInput,
  seen: Set<Fragment>,
): Generator<{ readonly fragment: Fragment; readonly isSure: boolean }> {
  const waiting = links.groupOf(lead).flatMap((member) => links.requiredBy(member));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const part of links.partsOf(next)) {
      for (const fragment of part) {
        if (seen.has(fragment)) continue;
        seen.add(fragment);
        yield { fragment, isSure: part.length === 1 || fragment === next };
        waiting.push(...links.requiredBy(fragment));
      }
    }
  }
}
