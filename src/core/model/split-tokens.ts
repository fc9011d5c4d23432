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
