import type { ComponentRole, Recorder, TokenCounter } from "./core/index.js";
import { CallStats } from "./hosting/index.js";

/** What is known of the calls of components that are part of the server or registered, since it started. */
export interface ComponentStats {
  /** Sees what the given recorder sees, and counts. */
  readonly recorder: Recorder;
  /** A token counter whose calls are counted. */
  counted(counter: TokenCounter): TokenCounter;
  /** What is known of a component; nothing where it was not called. */
  of(role: ComponentRole, name: string): CallStats | undefined;
}

/** Counts the calls of components, beside another recorder. */
export function createComponentStats(beside: Recorder): ComponentStats {
  const stats = new Map<string, CallStats>();
  const add = (role: ComponentRole, name: string, durationMs: number, failed: boolean): void => {
    const key = `${role}/${name}`;
    let known = stats.get(key);
    if (known === undefined) {
      known = new CallStats();
      stats.set(key, known);
    }
    known.add(durationMs, failed);
  };
  return {
    recorder: {
      stageFinished: (stage, component, durationMs, outcome) => {
        if (outcome.source !== "hosted") add(stage, component, durationMs, outcome.failed);
        beside.stageFinished?.(stage, component, durationMs, outcome);
      },
      strategyFinished: (strategy, durationMs, outcome) => {
        // Inline settings may have any name, and names of callers must not pile up.
        if (outcome.source === "built_in" && stats.size < MAX_NAMES)
          add("strategy", strategy, durationMs, outcome.failed);
        beside.strategyFinished?.(strategy, durationMs, outcome);
      },
    },
    counted: (counter) => ({
      name: counter.name,
      estimated: counter.estimated,
      count: (texts, signal) => {
        const startMs = performance.now();
        const counts = counter.count(texts, signal);
        if (!(counts instanceof Promise)) {
          add("token_counter", counter.name, performance.now() - startMs, false);
          return counts;
        }
        return counts.then(
          (answer) => {
            add("token_counter", counter.name, performance.now() - startMs, false);
            return answer;
          },
          (error) => {
            add("token_counter", counter.name, performance.now() - startMs, true);
            throw error;
          },
        );
      },
    }),
    of: (role, name) => stats.get(`${role}/${name}`),
  };
}

/** The most names that are counted. */
const MAX_NAMES = 10_000;
