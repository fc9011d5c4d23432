import { cutToUnits } from "../model/text.js";
import type { PromptPart } from "./sections.js";

/**
 * Shortens parts in proportion to their length, so that together they have at most so many UTF-16 units. A part whose share is below the
 * floor is held at the floor, or whole where it is no longer than that, and leaves the proportion: the others share what remains. Where the
 * floors alone are more than there is room for, every part is held at the floor and the result is too long.
 */
export function shortenParts(parts: readonly PromptPart[], floorCharacters: number, roomUnits: number): PromptPart[] {
  let total = parts.reduce((sum, { content }) => sum + content.length, 0);
  if (total <= roomUnits) return [...parts];
  let room = roomUnits;
  const share = (length: number): number => Math.floor((room * length) / total);
  const held = new Set<PromptPart>();
  // The shorter a part the smaller its share, and each part that is held lowers the shares of the others: one pass finds all.
  for (const part of [...parts].sort((a, b) => a.content.length - b.content.length)) {
    const { length } = part.content;
    if (share(length) >= floorCharacters) break;
    held.add(part);
    room -= Math.min(length, floorCharacters);
    total -= length;
  }
  return parts.map((part) => cutPart(part, held.has(part) ? floorCharacters : share(part.content.length)));
}

/** The parts as short as the floor lets them be. */
export function cutToFloor(parts: readonly PromptPart[], floorCharacters: number): PromptPart[] {
  return parts.map((part) => cutPart(part, floorCharacters));
}

function cutPart(part: PromptPart, units: number): PromptPart {
  return { ...part, content: cutToUnits(part.content, units) };
}
