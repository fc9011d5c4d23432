import { headLines } from "./head-lines.js";
import { renderedLength, widthOf } from "./render.js";
import { type PromptSection, textLength } from "./sections.js";
import { cutToFloor, shortenParts } from "./shorten.js";
import { unitsOfTokens } from "./size.js";

/** What was done to one section. */
export interface Cut {
  readonly section: PromptSection;
  readonly kind: "dropped" | "head_lines" | "shortened";
}

/**
 * Trims one section after the other while the rendered prompt is over a limit. A section that was dropped or cut to its first lines stays so;
 * those that are shortened are fitted from their originals to the room that is left at the end, so that what another gave up goes back to
 * them. That is the same as fitting them anew after each step: a step is not enough exactly where even the least that it allows is too much.
 *
 * @param order the sections, the first to be trimmed first
 */
export function trimSections(
  sections: readonly PromptSection[],
  order: readonly PromptSection[],
  limitTokens: number,
): { readonly sections: readonly PromptSection[]; readonly cuts: readonly Cut[] } {
  const limitUnits = unitsOfTokens(limitTokens);
  const reached = reachedSections(sections, order, limitUnits);
  const trimmed = new Map(sections.map((section) => [section, reached.has(section) ? cutDown(section) : section]));
  let over = renderedLength([...trimmed.values()]) - limitUnits;
  for (const section of reached) {
    if (section.policy.kind !== "shorten" || over <= 0) continue;
    const parts = shortenParts(section.parts, section.policy.floorCharacters, textLength(section) - over);
    const shortened = { ...section, parts };
    trimmed.set(section, shortened);
    over -= widthOf(section) - widthOf(shortened);
  }
  return { sections: [...trimmed.values()], cuts: order.flatMap((section) => cutOf(section, trimmed.get(section)!)) };
}

/** As many sections as must be trimmed until the prompt is within the limit, were each as short as it can be; else all. */
function reachedSections(
  sections: readonly PromptSection[],
  order: readonly PromptSection[],
  limitUnits: number,
): ReadonlySet<PromptSection> {
  const reached = new Set<PromptSection>();
  let over = renderedLength(sections) - limitUnits;
  for (const section of order) {
    if (over <= 0) break;
    reached.add(section);
    over -= widthOf(section) - widthOf(leastOf(section));
  }
  return reached;
}

/** The section as short as its policy lets it be. */
function leastOf(section: PromptSection): PromptSection {
  if (section.policy.kind !== "shorten") return cutDown(section);
  return { ...section, parts: cutToFloor(section.parts, section.policy.floorCharacters) };
}

/** The section after what does not depend on the room there is. */
function cutDown(section: PromptSection): PromptSection {
  switch (section.policy.kind) {
    case "keep":
    case "shorten":
      return section;
    case "drop":
      return { ...section, parts: [] };
    case "head_lines":
      return { ...section, parts: headLines(section.parts, section.policy.lines) };
  }
}

function cutOf(before: PromptSection, after: PromptSection): Cut[] {
  if (before.parts.length === after.parts.length && textLength(before) === textLength(after)) return [];
  const kinds = { keep: undefined, drop: "dropped", head_lines: "head_lines", shorten: "shortened" } as const;
  const kind = kinds[before.policy.kind];
  return kind === undefined ? [] : [{ section: before, kind }];
}
