/** A client in this process that hosts components, over the very bytes of the contract but without a network; and simple parts for it. */
import { HostRequest, HostResponse } from "../../gen/acms/v1/component_service.js";
import { ComponentDeclaration, ComponentRole, type Invoke, type Result } from "../../gen/acms/v1/hosted_component.js";
import { ScorerOutput, StrategyOutput } from "../../gen/acms/v1/hosted_stage.js";
import { ContextError } from "../core/index.js";
import type { Hosting } from "./host.js";
import type { HostListener } from "./peer.js";

export type Input = NonNullable<Invoke["input"]>;
export type Output = NonNullable<Result["output"]>;
export type Message = NonNullable<HostRequest["message"]>;
export type Heard = NonNullable<HostResponse["message"]>;

/** The values of a question's and an answer's kinds. */
export type Answers = {
  readonly [C in Input["$case"]]?: (
    input: Extract<Input, { $case: C }>["value"],
  ) => Extract<Output, { $case: C }>["value"];
};

export type Declared = Parameters<typeof ComponentDeclaration.fromPartial>[0];

/** A client whose stream a test holds in its hands. */
export class FakeClient {
  readonly heard: Heard[] = [];
  /** How the server ended the stream: nothing while it is open, null in order, else the error. */
  ended: unknown;
  /** What sending a message answers; false: this client does not read. */
  reads = true;
  /** The largest question that it says to take; 0: it does not say. */
  takesBytes = 0;
  /** What the session wrote in the log. */
  readonly logged: { level: string; message: string; facts: Readonly<Record<string, unknown>> }[] = [];
  /** Hears each question; without it questions stay open. */
  onInvoke: ((question: Invoke) => void) | undefined;
  readonly #listener: HostListener;

  constructor(hosting: Hosting, namespace: string, maxReceiveBytes = Number.POSITIVE_INFINITY) {
    const finish = (how: unknown): void => {
      if (this.ended !== undefined) return;
      this.ended = how;
      this.#listener.gone(how ?? undefined);
    };
    const receive = (bytes: Buffer): boolean => {
      this.#hear(HostResponse.decode(bytes));
      return this.reads;
    };
    this.#listener = hosting.open({
      namespace,
      maxReceiveBytes,
      log: (level, message, facts) => void this.logged.push({ level, message, facts }),
      // Over the bytes, so that what cannot be sent cannot be heard either.
      send: (message) => receive(Buffer.from(HostResponse.encode(message).finish())),
      sendBytes: receive,
      end: () => finish(null),
      fail: finish,
    });
  }

  /** Says something; what the session throws ends the stream, as the adapter would have it. */
  say(message: Message): void {
    const bytes = Buffer.from(HostRequest.encode({ message }).finish());
    this.#step(() => this.#listener.message(HostRequest.decode(bytes), bytes.length));
  }

  /** Sends bytes that may be no message. */
  sayBytes(bytes: Uint8Array): void {
    this.#step(() => {
      if (!this.#listener.malformed(bytes)) throw new ContextError("MALFORMED_MESSAGE", "no message");
    });
  }

  /** Sends more than the server receives, which ends the stream. */
  sayTooMuch(): void {
    this.#step(() => this.#listener.oversized());
    this.vanish();
  }

  attach(...components: readonly Declared[]): Extract<Heard, { $case: "welcome" }>["value"] {
    const declared = components.map((one) => ComponentDeclaration.fromPartial(one));
    this.say({ $case: "attach", value: { components: declared, host: "fake", maxQuestionBytes: this.takesBytes } });
    return this.last("welcome");
  }

  result(invocation: number, output: Output | undefined): void {
    this.say({ $case: "result", value: { invocation, output } });
  }

  /** The newest message of a kind. */
  last<C extends Heard["$case"]>(kind: C): Extract<Heard, { $case: C }>["value"] {
    const found = this.heard.findLast(({ $case }) => $case === kind);
    if (found === undefined) throw new Error(`no ${kind} was heard, only ${this.heard.map(({ $case }) => $case)}`);
    return found.value as never;
  }

  /** Ends its half, as a killed process does. */
  halfClose(): void {
    this.#step(() => this.#listener.halfClosed());
  }

  drain(): void {
    this.say({ $case: "drain", value: { grace: undefined } });
  }

  /** Reads again. */
  readOn(): void {
    this.reads = true;
    this.#step(() => this.#listener.drained());
  }

  /** Is gone without a word. */
  vanish(): void {
    if (this.ended !== undefined) return;
    this.ended = null;
    this.#listener.gone();
  }

  #hear({ message }: HostResponse): void {
    if (message === undefined) throw new Error("a message without content was sent");
    this.heard.push(message);
    if (message.$case === "invoke") this.onInvoke?.(message.value);
  }

  #step(step: () => void): void {
    if (this.ended !== undefined) return;
    try {
      step();
    } catch (error) {
      this.ended = error;
      this.#listener.gone(error);
    }
  }
}

/** Attaches a client whose parts answer at once, in the next turn. */
export function attachFake(
  hosting: Hosting,
  { namespace = "", answers, components }: { namespace?: string; answers: Answers; components?: readonly Declared[] },
): FakeClient {
  const client = new FakeClient(hosting, namespace);
  client.onInvoke = ({ invocation, input }) => {
    const { $case } = input!;
    const answer = answers[$case] as (given: unknown) => unknown;
    setImmediate(() => client.result(invocation, { $case, value: answer(input!.value) } as Output));
  };
  client.attach(...(components ?? Object.keys(answers).map((kind) => ({ role: roleOf(kind), name: "fake" }))));
  return client;
}

/** `strategySelector` is the role `COMPONENT_ROLE_STRATEGY_SELECTOR`. */
export function roleOf(kind: string): ComponentRole {
  const name = kind.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  return ComponentRole[`COMPONENT_ROLE_${name}` as keyof typeof ComponentRole] as ComponentRole;
}

const places = ({ length }: readonly unknown[]): number[] => Array.from({ length }, (_, i) => i);

/** A part for every role: the plainest that holds to its contract. */
export const PLAIN: Required<Answers> = {
  strategy: ({ fragments }) => StrategyOutput.fromPartial({ nominated: places(fragments) }),
  strategySelector: ({ hint, strategies }) => ({
    candidates: strategies.filter(({ strategy }) => hint.includes(strategy)),
  }),
  budgetAllocator: ({ tokens, candidates }) => ({
    tokens: candidates.map(() => Math.floor(tokens / candidates.length)),
  }),
  strategyExecutor: ({ allocations, fragments }) => ({
    nominations: allocations.map(() => StrategyOutput.fromPartial({ nominated: places(fragments) })),
  }),
  deduplicator: ({ fragments, committed }) => {
    const isCommitted = new Set(committed);
    const first = new Map<string, number>();
    const kept: number[] = [];
    const duplicates: { copy: number; survivor: number }[] = [];
    fragments.forEach(({ content, groupId }, i) => {
      const survivor = first.get(content);
      const stays = survivor === undefined || groupId !== "" || isCommitted.has(i);
      if (stays) kept.push(i);
      else duplicates.push({ copy: i, survivor });
      if (stays && survivor === undefined) first.set(content, i);
    });
    return { kept, duplicates, mergesSources: false };
  },
  depthResolver: ({ fragments }) => {
    const byNode = new Map<string, number[]>();
    fragments.forEach(({ ukoNode }, i) => {
      byNode.set(ukoNode, [...(byNode.get(ukoNode) ?? []), i]);
    });
    return {
      resolutions: [...byNode.values()].map(([fragment, ...alternatives]) => ({ fragment: fragment!, alternatives })),
    };
  },
  scorer: ({ nominationScores }) => ScorerOutput.fromPartial({ scores: nominationScores.map((score) => 1 - score) }),
  packer: (input) => ({ chosen: packWhole(input) }),
  orderer: ({ fragments }) => ({ order: places(fragments).reverse() }),
  preambleGenerator: ({ fragments }) => ({ text: `There are ${fragments.length}.` }),
  skeletonCompressor: ({ fragments }) => ({
    outline: fragments.map(({ content }, fragment) => ({ fragment, content: content.slice(0, 3), detailDepth: 1 })),
  }),
  tokenCounter: ({ texts }) => ({ counts: texts.map((text) => text.length) }),
};

/** Takes what fits in the order given, each with its group and all that it requires, and no second variant of a key. */
function packWhole(input: Extract<Input, { $case: "packer" }>["value"]): number[] {
  const chosen = new Set(input.committed);
  const requires = new Map(input.requirements.map((one) => [one.fragment, one.requires]));
  const keyOf = new Map(input.variants.flatMap((set, key) => set.fragments.map((i) => [i, key] as const)));
  let left = input.tokens;
  for (let i = 0; i < input.fragments.length; i++) {
    if (input.scores[i] === -1) continue;
    const unit = new Set<number>();
    const waiting = [i];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (unit.has(next) || chosen.has(next)) continue;
      unit.add(next);
      waiting.push(...(requires.get(next) ?? []));
      const member = next;
      for (const group of input.groups) if (group.fragments.includes(member)) waiting.push(...group.fragments);
    }
    const price = [...unit].reduce((sum, one) => sum + input.tokenCounts[one]!, 0);
    const keys = [...unit, ...chosen].flatMap((one) => keyOf.get(one) ?? []);
    if (price > left || new Set(keys).size < keys.length) continue;
    left -= price;
    for (const one of unit) chosen.add(one);
  }
  return [...chosen];
}
