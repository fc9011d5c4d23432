/**
 * The only token arithmetic: what is available, how it is split without loss, and what shares are taken off it.
 */
import { z } from "zod";
import type { Faults } from "./faults.js";
import { FRAGMENT_LIMITS } from "./fragment.js";

/** A budget as a caller gives it. */
export interface BudgetDraft {
  maxTokens: number;
  reservedTokens: number;
  sections: readonly unknown[];
}

/** A valid budget. */
export interface Budget {
  readonly maxTokens: number;
  readonly reservedTokens: number;
  /** `maxTokens` minus `reservedTokens`: at least 1. */
  readonly availableTokens: number;
}

const tokens = z.number().int().max(FRAGMENT_LIMITS.maxTokens);

/** Checks a budget. Faults go to `faults`; the result then means nothing. */
export function readBudget(draft: BudgetDraft | undefined, faults: Faults): Budget {
  if (draft === undefined) {
    faults.add("budget", "is absent; a budget is required");
    return { maxTokens: 1, reservedTokens: 0, availableTokens: 1 };
  }
  const { maxTokens, reservedTokens } = draft;
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
  return { maxTokens, reservedTokens, availableTokens: maxTokens - reservedTokens };
}

/**
 * Splits a whole number of tokens in proportion to weights and loses none: each gets the whole part of its share, and what is left goes
 * by one to the largest remainders, equal ones by position (the method of the largest remainder, also Hamilton's). All weights zero:
 * equal shares. Weights are finite and 0 or more; with none there is nothing to split.
 *
 * Weights are read as the decimal fractions that they print as, and split in whole numbers: in binary fractions 0.1 + 0.2 + 0.3 + 0.4
 * leaves remainders that differ where they should be equal.
 */
export function splitTokens(total: number, weights: readonly number[]): number[] {
  const parts = weights.some((weight) => weight > 0) ? wholeProportions(weights) : weights.map(() => 1n);
  const sum = parts.reduce((a, b) => a + b, 0n);
  const exact = parts.map((part) => BigInt(total) * part);
  const shares = exact.map((share) => Number(share / sum));
  const left = total - shares.reduce((a, b) => a + b, 0);
  const byRemainder = exact
    .map((share, position) => ({ position, remainder: share % sum }))
    .sort((a, b) => (a.remainder === b.remainder ? a.position - b.position : a.remainder < b.remainder ? 1 : -1));
  // The remainders add up to less than one token for each weight, so one round is enough.
  for (const { position } of byRemainder.slice(0, left)) shares[position]!++;
  return shares;
}

/** Whole numbers in the same proportion as decimal fractions. */
function wholeProportions(weights: readonly number[]): bigint[] {
  const decimals = weights.map((weight) => {
    const [, whole = "0", fraction = "", exponent = "0"] =
      /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(weight)) ?? [];
    return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
  });
  const least = Math.min(...decimals.map(({ exponent }) => exponent));
  return decimals.map(({ digits, exponent }) => digits * 10n ** BigInt(exponent - least));
}

/** Tokens of the skeleton: the whole part of the ratio's share; the small addition undoes the error of binary fractions. */
export function skeletonShare(availableTokens: number, ratio: number): number {
  return Math.min(availableTokens, Math.floor(availableTokens * ratio + 1e-9));
}

/** Tokens that are set aside for a preamble: a tenth of what is available, at most 128. */
export function preambleShare(availableTokens: number): number {
  return Math.min(128, Math.floor(availableTokens / 10));
}
