import type { ContextFragment } from "../gen/acms/v1/fragment.js";
import { CONTENT_LENGTH } from "./corpus.js";

/** What a run has to keep, found by a plain sort and a plain sum, against which every contestant is checked. */
export interface Selection {
  /** Ids of the kept fragments, best ranked first. */
  readonly ids: readonly string[];
  readonly totalTokens: number;
}

/** A selection with the budget that it answers. */
export interface Task {
  readonly fragments: readonly ContextFragment[];
  readonly tokenBudget: number;
  readonly expected: Selection;
}

/** Highest relevance first, half of all tokens to spend; what does not fit is skipped. */
export function createRelevanceTask(fragments: readonly ContextFragment[]): Task {
  const tokenBudget = Math.floor(sumTokens(fragments) / 2);
  return { fragments, tokenBudget, expected: fill(fragments.toSorted(byRelevance), tokenBudget) };
}

/** The same with a budget in which all of the fragments fit. */
export function createKeepAllTask(fragments: readonly ContextFragment[]): Task {
  const tokenBudget = sumTokens(fragments);
  return { fragments, tokenBudget, expected: fill(fragments.toSorted(byRelevance), tokenBudget) };
}

/** Highest relevance first, the better half to keep. */
export function createPriorityTask(fragments: readonly ContextFragment[]): Task {
  return createExactTask(fragments, fragments.toSorted(byRelevance));
}

/** Newest first, the newer half to keep. */
export function createNewestTask(fragments: readonly ContextFragment[]): Task {
  return createExactTask(fragments, fragments.toReversed());
}

/**
 * The budget is just what the better half costs. A rival that stops at the first miss and one that skips it then have
 * the same right answer, so that all of them can be held to it.
 */
function createExactTask(fragments: readonly ContextFragment[], ranked: readonly ContextFragment[]): Task {
  const tokenBudget = sumTokens(ranked.slice(0, ranked.length / 2));
  return { fragments, tokenBudget, expected: fill(ranked, tokenBudget) };
}

function fill(ranked: readonly ContextFragment[], tokenBudget: number): Selection {
  const ids: string[] = [];
  let totalTokens = 0;
  for (const { fragmentId, tokenCount = 0 } of ranked) {
    if (totalTokens + tokenCount <= tokenBudget) {
      ids.push(fragmentId);
      totalTokens += tokenCount;
    }
  }
  return { ids, totalTokens };
}

function byRelevance(left: ContextFragment, right: ContextFragment): number {
  return (right.relevanceScore ?? 0) - (left.relevanceScore ?? 0) || compareText(left, right);
}

function compareText(left: ContextFragment, right: ContextFragment): number {
  if (left.ukoNode !== right.ukoNode) {
    return left.ukoNode < right.ukoNode ? -1 : 1;
  }
  return left.fragmentId < right.fragmentId ? -1 : 1;
}

function sumTokens(fragments: readonly ContextFragment[]): number {
  return fragments.reduce((sum, { tokenCount = 0 }) => sum + tokenCount, 0);
}

/** Throws unless `ids` are those of the expected fragments, in any order: rivals answer in the order of the input. */
export function expectIds(ids: readonly string[], expected: Selection): void {
  expectRankedIds(ids.toSorted(), { ...expected, ids: expected.ids.toSorted() });
}

/** Throws unless `ids` are those of the expected fragments, best ranked first. */
export function expectRankedIds(ids: readonly string[], expected: Selection): void {
  if (ids.length !== expected.ids.length) {
    throw new Error(`${ids.length} fragments are kept, ${expected.ids.length} have to be.`);
  }
  const wrong = ids.findIndex((id, rank) => id !== expected.ids[rank]);
  if (wrong >= 0) {
    throw new Error(`At ${wrong} stands ${ids[wrong]}, where ${expected.ids[wrong]} belongs.`);
  }
}

/** Finds fragments by their contents, for rivals that answer with text. */
export interface ContentIndex {
  /** The ids of the fragments whose contents, end to end, are `text`. Throws where a part is no fragment's content. */
  split(text: string): string[];
}

/** An index over contents that all have one length and occur once. */
export function indexByContent(fragments: readonly ContextFragment[]): ContentIndex {
  const ids = new Map(fragments.map(({ content, fragmentId }) => [content, fragmentId]));
  return {
    split: (text) =>
      Array.from({ length: Math.ceil(text.length / CONTENT_LENGTH) }, (_, part) => {
        const id = ids.get(text.slice(part * CONTENT_LENGTH, (part + 1) * CONTENT_LENGTH));
        if (id === undefined) {
          throw new Error(`Part ${part} of the text is no fragment's content.`);
        }
        return id;
      }),
  };
}
