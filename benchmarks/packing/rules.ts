/**
 * The rules by which other libraries fill a budget, each in a few lines of our own, so that they meet the same pools at
 * every size: what a rule keeps depends on the rule alone, not on the library around it. None of them knows variants.
 */

/** Something to take or to leave. */
export interface Item {
  readonly tokens: number;
  readonly score: number;
}

/** Answers which items it takes, by their place in the list; nothing where it does not answer at that size. */
export type Rule = (items: readonly Item[], tokens: number) => readonly number[] | undefined;

/**
 * LangChain's `trimMessages` with the strategy `last`, the items from the oldest to the newest: the longest run of the
 * newest that fits. https://reference.langchain.com/javascript/langchain-core/messages/trimMessages
 */
export const newestUntilFull: Rule = (items, tokens) =>
  takeUntilFull(Array.from(items.keys()).reverse(), items, tokens);

/**
 * priompt: the lowest cutoff at which everything of at least that priority fits, here with the score as the priority;
 * the first level that does not fit ends it. https://github.com/anysphere/priompt (README, "Principles")
 */
export const priorityCutoff: Rule = (items, tokens) => {
  const taken: number[] = [];
  let left = tokens;
  const ranked = byScore(items);
  for (let start = 0; start < ranked.length; ) {
    const { score } = items[ranked[start] as number] as Item;
    const level = levelFrom(start, score, ranked, items);
    left -= sumTokens(level, items);
    if (left < 0) {
      break;
    }
    taken.push(...level);
    start += level.length;
  }
  return taken;
};

/**
 * `@vscode/prompt-tsx`: everything, and then the lowest priority is pruned, one by one, until the rest fits.
 * https://github.com/microsoft/vscode-prompt-tsx (README, "Managing your budget")
 */
export const pruneLowest: Rule = (items, tokens) => {
  const kept = byScore(items);
  let spent = sumTokens(kept, items);
  while (spent > tokens) {
    spent -= (items[kept.pop() as number] as Item).tokens;
  }
  return kept;
};

/**
 * Cupel's `GreedySlice`: the most score per token first, and what does not fit is skipped.
 * https://docs.rs/crate/cupel/latest/source/src/slicer/mod.rs
 */
export const densestFirst: Rule = (items, tokens) => {
  const density = ({ tokens: price, score }: Item) => (price === 0 ? Number.MAX_VALUE : score / price);
  const ranked = Array.from(items.keys()).sort((a, b) => density(items[b] as Item) - density(items[a] as Item));
  let left = tokens;
  return ranked.filter((place) => {
    const fits = (items[place] as Item).tokens <= left;
    left -= fits ? (items[place] as Item).tokens : 0;
    return fits;
  });
};

/** Tokens of a bucket: Cupel's default. */
const BUCKET_TOKENS = 100;

/** The most entries of the table for which the next rule is asked here: it grows with items times budget. */
const MOST_ENTRIES = 50_000_000;

/**
 * Cupel's `KnapsackSlice`: the exact best of a problem that is coarser, prices rounded up and the budget down to buckets
 * of 100 tokens, scores down to four decimals.
 * https://docs.rs/crate/cupel/latest/source/src/slicer/knapsack.rs
 */
export const bucketedKnapsack: Rule = (items, tokens) => {
  const buckets = Math.floor(tokens / BUCKET_TOKENS);
  const width = buckets + 1;
  if (items.length * width > MOST_ENTRIES) {
    return undefined;
  }
  const best = new Float64Array(width);
  const isTaken = new Uint8Array(items.length * width);
  items.forEach(({ tokens: price, score }, place) => {
    const cost = Math.ceil(price / BUCKET_TOKENS);
    const worth = Math.floor(score * 10_000);
    for (let room = buckets; room >= cost; room -= 1) {
      const withItem = (best[room - cost] as number) + worth;
      if (withItem > (best[room] as number)) {
        best[room] = withItem;
        isTaken[place * width + room] = 1;
      }
    }
  });
  const taken: number[] = [];
  let room = buckets;
  for (let place = items.length - 1; place >= 0; place -= 1) {
    if (isTaken[place * width + room] === 1) {
      taken.push(place);
      room -= Math.ceil((items[place] as Item).tokens / BUCKET_TOKENS);
    }
  }
  return taken;
};

function byScore(items: readonly Item[]): number[] {
  return Array.from(items.keys()).sort((a, b) => (items[b] as Item).score - (items[a] as Item).score || a - b);
}

/** The places from `start` on that have one score. */
function levelFrom(start: number, score: number, ranked: readonly number[], items: readonly Item[]): number[] {
  let end = start;
  while (end < ranked.length && (items[ranked[end] as number] as Item).score === score) {
    end += 1;
  }
  return ranked.slice(start, end);
}

function takeUntilFull(places: readonly number[], items: readonly Item[], tokens: number): number[] {
  let left = tokens;
  const end = places.findIndex((place) => {
    left -= (items[place] as Item).tokens;
    return left < 0;
  });
  return places.slice(0, end === -1 ? places.length : end);
}

function sumTokens(places: readonly number[], items: readonly Item[]): number {
  return places.reduce((sum, place) => sum + (items[place] as Item).tokens, 0);
}
