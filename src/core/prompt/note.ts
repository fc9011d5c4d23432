import { cutToUnits } from "../model/text.js";
import type { Cut } from "./trim.js";

/** The most UTF-16 units of a note. */
export const MAX_NOTE_CHARACTERS = 240;

/** Stands in a template for the list of what was cut. */
const PLACEHOLDER = "{cuts}";

/** The note of a request that has no template of its own. */
export const DEFAULT_NOTE = `Note: this prompt was cut to fit its token budget: ${PLACEHOLDER}.`;

/** Says what was cut, so that whoever reads the prompt does not take it for the whole. */
export function noteOn(cuts: readonly Cut[], template: string): string {
  const list = shorten(cuts.map(describe).join(", "));
  return shorten(template.replaceAll(PLACEHOLDER, () => list));
}

function describe({ section: { name, policy }, kind }: Cut): string {
  switch (kind) {
    case "dropped":
      return `${name} left out`;
    case "shortened":
      return `${name} shortened`;
    case "head_lines":
      return policy.kind === "head_lines" ? `${name} cut to ${policy.lines} lines` : name;
  }
}

function shorten(text: string): string {
  return text.length <= MAX_NOTE_CHARACTERS ? text : `${cutToUnits(text, MAX_NOTE_CHARACTERS - 1)}…`;
}
