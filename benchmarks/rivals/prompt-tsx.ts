import type { ContextFragment } from "../../gen/acms/v1/fragment.js";
import type { Contestant } from "../contestant.js";
import { expectIds, indexByContent, type Selection, type Task } from "../selection.js";
import { loadRival } from "./load-rival.js";

interface Piece {
  readonly ctor: unknown;
  readonly props: object;
  readonly children: unknown[];
}

interface Message {
  readonly content: readonly { readonly text: string }[];
}

interface Answer {
  readonly messages: readonly Message[];
}

interface PromptTsx {
  readonly PromptElement: abstract new <Props extends object>(
    props: Props,
  ) => { readonly props: Props; render(): Piece };
  readonly UserMessage: unknown;
  readonly OutputMode: { readonly Raw: number };
  renderPrompt(
    element: unknown,
    props: object,
    endpoint: { modelMaxPromptTokens: number },
    tokenizer: object,
    progress: undefined,
    token: undefined,
    mode: number,
  ): Promise<Answer>;
}

/** What `<>` compiles to. */
const FRAGMENT = Object.assign(() => {}, { isFragment: true });

/**
 * prompt-tsx takes away what has the lowest priority until the rest fits. From the fragments to the messages: one
 * element a fragment that renders a message, with its relevance as the priority, and the counts looked up by text.
 * Text chunks within one message would be joined again and again, which takes ten times as long.
 */
export function createPromptTsx(task: Task): Contestant {
  const tsx = loadRival<PromptTsx>("@vscode/prompt-tsx");
  interface Props {
    readonly priority: number | undefined;
    readonly content: string;
  }
  class FragmentMessage extends tsx.PromptElement<Props> {
    override render(): Piece {
      return { ctor: tsx.UserMessage, props: {}, children: [this.props.content] };
    }
  }
  const describe = ({ content, relevanceScore }: ContextFragment): Piece => {
    const props: Props = { priority: relevanceScore, content };
    return { ctor: FragmentMessage, props, children: [] };
  };
  return {
    name: "prompt_tsx",
    run: () => renderAll(tsx, task, task.fragments.map(describe), createTokenizer(task.fragments, tsx)),
    check: (answer) => checkMessages(answer, task.fragments, task.expected),
  };
}

/** The same at its cheapest: bare messages without an element of their own, and a tokenizer that exists before. */
export function createTunedPromptTsx(task: Task): Contestant {
  const tsx = loadRival<PromptTsx>("@vscode/prompt-tsx");
  const tokenizer = createTokenizer(task.fragments, tsx);
  const describe = ({ content, relevanceScore }: ContextFragment): Piece => ({
    ctor: tsx.UserMessage,
    props: { priority: relevanceScore },
    children: [content],
  });
  return {
    name: "prompt_tsx_tuned",
    // The pieces cannot be made beforehand: a rendering writes into them.
    run: () => renderAll(tsx, task, task.fragments.map(describe), tokenizer),
    check: (answer) => checkMessages(answer, task.fragments, task.expected),
  };
}

function renderAll(tsx: PromptTsx, { tokenBudget }: Task, pieces: Piece[], tokenizer: object): Promise<Answer> {
  class Prompt extends tsx.PromptElement<object> {
    override render(): Piece {
      return { ctor: FRAGMENT, props: {}, children: pieces };
    }
  }
  const endpoint = { modelMaxPromptTokens: tokenBudget };
  return tsx.renderPrompt(Prompt, {}, endpoint, tokenizer, undefined, undefined, tsx.OutputMode.Raw);
}

function createTokenizer(fragments: readonly ContextFragment[], { OutputMode }: PromptTsx): object {
  const counts = new Map(fragments.map(({ content, tokenCount = 0 }) => [content, tokenCount]));
  counts.set("", 0);
  const count = (text = ""): number => {
    const tokens = counts.get(text);
    if (tokens === undefined) {
      throw new Error(`A text without a count: ${text}`);
    }
    return tokens;
  };
  return {
    mode: OutputMode.Raw,
    tokenLength: ({ text }: { text: string }) => count(text),
    countMessageTokens: ({ content }: Message) => count(content[0]?.text),
  };
}

function checkMessages(answer: unknown, fragments: readonly ContextFragment[], expected: Selection): void {
  const texts = (answer as Answer).messages.map(({ content }) => content[0]?.text ?? "");
  expectIds(indexByContent(fragments).split(texts.join("")), expected);
}
