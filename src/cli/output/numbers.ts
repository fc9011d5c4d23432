const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** A whole number with its thousands apart. */
export function count(value: number): string {
  return whole.format(value);
}

/** A number and what it counts. */
export function countOf(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** A share of one as per cent. Only what is all shows as 100, and only what is nothing as 0. */
export function percent(share: number): string {
  const tenths = Math.round(share * 1_000);
  const honest = share > 0 && share < 1 ? Math.min(999, Math.max(1, tenths)) : tenths;
  return `${(honest / 10).toFixed(1)}%`;
}
