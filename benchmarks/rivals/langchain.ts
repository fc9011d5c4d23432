import type { Contestant } from "../contestant.js";
import { expectIds, type Selection, type Task } from "../selection.js";
import { loadRival } from "./load-rival.js";

interface Message {
  readonly id: string;
  readonly additional_kwargs: { readonly tokens?: number };
}

type TokenCounter = (messages: readonly Message[]) => number;

interface LangChain {
  readonly HumanMessage: new (fields: object) => Message;
  trimMessages(
    messages: readonly Message[],
    options: { maxTokens: number; strategy: "last"; tokenCounter: TokenCounter },
  ): Promise<Message[]>;
}

const MODULE = "@langchain/core/messages";

/**
 * LangChain's `trimMessages` keeps the newest messages that fit. From the fragments to the kept messages, with the
 * counts in a map by message id.
 */
export function createLangChain({ fragments, tokenBudget, expected }: Task): Contestant {
  const { HumanMessage, trimMessages } = loadRival<LangChain>(MODULE);
  return {
    name: "langchain",
    run: () => {
      const counts = new Map(fragments.map(({ fragmentId, tokenCount = 0 }) => [fragmentId, tokenCount]));
      const messages = fragments.map(({ fragmentId, content }) => new HumanMessage({ id: fragmentId, content }));
      return trimMessages(messages, {
        maxTokens: tokenBudget,
        strategy: "last",
        tokenCounter: (counted) => counted.reduce((sum, { id }) => sum + (counts.get(id) as number), 0),
      });
    },
    check: (answer) => checkMessages(answer, expected),
  };
}

/**
 * The same at its cheapest: the messages exist before the clock starts, and each carries its count, so that the counter
 * only adds.
 */
export function createTunedLangChain({ fragments, tokenBudget, expected }: Task): Contestant {
  const { HumanMessage, trimMessages } = loadRival<LangChain>(MODULE);
  const messages = fragments.map(
    ({ fragmentId, content, tokenCount }) =>
      new HumanMessage({ id: fragmentId, content, additional_kwargs: { tokens: tokenCount } }),
  );
  return {
    name: "langchain_tuned",
    run: () => trimMessages(messages, { maxTokens: tokenBudget, strategy: "last", tokenCounter: addTokens }),
    check: (answer) => checkMessages(answer, expected),
  };
}

function addTokens(messages: readonly Message[]): number {
  let sum = 0;
  for (const message of messages) {
    sum += message.additional_kwargs.tokens as number;
  }
  return sum;
}

function checkMessages(answer: unknown, expected: Selection): void {
  const ids = (answer as Message[]).map(({ id }) => id);
  expectIds(ids, expected);
}
