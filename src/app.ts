/** The composition root: what the product is made of, whichever door a request comes in by. */
import {
  assemble,
  builtInRegistry,
  DEFAULT_LIMITS,
  type Payload,
  type Recorder,
  type Registry,
  type RequestDraft,
  type RequestLimits,
  type Run,
  readRequest,
} from "./core/index.js";
import { createRun, newId, now } from "./run.js";
import { counterOf } from "./tokens/counters.js";

/** What the owner of a server, or of a command, may choose. */
export interface AppOptions {
  /** What exists under which name. Default: what is built in. */
  readonly registry?: Registry;
  readonly limits?: Partial<RequestLimits>;
  /** The tokenizer of requests that name none. Default: `chars4`. */
  readonly defaultTokenizer?: string;
  readonly recorder?: Recorder;
}

/** A payload, and whether its caller wants ids alone. */
export interface Assembled {
  readonly payload: Payload;
  readonly idsOnly: boolean;
}

/** The product without a door. */
export interface App {
  readonly registry: Registry;
  readonly limits: RequestLimits;
  newId(): string;
  /** A run with the tokenizer of a name, empty for the default; throws `UNKNOWN_TOKENIZER`. */
  createRun(tokenizer: string, signal: AbortSignal): Run;
  /** Reads a request and assembles it; throws a `ContextError`. */
  assemble(draft: RequestDraft, tokenizer: string, signal: AbortSignal): Promise<Assembled>;
}

/** Puts the product together. */
export function createApp(options: AppOptions = {}): App {
  const { registry = builtInRegistry(), defaultTokenizer = "chars4", recorder = {} } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const create = (tokenizer: string, signal: AbortSignal): Run =>
    createRun({ signal, counter: counterOf(tokenizer, defaultTokenizer), recorder });
  return {
    registry,
    limits,
    newId,
    createRun: create,
    assemble: async (draft, tokenizer, signal) => {
      const run = create(tokenizer, signal);
      const request = await readRequest(draft, { limits, now: now(), newId, counter: run.counter, signal });
      return { payload: await assemble(request, registry, run), idsOnly: request.idsOnly };
    },
  };
}
