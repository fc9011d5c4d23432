/**
 * The only token arithmetic, with `split-tokens.ts`: what is available, and what shares are taken off it.
 */
import { z } from "zod";
import type { Faults } from "./faults.js";
import { FRAGMENT_LIMITS } from "./fragment.js";
import { readSections, type Section, type SectionDraft } from "./sections.js";
import { splitTokens } from "./split-tokens.js";

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

/** The tokens up to a mark: the whole part of its share; the small addition undoes the error of binary fractions. */
export function markTokens(tokens: number, mark: number): number {
  return Math.min(tokens, Math.floor(tokens * mark + 1e-9));
}

/** The least number of further tokens that raises the tokens up to a mark by so many. */
export function furtherAtMark(tokens: number, mark: number, further: number): number {
  const wanted = markTokens(tokens, mark) + further;
  let least = Math.max(0, Math.ceil((wanted - 1e-6) / mark) - tokens);
  while (markTokens(tokens + least, mark) < wanted) least++;
  return least;
}

/** Shares of so many tokens as the same shares of fewer; together they lose nothing but what they lacked before. */
export function scaleShares(shares: readonly number[], from: number, to: number): number[] {
  const sum = shares.reduce((a, b) => a + b, 0);
  return from === 0 ? [...shares] : splitTokens(Number((BigInt(sum) * BigInt(to)) / BigInt(from)), shares);
}
