import type {
  Evaluation,
  ExpressionFault,
  ExpressionInput,
  ExpressionPair,
  ExpressionResult,
  Expressions,
  FailedEvaluation,
} from "./contract.js";
import { EXPRESSION_LIMITS } from "./limits.js";
import { LruCache } from "./lru-cache.js";
import type { AnswerTo, CheckAnswer, CheckMessage, EvaluateMessage } from "./messages.js";
import { packFragments } from "./pack.js";
import type { TaskResult, ThreadScript } from "./thread.js";
import { ThreadPool } from "./thread-pool.js";

/** What the owner of the expressions may choose. */
export interface ExpressionOptions {
  /** How many threads evaluate, at least 1. With one, a slow expression holds up the others until it is ended. Default: 3. */
  readonly workers?: number;
  /** The time for one check and for one evaluation over all fragments, in milliseconds. Default: 200. */
  readonly timeMs?: number;
}

/** Expressions with the threads that evaluate them. */
export interface ExpressionEngine extends Expressions {
  /** Starts the threads, so that no call waits for it; without this, the first call does. */
  start(): Promise<void>;
  /** Ends the threads; calls that are not done fail. */
  close(): Promise<void>;
}

/** Makes the engine: CEL, in threads of its own. Nothing is started before it is used. */
export function createExpressions(options: ExpressionOptions = {}): ExpressionEngine {
  const { workers = 3, timeMs = EXPRESSION_LIMITS.timeMs } = options;
  const pool = new ThreadPool(workerScript(), workers);
  const checked = new LruCache<CheckAnswer>(262_144);

  async function ask<M extends CheckMessage | EvaluateMessage>(message: M, signal: AbortSignal) {
    return (await pool.run(message, timeMs, signal)) as TaskResult<AnswerTo<M>>;
  }

  async function check(source: string, gives: ExpressionResult, signal: AbortSignal): Promise<CheckAnswer> {
    signal.throwIfAborted();
    const length = lengthFault(source);
    if (length !== undefined) return { fault: length };
    const key = `${gives}:${source}`;
    const known = checked.get(key);
    if (known !== undefined) return known;
    const result = await ask<CheckMessage>({ kind: "check", source, gives }, signal);
    if ("broke" in result) return { fault: overrun(result.broke, timeMs) };
    checked.set(key, result.answer);
    return result.answer;
  }

  async function evaluate(
    { where = "", score = "" }: ExpressionPair,
    { fragments, query, asOf }: ExpressionInput,
    signal: AbortSignal,
  ): Promise<Evaluation | FailedEvaluation> {
    const needs = [];
    for (const part of ["where", "score"] as const) {
      const source = part === "where" ? where : score;
      if (source === "") continue;
      const answer = await check(source, part === "where" ? "boolean" : "number", signal);
      if (answer.fault !== undefined) return { fault: answer.fault, part };
      needs.push(answer.needs);
    }
    const now = [asOf.seconds, asOf.nanos] as const;
    const packed = packFragments(fragments, needs);
    const result = await ask<EvaluateMessage>(
      { kind: "evaluate", where, score, fragments: packed, query, now },
      signal,
    );
    if ("broke" in result) return { fault: overrun(result.broke, timeMs), part: where === "" ? "score" : "where" };
    return result.answer;
  }

  return {
    check: async (source, gives, signal) => (await check(source, gives, signal)).fault,
    evaluate,
    start: () => pool.start(),
    close: () => pool.close(),
  };
}

function lengthFault(source: string): ExpressionFault | undefined {
  const { characters } = EXPRESSION_LIMITS;
  if (source.trim() === "") return { description: "is blank; an expression is needed" };
  // Twice as many units are too many characters, whatever they are; they need not be counted.
  const length = source.length > 2 * characters ? source.length : [...source].length;
  if (length <= characters) return undefined;
  return { description: `has ${length} characters; at most ${characters} are allowed` };
}

function overrun(limit: "time" | "memory", timeMs: number): ExpressionFault {
  const allowed = limit === "time" ? `${timeMs} milliseconds` : `${EXPRESSION_LIMITS.heapMb} MiB of memory`;
  return { description: `takes more than the ${allowed} that an expression has for all fragments` };
}

/** The worker's script beside this one: the compiled one, or the source, for which the loader has to be registered in each thread. */
function workerScript(): ThreadScript {
  const resourceLimits = { maxOldGenerationSizeMb: EXPRESSION_LIMITS.heapMb };
  if (!import.meta.url.endsWith(".ts")) {
    return { url: new URL("./worker.js", import.meta.url), options: { execArgv: [], resourceLimits } };
  }
  const load = `const { register } = await import(${JSON.stringify(import.meta.resolve("tsx/esm/api"))});
    register();
    await import(${JSON.stringify(new URL("./worker.ts", import.meta.url).href)});`;
  return {
    url: new URL(`data:text/javascript,${encodeURIComponent(load)}`),
    options: { execArgv: [], resourceLimits },
  };
}
