/** Sums that sets of prices come to: between two of them no budget lets in a set that a smaller one does not. */

/** Looks that listing the sums may take; past them every whole number counts as one. */
const MOST_LOOKS = 1 << 20;

/** Answers for a number of tokens the least sum above it, of a set of whole prices; infinite where there is none. */
export function reachableSums(prices: readonly number[]): (tokens: number) => number {
  const most = prices.reduce((sum, price) => sum + price, 0);
  const isReached = most * prices.length <= MOST_LOOKS ? markSums(prices, most) : undefined;
  return (tokens) => {
    for (let sum = Math.max(0, tokens + 1); sum <= most; sum++) {
      if (isReached === undefined || isReached[sum] === 1) return sum;
    }
    return Number.POSITIVE_INFINITY;
  };
}

/** By sum: 1 where a set comes to it. O(prices x their sum). */
function markSums(prices: readonly number[], most: number): Uint8Array {
  const isReached = new Uint8Array(most + 1);
  isReached[0] = 1;
  for (const price of prices) {
    for (let sum = most; sum >= price; sum--) if (isReached[sum - price] === 1) isReached[sum] = 1;
  }
  return isReached;
}
