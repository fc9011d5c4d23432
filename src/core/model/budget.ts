/**
 * The only token arithmetic, with `split-tokens.ts`: what is available, and what shares are taken off it.
 */
import { z } from "zod";
import type { Faults } from "./faults.js";
import { FRAGMENT_LIMITS } from "./fragment.js";
import { readSections, type Section, type SectionDraft } from "./sections.js";

/** A budget as a caller gives it. */
export interface BudgetDraft {
  maxTokens: number;
  reservedTokens: number;
  sections: readonly SectionDraft[];
}

/** A valid budget. */
export interface Budget {
  readonly maxTokens: number;
  readonly reservedTokens: number;
  /** `maxTokens` minus `reservedTokens`: at least 1. */
  readonly availableTokens: number;
  /** Floors and caps of parts of it, in the order given. */
  readonly sections: readonly Section[];
}

const tokens = z.number().int().max(FRAGMENT_LIMITS.maxTokens);

/** Checks a budget. Faults go to `faults`; the result then means nothing. */
export function readBudget(draft: BudgetDraft | undefined, faults: Faults): Budget {
  if (draft === undefined) {
    faults.add("budget", "is absent; a budget is required");
    return { maxTokens: 1, reservedTokens: 0, availableTokens: 1, sections: [] };
  }
  const { maxTokens, reservedTokens } = draft;
  const before = faults.found.length;
  if (!tokens.min(1).safeParse(maxTokens).success) {
    faults.add("budget.max_tokens", `is ${maxTokens}; allowed are whole numbers from 1`);
  }
  if (!tokens.min(0).safeParse(reservedTokens).success) {
    faults.add("budget.reserved_tokens", `is ${reservedTokens}; allowed are whole numbers from 0`);
  } else if (reservedTokens >= maxTokens && maxTokens >= 1) {
    faults.add(
      "budget.reserved_tokens",
      `is ${reservedTokens}; it must be less than max_tokens, which is ${maxTokens}`,
    );
  }
  const availableTokens = maxTokens - reservedTokens;
  const sections = readSections(draft.sections, faults.found.length > before ? undefined : availableTokens, faults);
  return { maxTokens, reservedTokens, availableTokens, sections };
}

/** Tokens of the skeleton: the whole part of the ratio's share; the small addition undoes the error of binary fractions. */
export function skeletonShare(availableTokens: number, ratio: number): number {
  return Math.min(availableTokens, Math.floor(availableTokens * ratio + 1e-9));
}

/** Tokens that are set aside for a preamble: a tenth of what is available, at most 128. */
export function preambleShare(availableTokens: number): number {
  return Math.min(128, Math.floor(availableTokens / 10));
}
