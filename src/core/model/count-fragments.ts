import { ContextError } from "../errors.js";
import type { MaybePromise } from "../run.js";
import type { TokenCounter } from "../token-counter.js";
import { FRAGMENT_LIMITS, type Fragment, UNCOUNTED } from "./fragment.js";

/**
 * Counts the fragments that came without a count, all in one call. Declared counts are kept as declared. A counter that answers with
 * anything but whole numbers fails the call.
 */
export function countFragments(
  lists: readonly (readonly Fragment[])[],
  counter: TokenCounter,
  signal: AbortSignal,
): MaybePromise<Fragment[][]> {
  const uncounted = lists.flatMap((list) => list.filter(({ tokenCount }) => tokenCount === UNCOUNTED));
  if (uncounted.length === 0) return lists.map((list) => list as Fragment[]);
  const texts = uncounted.map(({ content }) => content);
  const finish = (counts: readonly number[]): Fragment[][] => {
    checkCounts(counts, texts.length, counter.name);
    const countOf = new Map(uncounted.map((fragment, i) => [fragment, counts[i]!]));
    return lists.map((list) =>
      list.map((fragment) => {
        const tokenCount = countOf.get(fragment);
        return tokenCount === undefined ? fragment : { ...fragment, tokenCount, tokensEstimated: counter.estimated };
      }),
    );
  };
  const counts = counter.count(texts, signal);
  return counts instanceof Promise ? counts.then(finish) : finish(counts);
}

/** Throws where a counter's answer is not one whole number for each text. */
export function checkCounts(counts: readonly number[], expected: number, counter: string): void {
  const valid =
    counts.length === expected &&
    counts.every((count) => Number.isInteger(count) && count >= 0 && count <= FRAGMENT_LIMITS.maxTokens);
  if (!valid) {
    throw new ContextError(
      "COMPONENT_FAILED",
      `the token counter ${counter} answered with something else than a count for each text`,
      {
        metadata: { role: "token_counter", component: counter },
      },
    );
  }
}
