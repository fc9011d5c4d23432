/** Prompts for tests, by the texts of their sections. */
import { type FittedPrompt, fitPrompt } from "./fit-prompt.js";
import { type PromptDraft, readPrompt } from "./read-prompt.js";
import type { PolicyDraft, SectionDraft } from "./read-section.js";

/** The texts of the layout `review`; an absent one is a section that is not there. */
export interface ReviewTexts {
  readonly instructions?: string;
  readonly roadmap?: string;
  readonly project?: string;
  /** By file name. */
  readonly plans?: Readonly<Record<string, string>>;
  readonly context?: string;
  readonly research?: string;
  readonly requirements?: string;
}

/** A section without a policy of its own. */
export function section(name: string, ...contents: readonly string[]): SectionDraft {
  return { name, title: "", parts: contents.map((content) => ({ label: "", content })) };
}

/** The same section with a policy. */
export function withPolicy(draft: SectionDraft, policy: PolicyDraft): SectionDraft {
  return { ...draft, policy: { policy } };
}

export const KEEP: PolicyDraft = { $case: "keep", value: {} };
export const DROP: PolicyDraft = { $case: "drop", value: {} };
export const headLinesPolicy = (lines: number): PolicyDraft => ({ $case: "headLines", value: { lines } });
export const shortenPolicy = (floorCharacters: number): PolicyDraft => ({
  $case: "shorten",
  value: { floorCharacters },
});

export function promptDraft(sections: readonly SectionDraft[], fields: Partial<PromptDraft> = {}): PromptDraft {
  return { sections, layout: "plain", budget: 1_000_000, noteTemplate: "", trimOrder: [], ...fields };
}

/** Fits sections as they are given. */
export function fitPlain(sections: readonly SectionDraft[], budget: number, fields: Partial<PromptDraft> = {}) {
  return fitPrompt(readPrompt(promptDraft(sections, { budget, ...fields }), { maxContentCharacters: 1_000_000 }));
}

export function reviewSections({ plans = {}, ...texts }: ReviewTexts): SectionDraft[] {
  const parts = Object.entries(plans).map(([label, content]) => ({ label, content }));
  return [
    ...Object.entries(texts).map(([name, content]) => section(name, content as string)),
    { name: "plans", title: "", parts },
  ];
}

/** Fits the layout `review`. */
export function fitReview(texts: ReviewTexts, budget: number, fields: Partial<PromptDraft> = {}): FittedPrompt {
  return fitPlain(reviewSections(texts), budget, { layout: "review", ...fields });
}

/** What stands in a prompt under a heading, up to the next heading. */
export function textUnder(prompt: string, heading: string): string {
  const start = prompt.indexOf(`${heading}\n\n`);
  if (start < 0) throw new Error(`there is no heading ${heading}`);
  const rest = prompt.slice(start + heading.length + 2);
  const end = rest.search(/\n\n##/);
  return end < 0 ? rest : rest.slice(0, end);
}

/** So many lines of so many characters, without a break at the end. */
export function linesOf(count: number, characters: number, lineBreak = "\n"): string {
  return Array.from({ length: count }, () => "x".repeat(characters)).join(lineBreak);
}
