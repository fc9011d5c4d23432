/**
 * What no strategy nominated enters with what requires it, so it lacks what the first of those lacks: outside a window, say, where the
 * window has no room for a message that needs an older one. Of a group's alternatives the deepest is taken to come, which makes an estimate.
 */
import type { Fragment } from "../model/fragment.js";
import type { Slices } from "../run-in-slices.js";
import { Slice } from "../slice.js";
import type { Links } from "./links.js";
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
  const isIn = ({ inputIndex }: Fragment): boolean => chosenBy[inputIndex] !== 0;
  const mayCome = ({ inputIndex: i }: Fragment): boolean => isNominated[i] === 0 && out[i] === 0 && chosenBy[i] === 0;
  const lacking = links.tied.filter(({ inputIndex: i }) => isNominated[i] === 1 && found.tokens[i]! >= 0);
  lacking.sort((a, b) => found.tokens[a.inputIndex]! - found.tokens[b.inputIndex]!);
  const tokens = found.tokens.slice();
  const estimates = new Set(found.estimates);
  const brought = new Set<Fragment>();
  // Whoever lacks least comes first; then whoever makes an estimate of it, since in truth it may come before.
  for (const isSecond of [false, true]) {
    const seen: Seen = { fragments: new Set(), groups: new Set() };
    for (const lead of lacking) {
      if (isSecond && !found.estimates.has(lead.inputIndex)) continue;
      for (const { fragment, isSure } of neededBy(lead, links, isIn, seen)) {
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

/** What a fragment must have or, of alternatives that nothing names, the deepest, which may be another one. */
interface Needed {
  readonly fragment: Fragment;
  readonly isSure: boolean;
}

/** What has been looked at by walks. */
interface Seen {
  readonly fragments: Set<Fragment>;
  readonly groups: Set<readonly Fragment[]>;
}

/** What a fragment needs, transitively, but for what is in, and what was seen before. */
function* neededBy(lead: Fragment, links: Links, isIn: (fragment: Fragment) => boolean, seen: Seen): Generator<Needed> {
  const waiting: Needed[] = [];
  const nameRequired = (by: Fragment, isSure: boolean): void => {
    for (const fragment of links.requiredBy(by)) waiting.push({ fragment, isSure });
  };
  const partners = function* (of: Fragment, isSure: boolean): Generator<Needed> {
    const group = links.groupOf(of);
    if (group.length === 1 || seen.groups.has(group)) return;
    seen.groups.add(group);
    for (const part of links.partsOf(of)) {
      if (part.includes(of) || part.some(isIn)) continue;
      yield { fragment: part[0]!, isSure: isSure && part.length === 1 };
    }
  };
  nameRequired(lead, true);
  for (const { fragment, isSure } of partners(lead, true)) nameRequired(fragment, isSure);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (isIn(next.fragment) || seen.fragments.has(next.fragment)) continue;
    seen.fragments.add(next.fragment);
    yield next;
    nameRequired(next.fragment, next.isSure);
    waiting.push(...partners(next.fragment, next.isSure));
  }
}
