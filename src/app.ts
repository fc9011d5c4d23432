/** The composition root: what the product is made of, whichever door a request comes in by. */

import { type ComponentStats, createComponentStats } from "./component-stats.js";
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
import { createHosting, type Hosting, type HostingLimits } from "./hosting/index.js";
import { type Namespaces, openNamespaces } from "./namespaces.js";
import { memoryRegistrations, type Registrations } from "./registrations/index.js";
import { createRun, newId, now } from "./run.js";
import { counterOf, tokenizerNames } from "./tokens/counters.js";

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
  /** Sizes and times for components that clients host. */
  readonly hosting?: Partial<HostingLimits>;
}

/** Whose call a run is for, and how long that caller waits. */
export interface Caller {
  readonly namespace: string;
  readonly signal: AbortSignal;
  /** When the caller's deadline passes, in milliseconds since the epoch. Absent: never. */
  readonly deadlineMs?: number;
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
  /** Components that clients host. */
  readonly hosting: Hosting;
  /** What is known of the calls of components that are not hosted. */
  readonly stats: ComponentStats;
  /** The names of the tokenizers that are part of the server. */
  readonly tokenizers: readonly string[];
  newId(): string;
  /** A run with the tokenizer of a name, empty for the default; throws `UNKNOWN_TOKENIZER`. */
  createRun(tokenizer: string, caller: Caller): Run;
  /** Reads a request and assembles it with what exists in the caller's namespace; throws a `ContextError`. */
  assemble(draft: RequestDraft, tokenizer: string, caller: Caller): Promise<Assembled>;
  /** Reads a comparison and assembles its variants with what exists in the caller's namespace; throws a `ContextError`. */
  compare(draft: ComparisonDraft, tokenizer: string, caller: Caller): Promise<Compared>;
}

/** Puts the product together. */
export function createApp(options: AppOptions = {}): App {
  const { registry = builtInRegistry(), defaultTokenizer = "chars4", recorder = {} } = options;
  const { registrations = memoryRegistrations(), expressions = createExpressions() } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const namespaces = openNamespaces(registry, registrations, expressions);
  const hosting = createHosting(
    {
      newId,
      exists: (namespace, role, name) => {
        if (role === "token_counter") return tokenizerNames.some((known) => known === name);
        const known = namespaces.registryOf(namespace);
        return role === "strategy" ? known.hasStrategy(name) : known.components(role).has(name);
      },
    },
    options.hosting,
  );
  const registryOf = (namespace: string): Registry => hosting.registryOf(namespace, namespaces.registryOf(namespace));
  const stats = createComponentStats({
    beside: recorder,
    isRegistered: (namespace, name) => namespaces.registryOf(namespace).sourceOfStrategy(name) === "registered",
  });
  const create = (tokenizer: string, { namespace, signal, deadlineMs }: Caller): Run => {
    const isEndless = deadlineMs === undefined || deadlineMs === Number.POSITIVE_INFINITY;
    const remainingMs = isEndless ? undefined : (): number => deadlineMs - Date.now();
    const name = tokenizer === "" ? defaultTokenizer : tokenizer;
    const counter =
      hosting.counterOf(namespace, name, remainingMs) ??
      stats.counted(counterOf(name.replace(/^builtin:/, ""), defaultTokenizer));
    const recorder = stats.recorderIn(namespace);
    return createRun({ signal, counter, recorder, expressions, ...(remainingMs && { remainingMs }) });
  };
  const around = ({ counter, signal, breathe }: Run): RequestSurroundings => {
    return { limits, now: now(), newId, counter, expressions, signal, breathe };
  };
  return {
    ...namespaces,
    registryOf,
    register: async (namespace, draft, signal) => {
      await namespaces.register(namespace, draft, signal);
      stats.forget(namespace, draft!.name);
    },
    unregister: async (namespace, name) => {
      await namespaces.unregister(namespace, name);
      stats.forget(namespace, name);
    },
    hosting,
    stats,
    tokenizers: tokenizerNames,
    limits,
    newId,
    createRun: create,
    assemble: async (draft, tokenizer, caller) => {
      const run = create(tokenizer, caller);
      const request = await readRequest(draft, around(run));
      const payload = await assemble(request, registryOf(caller.namespace), run);
      // To make an answer of it takes time as well.
      await run.breathe();
      return { payload, idsOnly: request.idsOnly };
    },
    compare: async (draft, tokenizer, caller) => {
      const run = create(tokenizer, caller);
      const comparison = await readComparison(draft, around(run));
      const result = await compareStrategies(comparison, registryOf(caller.namespace), run);
      return { ...result, request: comparison.request, tokenizer: run.counter.name };
    },
  };
}
