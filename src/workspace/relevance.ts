import MiniSearch from "minisearch";
import type { SourceFile } from "./read-folder.js";

// Longer runs are data, not words, and would only swell the index.
const longestTerm = 64;

// Words that a question is made of, whatever it asks for. In code they are rare, so BM25 would take them for telling.
const questionWords = new Set(
  "a an and are as at be but by can do does for from has have how i if in into is it its of on or should so that the then there these they this to was we what when where which who why will with you".split(
    " ",
  ),
);

/**
 * The relevance of each file for a query by its path: its BM25 score over path and text, divided by the highest. Files without any word of
 * the query have 0, and so do all where none has one.
 */
export function relevances(files: readonly SourceFile[], query: string): ReadonlyMap<string, number> {
  const index = new MiniSearch<SourceFile>({
    idField: "path",
    fields: ["path", "text"],
    tokenize: (text) => text.match(/[\p{L}\p{N}]+/gu)?.flatMap(splitName) ?? [],
    processTerm: (term) => (term.length > longestTerm ? null : singular(term)),
  });
  index.addAll(files);
  const words = query.split(/\s+/);
  const telling = words.filter((word) => !questionWords.has(word.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "")));
  const found = index.search((telling.length > 0 ? telling : words).join(" "));
  const highest = found[0]?.score ?? 0;
  const scores = new Map(files.map(({ path }) => [path, 0]));
  for (const { id, score } of found) {
    scores.set(id as string, round(score / highest));
  }
  return scores;
}

/** A name in code is found by each of its words and as a whole: tokenBudget is `token`, `budget` and `tokenbudget`. */
function splitName(name: string): string[] {
  const parts = name.split(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u);
  return (parts.length > 1 ? [...parts, name] : parts).map((part) => part.toLowerCase());
}

/** Plural and singular are one term: who asks for budgets means the budget too. */
function singular(term: string): string {
  if (/[^aeiou]ies$/.test(term) && term.length > 4) {
    return `${term.slice(0, -3)}y`;
  }
  return /[^siu]s$/.test(term) && term.length > 3 ? term.slice(0, -1) : term;
}

function round(share: number): number {
  return Math.round(share * 1e6) / 1e6;
}
