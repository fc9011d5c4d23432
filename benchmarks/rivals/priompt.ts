import type { ContextFragment } from "../../gen/acms/v1/fragment.js";
import type { Contestant } from "../contestant.js";
import { expectIds, indexByContent, type Task } from "../selection.js";
import { loadRival } from "./load-rival.js";

type Element = object;

interface Tokenizer {
  readonly name: string;
  numTokens(text: string): Promise<number>;
  estimateTokensUsingCharCount(text: string): [number, number];
}

interface Answer {
  readonly prompt: string;
}

interface Priompt {
  createElement(tag: string, props: object | null, ...children: unknown[]): Element;
  render(elements: Element[], options: { tokenLimit: number; tokenizer: Tokenizer }): Promise<Answer>;
}

/** Ends each content in the prompt, and occurs in none. */
const SEPARATOR = "\u0000";

/**
 * priompt keeps all scopes from the best priority down to one cut, which a binary search finds. From the fragments to
 * the prompt: one scope a fragment, with its relevance as the priority, and the counts of each tried prompt looked up
 * by its parts. A chat message or a `breaktoken` for each fragment would take many times as long.
 */
export function createPriompt({ fragments, tokenBudget, expected }: Task): Contestant {
  const { createElement, render } = loadPriompt();
  const contents = indexByContent(fragments);
  return {
    name: "priompt",
    run: () => {
      const elements = fragments.map(({ content, relevanceScore }) =>
        createElement("scope", { p: relevanceScore }, content, SEPARATOR),
      );
      return render(elements, { tokenLimit: tokenBudget, tokenizer: createLookUp(fragments) });
    },
    check: (answer) => expectIds(contents.split((answer as Answer).prompt.replaceAll(SEPARATOR, "")), expected),
  };
}

/**
 * The same at its cheapest: the elements exist before the clock starts, and `empty` elements carry the counts, so that
 * text costs nothing and is never looked at.
 */
export function createTunedPriompt({ fragments, tokenBudget, expected }: Task): Contestant {
  const { createElement, render } = loadPriompt();
  const elements = fragments.map(({ content, relevanceScore, tokenCount }) =>
    createElement("scope", { p: relevanceScore }, content, createElement("empty", { tokens: tokenCount })),
  );
  const tokenizer = createTokenizer(() => 0);
  const contents = indexByContent(fragments);
  return {
    name: "priompt_tuned",
    run: () => render(elements, { tokenLimit: tokenBudget, tokenizer }),
    check: (answer) => expectIds(contents.split((answer as Answer).prompt), expected),
  };
}

function loadPriompt(): Priompt {
  // Each rendering reports timings by UDP to this host: they stay on the machine.
  process.env.DD_AGENT_HOST = "127.0.0.1";
  return loadRival<Priompt>("@impowering/priompt");
}

function createLookUp(fragments: readonly ContextFragment[]): Tokenizer {
  const counts = new Map(fragments.map(({ content, tokenCount = 0 }) => [content, tokenCount]));
  return createTokenizer((text) => {
    const parts = text.split(SEPARATOR);
    parts.pop();
    return parts.reduce((sum, part) => sum + (counts.get(part) as number), 0);
  });
}

/** The estimate by characters only lets priompt give up early; 0 never does, since counts need not follow lengths. */
function createTokenizer(count: (text: string) => number): Tokenizer {
  return { name: "given", numTokens: async (text) => count(text), estimateTokensUsingCharCount: () => [0, 0] };
}
