import type { PromptSection } from "./sections.js";

const BLANK_LINE = "\n\n";

/** A note, and the section that it follows; undefined: none. */
export interface PlacedNote {
  readonly text: string;
  readonly after: string | undefined;
}

/** The prompt as a text: headings and texts with a blank line between any two. */
export function renderPrompt(sections: readonly PromptSection[], note?: PlacedNote): string {
  return piecesOf(sections, note).join(BLANK_LINE);
}

/** The length of the rendered prompt, without a note. */
export function renderedLength(sections: readonly PromptSection[]): number {
  const width = sections.reduce((sum, section) => sum + widthOf(section), 0);
  return Math.max(0, width - BLANK_LINE.length);
}

/** What a section adds to the length of a prompt: its pieces, each with a blank line beside it. */
export function widthOf(section: PromptSection): number {
  return piecesOfSection(section).reduce((sum, piece) => sum + piece.length + BLANK_LINE.length, 0);
}

function piecesOf(sections: readonly PromptSection[], note?: PlacedNote): string[] {
  const pieces = sections.map(piecesOfSection);
  if (note !== undefined) {
    const anchor = sections.findIndex(({ name }) => name === note.after);
    pieces.splice(anchor + 1, 0, [note.text]);
  }
  return pieces.flat();
}

function piecesOfSection({ title, parts }: PromptSection): string[] {
  if (parts.length === 0) return [];
  const pieces = [heading("##", title), ...parts.flatMap(({ label, content }) => [heading("###", label), content])];
  return pieces.filter((piece) => piece !== "");
}

function heading(marks: string, text: string): string {
  return text === "" ? "" : `${marks} ${text}`;
}
