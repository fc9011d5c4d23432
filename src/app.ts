/** The composition root: what the product is made of, whichever door a request comes in by. */
import {
  assemble,
  builtInRegistry,
  type ComparisonDraft,
  type ComparisonResult,
  compareStrategies,
  DEFAULT_LIMITS,
  type Payload,
  type Recorder,
  type Registry,
  type Request,
  type RequestDraft,
  type RequestLimits,
  type RequestSurroundings,
  type Run,
  readComparison,
  readRequest,
} from "./core/index.js";
import { createExpressions, type ExpressionEngine } from "./expressions/expressions.js";
import { type Namespaces, openNamespaces } from "./namespaces.js";
import { memoryRegistrations, type Registrations } from "./registrations/index.js";
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
  /** Where registered strategies are kept; the app does not close it. Default: in memory. */
  readonly registrations?: Registrations;
  /** What evaluates callers' expressions; the app does not close it. Default: one of its own, whose threads keep no process alive. */
  readonly expressions?: ExpressionEngine;
}

/** A payload, and whether its caller wants ids alone. */
export interface Assembled {
  readonly payload: Payload;
  readonly idsOnly: boolean;
}

/** How variants compare, and what they have in common. */
export interface Compared extends ComparisonResult {
  readonly request: Request;
  /** The tokenizer that counted what the caller did not. */
  readonly tokenizer: string;
}

/** The product without a door. */
export interface App extends Namespaces {
  readonly limits: RequestLimits;
  newId(): string;
  /** A run with the tokenizer of a name, empty for the default; throws `UNKNOWN_TOKENIZER`. */
  createRun(tokenizer: string, signal: AbortSignal): Run;
  /** Reads a request and assembles it with what exists in a namespace; throws a `ContextError`. */
  assemble(draft: RequestDraft, tokenizer: string, namespace: string, signal: AbortSignal): Promise<Assembled>;
  /** Reads a comparison and assembles its variants with what exists in a namespace; throws a `ContextError`. */
  compare(draft: ComparisonDraft, tokenizer: string, namespace: string, signal: AbortSignal): Promise<Compared>;
}

/** Puts the product together. */
export function createApp(options: AppOptions = {}): App {
  const { registry = builtInRegistry(), defaultTokenizer = "chars4", recorder = {} } = options;
  const { registrations = memoryRegistrations(), expressions = createExpressions() } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const namespaces = openNamespaces(registry, registrations, expressions);
  const create = (tokenizer: string, signal: AbortSignal): Run =>
    createRun({ signal, counter: counterOf(tokenizer, defaultTokenizer), recorder, expressions });
  const around = ({ counter, signal }: Run): RequestSurroundings => {
    return { limits, now: now(), newId, counter, expressions, signal };
  };
  return {
    ...namespaces,
    limits,
    newId,
    createRun: create,
    assemble: async (draft, tokenizer, namespace, signal) => {
      const run = create(tokenizer, signal);
      const request = await readRequest(draft, around(run));
      const payload = await assemble(request, namespaces.registryOf(namespace), run);
      return { payload, idsOnly: request.idsOnly };
    },
    compare: async (draft, tokenizer, namespace, signal) => {
      const run = create(tokenizer, signal);
      const comparison = await readComparison(draft, around(run));
      const result = await compareStrategies(comparison, namespaces.registryOf(namespace), run);
      return { ...result, request: comparison.request, tokenizer: run.counter.name };
    },
  };
}
