import { noteOn } from "./note.js";
import type { PromptRequest } from "./read-prompt.js";
import { renderPrompt } from "./render.js";
import { type PromptSection, textLength } from "./sections.js";
import { cutToFloor } from "./shorten.js";
import { effectiveTokens, estimateTokens, NOTE_RESERVE_TOKENS } from "./size.js";
import { type Cut, trimSections } from "./trim.js";

/** What was done to a prompt. */
export interface PromptReport {
  readonly budget: number;
  /** What the margin leaves of the budget. */
  readonly effectiveBudget: number;
  /** Tokens of the rendered prompt; after a hard fail those of the limit that failed. */
  readonly estimatedTokens: number;
  /** Names of the sections that were dropped, in that order. */
  readonly omitted: readonly string[];
  /** True where a section was cut to its first lines. */
  readonly projectShrunk: boolean;
  /** How much of the text that may be shortened is gone, in per cent, unrounded. */
  readonly planTruncationPercent: number;
  readonly hardFailed: boolean;
  /** Empty: none. */
  readonly failedLimit: "" | "minimum" | "rendered";
  readonly noteInjected: boolean;
}

/** A prompt, empty after a hard fail, and what was done to it. */
export interface FittedPrompt {
  readonly prompt: string;
  readonly report: PromptReport;
}

/** Renders a prompt, and trims it only where it is over its effective budget. That nothing fits is a result, not an error. */
export function fitPrompt(request: PromptRequest): FittedPrompt {
  const { sections, budget, marginPercent } = request;
  const effectiveBudget = effectiveTokens(budget, marginPercent);
  const untouched: PromptReport = {
    budget,
    effectiveBudget,
    estimatedTokens: 0,
    omitted: [],
    projectShrunk: false,
    planTruncationPercent: 0,
    hardFailed: false,
    failedLimit: "",
    noteInjected: false,
  };
  const whole = renderPrompt(sections);
  if (estimateTokens(whole) <= effectiveBudget) {
    return { prompt: whole, report: { ...untouched, estimatedTokens: estimateTokens(whole) } };
  }
  const minimum = minimumTokens(sections);
  if (minimum > effectiveBudget) return hardFail("minimum", { ...untouched, estimatedTokens: minimum });

  const { sections: trimmed, cuts } = trimSections(sections, request.trimOrder, effectiveBudget - NOTE_RESERVE_TOKENS);
  const note = { text: noteOn(cuts, request.noteTemplate), after: request.noteAfter };
  const prompt = renderPrompt(trimmed, cuts.length > 0 ? note : undefined);
  const report = { ...untouched, ...figuresOf(sections, trimmed, cuts), estimatedTokens: estimateTokens(prompt) };
  return report.estimatedTokens > effectiveBudget ? hardFail("rendered", report) : { prompt, report };
}

/** What is never cut, piece by piece and without headings: texts that are kept, and the floor of those that are shortened. */
function minimumTokens(sections: readonly PromptSection[]): number {
  const least = sections.flatMap(({ parts, policy }) => {
    if (policy.kind === "keep") return parts;
    return policy.kind === "shorten" ? cutToFloor(parts, policy.floorCharacters) : [];
  });
  return least.reduce((sum, { content }) => sum + estimateTokens(content), 0);
}

function figuresOf(before: readonly PromptSection[], after: readonly PromptSection[], cuts: readonly Cut[]) {
  const namesOf = (kind: Cut["kind"]): string[] =>
    cuts.filter((cut) => cut.kind === kind).map(({ section }) => section.name);
  const whole = shortenableLength(before);
  return {
    omitted: namesOf("dropped"),
    projectShrunk: namesOf("head_lines").length > 0,
    planTruncationPercent: whole === 0 ? 0 : (100 * (whole - shortenableLength(after))) / whole,
    noteInjected: cuts.length > 0,
  };
}

function shortenableLength(sections: readonly PromptSection[]): number {
  return sections
    .filter(({ policy }) => policy.kind === "shorten")
    .reduce((sum, section) => sum + textLength(section), 0);
}

function hardFail(failedLimit: "minimum" | "rendered", report: PromptReport): FittedPrompt {
  return { prompt: "", report: { ...report, hardFailed: true, failedLimit } };
}
