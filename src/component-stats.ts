import type { ComponentRole, Recorder, TokenCounter } from "./core/index.js";
import { CallStats } from "./hosting/index.js";

/** What is known of the calls of components that are part of the server or registered, since it started. */
export interface ComponentStats {
  /** Sees what a run in a namespace tells, hands it on to the given recorder, and counts. */
  recorderIn(namespace: string): Recorder;
  /** A token counter whose calls are counted. */
  counted(counter: TokenCounter): TokenCounter;
  /** What is known of a built-in component, over all namespaces; nothing where it was not called. */
  ofBuiltIn(role: ComponentRole, name: string): CallStats | undefined;
  /** What is known of a strategy that is registered in a namespace; nothing where it was not called. */
  ofRegistered(namespace: string, name: string): CallStats | undefined;
  /** Begins anew with a name that now stands for other settings, or for none. */
  forget(namespace: string, name: string): void;
}

/** What counting needs of its surroundings. */
export interface StatsSurroundings {
  /** Sees what is counted as well. */
  readonly beside: Recorder;
  /** True where a namespace has a strategy registered under a name: what has no registration is not counted, so that names do not pile up. */
  isRegistered(namespace: string, name: string): boolean;
}

/** Counts the calls of components. */
export function createComponentStats({ beside, isRegistered }: StatsSurroundings): ComponentStats {
  const builtIn = new Map<string, CallStats>();
  const registered = new Map<string, Map<string, CallStats>>();
  const addBuiltIn = (role: ComponentRole, name: string, durationMs: number, failed: boolean): void =>
    entryOf(builtIn, `${role}/${name.replace(/^builtin:/, "")}`).add(durationMs, failed);
  const addRegistered = (namespace: string, name: string, durationMs: number, failed: boolean): void => {
    let names = registered.get(namespace);
    if (names === undefined) {
      names = new Map();
      registered.set(namespace, names);
    }
    entryOf(names, name).add(durationMs, failed);
  };
  return {
    recorderIn: (namespace) => ({
      stageFinished: (stage, component, durationMs, outcome) => {
        if (outcome.source !== "hosted") addBuiltIn(stage, component, durationMs, outcome.failed);
        beside.stageFinished?.(stage, component, durationMs, outcome);
      },
      strategyFinished: (strategy, durationMs, outcome) => {
        const { source, failed, isInline } = outcome;
        if (source === "built_in") addBuiltIn("strategy", strategy, durationMs, failed);
        // A run may end after its strategy was deleted.
        else if (source === "registered" && !isInline && isRegistered(namespace, strategy)) {
          addRegistered(namespace, strategy, durationMs, failed);
        }
        beside.strategyFinished?.(strategy, durationMs, outcome);
      },
    }),
    counted: (counter) =>
      countedBy(counter, (durationMs, failed) => addBuiltIn("token_counter", counter.name, durationMs, failed)),
    ofBuiltIn: (role, name) => builtIn.get(`${role}/${name}`),
    ofRegistered: (namespace, name) => registered.get(namespace)?.get(name),
    forget: (namespace, name) => {
      const names = registered.get(namespace);
      names?.delete(name);
      if (names?.size === 0) registered.delete(namespace);
    },
  };
}

function entryOf(stats: Map<string, CallStats>, key: string): CallStats {
  let known = stats.get(key);
  if (known === undefined) {
    known = new CallStats();
    stats.set(key, known);
  }
  return known;
}

/** The counter, whose calls are told of. */
function countedBy(counter: TokenCounter, add: (durationMs: number, failed: boolean) => void): TokenCounter {
  return {
    name: counter.name,
    estimated: counter.estimated,
    count: (texts, signal) => {
      const startMs = performance.now();
      const finish = (failed: boolean): void => add(performance.now() - startMs, failed);
      let counts: ReturnType<TokenCounter["count"]>;
      try {
        counts = counter.count(texts, signal);
      } catch (error) {
        finish(true);
        throw error;
      }
      if (!(counts instanceof Promise)) {
        finish(false);
        return counts;
      }
      return counts.then(
        (answer) => {
          finish(false);
          return answer;
        },
        (error) => {
          finish(true);
          throw error;
        },
      );
    },
  };
}
