import type { Links } from "../fuse/links.js";
import type { Fragment } from "../model/fragment.js";
import type { PlacedNomination } from "./execute-strategies.js";

/**
 * In a ranking the members of a group stand together, where the best of them stands, oldest first; each keeps its score. A group that the
 * strategy did not nominate whole cannot be whole, so what it did nominate of it goes.
 */
export function gatherGroups(nomination: PlacedNomination, links: Links): PlacedNomination {
  const { fragments, scores } = nomination;
  if (!links.any || fragments.every((fragment) => links.groupOf(fragment).length === 1)) return nomination;
  const places = new Map(fragments.map((fragment, place) => [fragment, place]));
  const gathered = new Set<Fragment>();
  for (const fragment of fragments) {
    const group = links.groupOf(fragment);
    if (group.every((member) => places.has(member))) for (const member of group) gathered.add(member);
  }
  const ranked = [...gathered];
  return {
    ...nomination,
    fragments: ranked,
    positions: Uint32Array.from(ranked, ({ inputIndex }) => inputIndex),
    ...(scores && { scores: Float64Array.from(ranked, (fragment) => scores[places.get(fragment)!]!) }),
  };
}
