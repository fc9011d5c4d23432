/** Tokens of a prompt. They are an estimate by length and not a model's count, so that the same sections fit alike everywhere. */

const UNITS_PER_TOKEN = 4;

/** Tokens set aside for the note; taken off only where something must be cut. */
export const NOTE_RESERVE_TOKENS = 80;

/** The estimate `chars4`: the UTF-16 length over four, rounded up; 0 for the empty text. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / UNITS_PER_TOKEN);
}

/** The longest text of at most so many tokens, in UTF-16 units. */
export function unitsOfTokens(tokens: number): number {
  return tokens * UNITS_PER_TOKEN;
}

/** The whole part of what a margin leaves of a budget; both are whole numbers, so that no half is lost to binary fractions. */
export function effectiveTokens(budget: number, marginPercent: number): number {
  return Math.floor((budget * (100 - marginPercent)) / 100);
}
