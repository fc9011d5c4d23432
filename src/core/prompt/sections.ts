/** What may be done to a section where the prompt is over its budget. */
export type TrimPolicy =
  /** It is never shortened. */
  | { readonly kind: "keep" }
  /** It goes as a whole. */
  | { readonly kind: "drop" }
  /** Its first lines stay, counted through all parts; at least 1. */
  | { readonly kind: "head_lines"; readonly lines: number }
  /** Its parts are shortened in proportion to their length, none below the floor in UTF-16 units, and none goes. */
  | { readonly kind: "shorten"; readonly floorCharacters: number };

/** A part of a section, such as one file. */
export interface PromptPart {
  /** Its own heading; empty: none. */
  readonly label: string;
  readonly content: string;
}

/** A section of a prompt. */
export interface PromptSection {
  /** Unique in a prompt. */
  readonly name: string;
  /** Its heading; empty: none. */
  readonly title: string;
  /** Those that have a text. None: the section prints nothing, and nothing can be cut of it. */
  readonly parts: readonly PromptPart[];
  readonly policy: TrimPolicy;
}

/** UTF-16 units of a section's texts, without its headings. */
export function textLength({ parts }: PromptSection): number {
  return parts.reduce((sum, { content }) => sum + content.length, 0);
}
