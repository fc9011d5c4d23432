/**
 * A second bound, for pools in which value follows tokens: there every choice pays nearly the same per token, and what limits the value is
 * how many choices fit at all. So a set is charged for its choices as well as for its tokens: no set holds more choices than the cheapest
 * of each class that fit (a cardinality cut, as in Martello and Toth, "Upper bounds and algorithms for hard 0-1 knapsack problems", 1997).
 */
import type { Relaxed } from "./relax.js";
import { keyAtRank } from "./select.js";

/** The most prices that are tried; where the bound ends sooner, the search for it does. */
const MAX_PRICES = 24;

/**
 * The least bound found, for any price p and any n choices at most: p x capacity, the value of what costs nothing, and the n greatest
 * gains over all classes at that price. Only for relaxations without networks. O(choices) a price.
 */
export function countBound({ classes, capacity, price: highest, networks }: Relaxed): number {
  if (networks.length > 0) return Number.POSITIVE_INFINITY;
  const most = mostChoices(classes, capacity);
  let bound = Number.POSITIVE_INFINITY;
  let low = { price: 0, ...gainsAt(0, classes, most) };
  let high = { price: highest, ...gainsAt(highest, classes, most) };
  for (let tried = 0; tried < MAX_PRICES; tried++) {
    // The bound is convex in the price, and where the tangents of both ends meet it cannot be lower than they say.
    const price = (low.value - high.value) / (low.tokens - high.tokens);
    if (!(price > low.price && price < high.price)) break;
    const middle = { price, ...gainsAt(price, classes, most) };
    bound = Math.min(bound, middle.value + price * (capacity - middle.tokens));
    if (middle.tokens === low.tokens || middle.tokens === high.tokens) break;
    if (middle.tokens > capacity) low = middle;
    else high = middle;
  }
  return bound;
}

/** How many choices fit at most: the cheapest of each class, cheapest first. */
function mostChoices({ count, starts, tokens }: Relaxed["classes"], capacity: number): number {
  const cheapest = new Float64Array(count);
  let classesWithChoice = 0;
  for (let c = 0; c < count; c++) {
    if (starts[c]! + 1 < starts[c + 1]!) cheapest[classesWithChoice++] = tokens[starts[c]! + 1]!;
  }
  const sorted = cheapest.subarray(0, classesWithChoice).sort();
  let sum = 0;
  let most = 0;
  while (most < classesWithChoice && sum + sorted[most]! <= capacity) sum += sorted[most++]!;
  return most;
}

/** Tokens and value of the so many choices that gain most at a price, with what costs nothing. */
function gainsAt(price: number, classes: Relaxed["classes"], most: number): { tokens: number; value: number } {
  const { count, starts, tokens, values } = classes;
  const gains = new Float64Array(count);
  const best = new Int32Array(count);
  let value = 0;
  for (let c = 0; c < count; c++) {
    const base = starts[c]!;
    value += values[base]!;
    for (let choice = base + 1; choice < starts[c + 1]!; choice++) {
      const gain = values[choice]! - values[base]! - price * tokens[choice]!;
      if (gain <= gains[c]!) continue;
      gains[c] = gain;
      best[c] = choice;
    }
  }
  const least = most === 0 ? Number.POSITIVE_INFINITY : most >= count ? 0 : keyAtRank(gains.slice(), count - most);
  let taken = 0;
  let spent = 0;
  const take = (c: number): void => {
    taken++;
    spent += tokens[best[c]!]!;
    value += values[best[c]!]! - values[starts[c]!]!;
  };
  for (let c = 0; c < count; c++) if (gains[c]! > least) take(c);
  for (let c = 0; c < count && taken < most; c++) if (gains[c]! > 0 && gains[c] === least) take(c);
  return { tokens: spent, value };
}
