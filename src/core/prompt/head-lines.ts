import type { PromptPart } from "./sections.js";

/** The parts that hold the first lines of all, the last of them cut where they end. */
export function headLines(parts: readonly PromptPart[], lines: number): PromptPart[] {
  const kept: PromptPart[] = [];
  let left = lines;
  for (const part of parts) {
    if (left === 0) break;
    const head = firstLines(part.content, left);
    kept.push({ ...part, content: head.text });
    left -= head.lines;
  }
  return kept;
}

/**
 * The start of a text that its first lines make up, and how many they are. A line ends with a line feed, a carriage return before it
 * included; a break at the very end of the text begins no further line. A cut takes the whole break after the last line.
 */
function firstLines(text: string, most: number): { text: string; lines: number } {
  let lines = 1;
  let feed = text.indexOf("\n");
  while (feed !== -1 && feed < text.length - 1) {
    if (lines === most) return { text: text.slice(0, text[feed - 1] === "\r" ? feed - 1 : feed), lines };
    lines++;
    feed = text.indexOf("\n", feed + 1);
  }
  return { text, lines };
}
