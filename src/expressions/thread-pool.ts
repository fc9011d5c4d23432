/**
 * A few threads, each with one task at a time. A task that takes too long ends its thread; the others are the warm spares, and a new one is
 * started. It is made of node:worker_threads alone: to end a thread in the middle of its work is all that is asked here, and a pool from a
 * package would add a queue for throughput and leave this part to us.
 */
import { setMaxListeners } from "node:events";
import { type TaskResult, Thread, type ThreadScript } from "./thread.js";

interface QueuedTask {
  readonly message: unknown;
  readonly limitMs: number;
  readonly resolve: (result: TaskResult<unknown>) => void;
  readonly reject: (error: unknown) => void;
}

/** Runs tasks in threads; keeps the process alive only while a task, or `start`, is waited for. */
export class ThreadPool {
  readonly #script: ThreadScript;
  readonly #size: number;
  readonly #threads = new Set<Thread>();
  readonly #idle: Thread[] = [];
  #queue: QueuedTask[] = [];
  #starting: Promise<void> | undefined;
  #ending = 0;
  #waiting = 0;
  #hold: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** Starts nothing yet; the first task does. */
  constructor(script: ThreadScript, size: number) {
    this.#script = script;
    this.#size = size;
  }

  /** Starts all threads, one after the other; done when they are ready. */
  async start(): Promise<void> {
    for (this.#fill(); this.#starting !== undefined; this.#fill()) await this.#holding(this.#starting);
  }

  /**
   * Does a task in the next free thread; its time begins there. Throws the signal's reason, though the task then goes on to its end, and what
   * kept a thread from working.
   */
  async run(message: unknown, limitMs: number, signal: AbortSignal): Promise<TaskResult<unknown>> {
    signal.throwIfAborted();
    if (this.#isClosed) throw new Error("the thread pool is closed");
    const { promise, resolve, reject } = withResolvers<TaskResult<unknown>>();
    const task: QueuedTask = { message, limitMs, resolve, reject };
    const abort = (): void => {
      this.#queue = this.#queue.filter((queued) => queued !== task);
      reject(signal.reason);
    };
    // A call may have many tasks at work that all listen to its end, which is no leak.
    setMaxListeners(0, signal);
    signal.addEventListener("abort", abort, { once: true });
    this.#queue.push(task);
    this.#dispatch();
    try {
      return await this.#holding(promise);
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  /** Ends all threads; tasks that are not done fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#failQueue(new Error("the thread pool was closed"));
    await Promise.all(Array.from(this.#threads, (thread) => thread.end()));
  }

  #dispatch(): void {
    while (this.#queue.length > 0 && this.#idle.length > 0) void this.#serve(this.#idle.pop()!, this.#queue.shift()!);
    this.#fill();
  }

  async #serve(thread: Thread, task: QueuedTask): Promise<void> {
    try {
      task.resolve(await thread.run(task.message, task.limitMs));
    } catch (error) {
      task.reject(error);
    }
    if (thread.isAlive) this.#idle.push(thread);
    else this.#forget(thread);
    this.#dispatch();
  }

  /** Starts one thread at a time, so that the first is ready soon; and no more where as many as there may be are still ending. */
  #fill(): void {
    if (this.#isClosed || this.#starting !== undefined) return;
    if (this.#threads.size >= this.#size || this.#ending >= this.#size) return;
    this.#starting = this.#startOne();
    this.#starting.catch((error) => this.#failQueue(error));
  }

  async #startOne(): Promise<void> {
    const thread = new Thread(this.#script);
    this.#threads.add(thread);
    try {
      await thread.ready;
    } catch (error) {
      this.#forget(thread);
      throw error;
    } finally {
      this.#starting = undefined;
    }
    this.#idle.push(thread);
    this.#dispatch();
  }

  #forget(thread: Thread): void {
    this.#threads.delete(thread);
    this.#ending++;
    void thread.gone.then(() => {
      this.#ending--;
      if (this.#queue.length > 0) this.#fill();
    });
  }

  #failQueue(error: unknown): void {
    for (const task of this.#queue.splice(0)) task.reject(error);
  }

  /** Threads do not keep the process alive; this does, as long as somebody waits for them. */
  async #holding<T>(promise: Promise<T>): Promise<T> {
    if (this.#waiting++ === 0) this.#hold = setInterval(() => undefined, LONG_MS);
    try {
      return await promise;
    } finally {
      if (--this.#waiting === 0) clearInterval(this.#hold);
    }
  }
}

const LONG_MS = 1_000_000;

function withResolvers<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
