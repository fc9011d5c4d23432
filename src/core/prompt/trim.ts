import { headLines } from "./head-lines.js";
import { renderedLength } from "./render.js";
import { type PromptSection, textLength } from "./sections.js";
import { shortenParts } from "./shorten.js";
import { tokensOfUnits, unitsOfTokens } from "./size.js";

/** What was done to one section. */
export interface Cut {
  readonly section: PromptSection;
  readonly kind: "dropped" | "head_lines" | "shortened";
}

/**
 * Trims one section after the other while the rendered prompt is over a limit. A section that was dropped or cut to its first lines stays so;
 * those that are shortened are fitted again from their originals at each step, so that room that another gave up goes back to them.
 *
 * @param order the sections, the first to be trimmed first
 */
export function trimSections(
  sections: readonly PromptSection[],
  order: readonly PromptSection[],
  limitTokens: number,
): { readonly sections: readonly PromptSection[]; readonly cuts: readonly Cut[] } {
  const reached = new Set<PromptSection>();
  let trimmed = sections;
  for (const section of order) {
    if (!isOver(trimmed, limitTokens)) break;
    reached.add(section);
    trimmed = trimReached(sections, reached, limitTokens);
  }
  const after = new Map(trimmed.map((section) => [section.name, section]));
  return { sections: trimmed, cuts: order.flatMap((section) => cutOf(section, after.get(section.name)!)) };
}

function isOver(sections: readonly PromptSection[], limitTokens: number): boolean {
  return tokensOfUnits(renderedLength(sections)) > limitTokens;
}

function trimReached(
  sections: readonly PromptSection[],
  reached: ReadonlySet<PromptSection>,
  limitTokens: number,
): readonly PromptSection[] {
  let trimmed = sections.map((section) => (reached.has(section) ? cutDown(section) : section));
  for (const section of reached) {
    if (section.policy.kind !== "shorten" || !isOver(trimmed, limitTokens)) continue;
    const others = renderedLength(trimmed) - textLength(section);
    const room = unitsOfTokens(limitTokens) - others;
    const parts = shortenParts(section.parts, section.policy.floorCharacters, room);
    trimmed = trimmed.map((each) => (each === section ? { ...section, parts } : each));
  }
  return trimmed;
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
