import { Worker, type WorkerOptions } from "node:worker_threads";

/** What a task came to: its answer, or which limit it broke. */
export type TaskResult<A> = { readonly answer: A } | { readonly broke: "time" | "memory" };

/** The script of a thread: it posts a message when it is ready, and then one for each that it gets. */
export interface ThreadScript {
  readonly url: URL;
  readonly options: WorkerOptions;
}

interface Task {
  readonly resolve: (result: TaskResult<unknown>) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout;
}

/** A thread that does one task at a time, is ended by one that takes too long, and keeps no process alive. */
export class Thread {
  /** Done when it takes tasks; fails where it never will. */
  readonly ready: Promise<void>;
  /** Done when it is gone. */
  readonly gone: Promise<void>;
  readonly #worker: Worker;
  #task: Task | undefined;
  #isAlive = true;

  constructor({ url, options }: ThreadScript) {
    this.#worker = new Worker(url, options);
    this.ready = new Promise((resolve, reject) => {
      // The first message says that it is ready, and settles no task, for there is none before.
      this.#worker.on("message", (answer) => {
        this.#takeTask()?.resolve({ answer });
        resolve();
      });
      this.#worker.once("error", reject);
      this.#worker.once("exit", () => reject(new Error("the worker ended before it was ready")));
    });
    // Whoever waits for it is told; where nobody does, it is no news that an ended thread will not be ready.
    this.ready.catch(() => undefined);
    this.gone = new Promise((resolve) => this.#worker.once("exit", () => resolve()));
    this.#worker.on("error", (error) => this.#die(error));
    this.#worker.on("exit", () => this.#die(new Error("the worker has ended")));
    // A listener would hold the process again, so this comes last.
    this.#worker.unref();
  }

  /** False once it takes no more tasks. */
  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Does a task; only when it is ready, and one at a time. Fails with what ended the thread, where no limit did. */
  run(message: unknown, limitMs: number): Promise<TaskResult<unknown>> {
    return new Promise((resolve, reject) => {
      // An answer that has come counts, even where this side was too busy to look: so the event loop looks once more before the end.
      const timer = setTimeout(() => setImmediate(() => this.#task === task && this.#overrun()), limitMs);
      const task: Task = { resolve, reject, timer };
      this.#task = task;
      this.#worker.postMessage(message);
    });
  }

  /** Ends it, in the middle of whatever it does. */
  async end(): Promise<void> {
    this.#isAlive = false;
    await this.#worker.terminate();
  }

  #overrun(): void {
    this.#isAlive = false;
    this.#takeTask()?.resolve({ broke: "time" });
    void this.#worker.terminate();
  }

  #die(error: NodeJS.ErrnoException): void {
    this.#isAlive = false;
    const task = this.#takeTask();
    if (error.code === "ERR_WORKER_OUT_OF_MEMORY") task?.resolve({ broke: "memory" });
    else task?.reject(error);
  }

  #takeTask(): Task | undefined {
    const task = this.#task;
    this.#task = undefined;
    clearTimeout(task?.timer);
    return task;
  }
}
