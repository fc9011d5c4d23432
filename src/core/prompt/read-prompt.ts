import { quote } from "../errors.js";
import { createFaults, type Faults } from "../model/faults.js";
import { checkLength } from "../model/request.js";
import { DEFAULT_LAYOUT, LAYOUTS, type Layout } from "./layouts.js";
import { DEFAULT_NOTE } from "./note.js";
import { readSection, type SectionDraft } from "./read-section.js";
import type { PromptSection } from "./sections.js";

/** A request as a caller gives it: the shape of the wire message. */
export interface PromptDraft {
  sections: readonly SectionDraft[];
  layout: string;
  budget: number;
  marginPercent?: number | undefined;
  noteTemplate: string;
  trimOrder: readonly string[];
}

/** A valid request with nothing absent. */
export interface PromptRequest {
  /** In the order in which they print. */
  readonly sections: readonly PromptSection[];
  /** All of them, the first to be trimmed first. */
  readonly trimOrder: readonly PromptSection[];
  /** The section that the note follows; undefined: the note comes first. */
  readonly noteAfter: string | undefined;
  readonly noteTemplate: string;
  readonly budget: number;
  readonly marginPercent: number;
}

/** The sizes of a prompt. The characters of all texts together are UTF-16 units; up to so many, no product of two lengths is rounded. */
export const PROMPT_LIMITS = {
  sections: 256,
  parts: 10_000,
  characters: 16_000_000,
  noteCharacters: 1_000,
  maxTokens: 2_147_483_647,
} as const;

const DEFAULT_MARGIN_PERCENT = 10;

/** Checks a request and fills in what is absent. Throws one `ContextError` that names every fault. */
export function readPrompt(draft: PromptDraft, limits: { readonly maxContentCharacters: number }): PromptRequest {
  const faults = createFaults();
  const { budget, marginPercent = DEFAULT_MARGIN_PERCENT } = draft;
  const layout = readLayout(draft.layout, faults);
  checkSizes(draft.sections, faults);
  const given = draft.sections.map((section, i) => {
    return readSection(section, `sections[${i}]`, {
      layout,
      faults,
      maxContentCharacters: limits.maxContentCharacters,
    });
  });
  checkUnique(draft.sections, faults);
  checkWhole(budget, "budget", [1, PROMPT_LIMITS.maxTokens], faults);
  checkWhole(marginPercent, "margin_percent", [0, 100], faults);
  const noteTemplate = readNoteTemplate(draft.noteTemplate, faults);
  checkTrimOrder(draft, faults);
  faults.throwIfAny();
  const sections = arrange(given, layout.sections?.map(({ name }) => name) ?? []);
  const usualOrder = layout.trimOrder ?? given.map(({ name }) => name).reverse();
  const trimOrder = arrange(sections, [...draft.trimOrder, ...usualOrder]);
  return { sections, trimOrder, noteAfter: layout.noteAfter, noteTemplate, budget, marginPercent };
}

/** The sections in the order of some names, the first place of each; those without a place come last. */
function arrange(sections: readonly PromptSection[], names: readonly string[]): PromptSection[] {
  const places = new Map([...new Set(names)].map((name, place) => [name, place]));
  const placeOf = ({ name }: PromptSection): number => places.get(name) ?? places.size;
  return [...sections].sort((a, b) => placeOf(a) - placeOf(b));
}

function readLayout(name: string, faults: Faults): Layout {
  const layout = LAYOUTS.get(name === "" ? DEFAULT_LAYOUT : name);
  if (layout === undefined) {
    faults.add("layout", `is ${quote(name)}; allowed are ${[...LAYOUTS.keys()].join(", ")}`);
  }
  return layout ?? {};
}

function readNoteTemplate(template: string, faults: Faults): string {
  checkLength(template, "note_template", PROMPT_LIMITS.noteCharacters, faults);
  if (template !== "" && template.trim() === "") faults.add("note_template", "is blank; a note says something");
  return template === "" ? DEFAULT_NOTE : template;
}

function checkSizes(sections: readonly SectionDraft[], faults: Faults): void {
  const parts = sections.flatMap((section) => section.parts);
  const characters = parts.reduce((sum, { content }) => sum + content.length, 0);
  const check = (count: number, limit: number, what: string): void => {
    if (count > limit) faults.add("sections", `has ${count} ${what}; at most ${limit} are allowed`);
  };
  check(sections.length, PROMPT_LIMITS.sections, "entries");
  check(parts.length, PROMPT_LIMITS.parts, "parts");
  check(characters, PROMPT_LIMITS.characters, "characters");
}

function checkUnique(sections: readonly SectionDraft[], faults: Faults): void {
  const seen = new Map<string, number>();
  sections.forEach(({ name }, i) => {
    const before = seen.get(name);
    if (before === undefined) seen.set(name, i);
    else if (name !== "") {
      faults.add(`sections[${i}].name`, `is ${quote(name)}, as sections[${before}] is; names are unique`);
    }
  });
}

function checkTrimOrder({ trimOrder, sections }: PromptDraft, faults: Faults): void {
  const names = new Set(sections.map(({ name }) => name));
  const seen = new Set<string>();
  trimOrder.forEach((name, i) => {
    if (!names.has(name)) faults.add(`trim_order[${i}]`, `is ${quote(name)}, which is no section's name`);
    else if (seen.has(name)) faults.add(`trim_order[${i}]`, `is ${quote(name)} once more; each name may stand once`);
    seen.add(name);
  });
}

function checkWhole(value: number, path: string, [least, most]: readonly [number, number], faults: Faults): void {
  if (!Number.isInteger(value) || value < least || value > most) {
    faults.add(path, `is ${value}; allowed are whole numbers from ${least} to ${most}`);
  }
}
