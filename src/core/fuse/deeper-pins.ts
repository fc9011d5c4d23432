import type { Fragment } from "../model/fragment.js";
import type { Committed } from "./commit-pins.js";
import type { Links } from "./links.js";

/** An alternative that pins would bring instead of what they bring now. */
export interface DeeperPin {
  readonly fragment: Fragment;
  /** How many more tokens there must be at least for the pins to take it. */
  readonly lacks: number;
}

/**
 * The deeper alternatives of what pins brought from their groups: with a larger budget they are taken first, and leave less to everything
 * else.
 */
export function deeperPins(
  links: Links,
  { fragments, tokens }: Committed,
  availableTokens: number,
): readonly DeeperPin[] {
  if (!links.any || fragments.size === 0) return [];
  const deeper: DeeperPin[] = [];
  // What is pinned or required by name is never another alternative.
  const named = new Set([...fragments].flatMap((fragment) => links.requiredBy(fragment)));
  const groups = new Set<string>();
  for (const { groupId } of fragments) if (groupId !== "") groups.add(groupId);
  for (const fragment of fragments) {
    if (!groups.delete(fragment.groupId)) continue;
    for (const part of links.partsOf(fragment)) {
      const at = part.findIndex((member) => fragments.has(member));
      if (part.some((member) => member.pinned || named.has(member))) continue;
      for (const variant of part.slice(0, Math.max(0, at))) {
        const lacks = Math.max(1, tokens + variant.tokenCount - part[at]!.tokenCount - availableTokens);
        deeper.push({ fragment: variant, lacks });
      }
    }
  }
  return deeper;
}
