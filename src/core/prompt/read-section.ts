import { quote } from "../errors.js";
import type { Faults } from "../model/faults.js";
import { checkLength } from "../model/request.js";
import type { Layout } from "./layouts.js";
import type { PromptPart, PromptSection, TrimPolicy } from "./sections.js";

/** A section as a caller gives it: the shape of the wire message. */
export interface SectionDraft {
  name: string;
  title: string;
  parts: readonly PromptPart[];
  policy?: { policy?: PolicyDraft | undefined } | undefined;
}

/** A policy as the wire carries it. */
export type PolicyDraft =
  | { readonly $case: "keep" | "drop"; readonly value: unknown }
  | { readonly $case: "headLines"; readonly value: { readonly lines: number } }
  | { readonly $case: "shorten"; readonly value: { readonly floorCharacters: number } };

/** What is needed to read a section. */
interface SectionSurroundings {
  readonly layout: Layout;
  readonly faults: Faults;
  readonly maxContentCharacters: number;
}

const SECTION_LIMITS = { nameCharacters: 128, titleCharacters: 256, labelCharacters: 1_024 } as const;

/** Checks a section, and fills in what its layout knows. Faults go to `faults`; the result then means nothing. */
export function readSection(draft: SectionDraft, path: string, around: SectionSurroundings): PromptSection {
  const { layout, faults, maxContentCharacters } = around;
  const { name } = draft;
  const known = layout.sections?.find((section) => section.name === name);
  if (layout.sections !== undefined && known === undefined) {
    const allowed = layout.sections.map((section) => section.name).join(", ");
    faults.add(`${path}.name`, `is ${quote(name)}; this layout has ${allowed}`);
  } else if (name === "") faults.add(`${path}.name`, "is empty; a name is required");
  else checkLength(name, `${path}.name`, SECTION_LIMITS.nameCharacters, faults);
  checkHeading(draft.title, `${path}.title`, SECTION_LIMITS.titleCharacters, faults);
  draft.parts.forEach(({ label, content }, i) => {
    checkHeading(label, `${path}.parts[${i}].label`, SECTION_LIMITS.labelCharacters, faults);
    checkLength(content, `${path}.parts[${i}].content`, maxContentCharacters, faults);
  });
  return {
    name,
    title: draft.title === "" ? (known?.title ?? "") : draft.title,
    parts: draft.parts.filter(({ content }) => content !== ""),
    policy: readPolicy(draft, `${path}.policy`, faults) ?? known?.policy ?? { kind: "keep" },
  };
}

function readPolicy({ policy: given }: SectionDraft, path: string, faults: Faults): TrimPolicy | undefined {
  if (given === undefined) return undefined;
  const { policy } = given;
  switch (policy?.$case) {
    case undefined:
      faults.add(path, "says nothing; allowed are keep, drop, head_lines and shorten");
      return undefined;
    case "keep":
    case "drop":
      return { kind: policy.$case };
    case "headLines": {
      const { lines } = policy.value;
      if (!(lines >= 1)) faults.add(`${path}.head_lines.lines`, `is ${lines}; allowed are whole numbers from 1`);
      return { kind: "head_lines", lines };
    }
    case "shorten": {
      const { floorCharacters } = policy.value;
      if (!(floorCharacters >= 0)) {
        faults.add(`${path}.shorten.floor_characters`, `is ${floorCharacters}; allowed are whole numbers from 0`);
      }
      return { kind: "shorten", floorCharacters };
    }
  }
}

function checkHeading(text: string, path: string, limit: number, faults: Faults): void {
  checkLength(text, path, limit, faults);
  if (/[\r\n]/.test(text)) faults.add(path, "has a line break; a heading is one line");
}
