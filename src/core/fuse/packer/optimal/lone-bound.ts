import type { Pool } from "./pool.js";
import { breakKey } from "./select.js";

/** What sums of so many whole numbers may lack for rounding. */
const SLOP = 1e-3;

/**
 * The bound of the relaxation where nothing is linked and nothing has variants: what is worth most per token is taken until the tokens are
 * spent, the last one in part (Dantzig, "Discrete-variable extremum problems", 1957). In the whole numbers of the worths, pins not
 * counted. O(n) on average, a fraction of a millisecond at 10,000 fragments.
 */
export function loneBound({ input, wanted, worths }: Pool): number {
  const { tokenCounts, tokens: capacity } = input;
  const { values } = worths;
  const slopes = new Float64Array(values.length);
  const weights = new Float64Array(values.length);
  let count = 0;
  let free = 0;
  for (let i = 0; i < values.length; i++) {
    if (wanted[i] === 0 || values[i] === 0 || tokenCounts[i]! > capacity) continue;
    if (tokenCounts[i] === 0) {
      free += values[i]!;
      continue;
    }
    slopes[count] = values[i]! / tokenCounts[i]!;
    weights[count++] = tokenCounts[i]!;
  }
  const price = breakKey(slopes.subarray(0, count), weights.subarray(0, count), capacity);
  let value = free;
  let room = capacity;
  for (let i = 0; i < values.length; i++) {
    const tokens = tokenCounts[i]!;
    if (wanted[i] === 0 || tokens === 0 || tokens > capacity || values[i]! / tokens <= price) continue;
    value += values[i]!;
    room -= tokens;
  }
  // A price that is a little too high still gives a bound.
  return value + (price === 0 ? 0 : Math.floor(price * (1 + 2 ** -50) * room + SLOP));
}
