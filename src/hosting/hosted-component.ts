import type { ContextFragment } from "../../gen/acms/v1/fragment.js";
import type { Invoke } from "../../gen/acms/v1/hosted_component.js";
import { type ComponentRole, type FailureKind, type Fragment, hostedError } from "../core/index.js";
import { Breaker } from "./breaker.js";
import { CallFailure } from "./call-failure.js";
import { CallStats } from "./call-stats.js";
import type { Declaration } from "./declaration.js";
import type { HostingLimits } from "./limits.js";
import type { Output } from "./pending-calls.js";
import type { Session } from "./session.js";
import { AnswerFault, createProjection } from "./wire.js";

/** A question, by the role's member of `Invoke`. */
export type Input = NonNullable<Invoke["input"]>;

/** The answer that belongs to a question. */
export type OutputOf<C extends Input["$case"]> = Extract<Output, { $case: C }>["value"];

/** How long a question may take beside what its component may, and who stops waiting. */
export interface Patience {
  readonly signal: AbortSignal;
  /** What the caller and the stage leave; infinite where they say nothing. */
  readonly remainingMs: number;
}

/** One host's share of a component. */
interface Instance {
  readonly session: Session;
  readonly concurrency: number;
  inFlight: number;
  /** Counts up with each question, so that equals take turns. */
  turn: number;
}

/** Somebody who waits until a host has room. */
interface Waiter {
  readonly not: Session | undefined;
  take(instance: Instance): void;
  leave(failure: CallFailure): void;
}

/** Questions that may wait for room at once. */
const MAX_WAITING = 1_000;

/** Failures that say nothing of the component: nobody was asked, or one client of several went away. */
const SPARED: ReadonlySet<FailureKind> = new Set(["detached", "no_credit", "lost"]);

/** Failures after which another host of a pure component may do better. */
const RETRIED: ReadonlySet<FailureKind> = new Set(["lost", "failed", "cancelled", "no_credit"]);

/** A component of a namespace, known by role and name, with all hosts that serve it now. */
export class HostedComponent {
  readonly role: ComponentRole;
  readonly name: string;
  readonly stats = new CallStats();
  readonly breaker: Breaker;
  /** Fragments with the fields that the component needs. */
  project: (fragments: readonly Fragment[]) => ContextFragment[];
  #declaration: Declaration;
  readonly #limits: HostingLimits;
  readonly #instances = new Map<Session, Instance>();
  readonly #waiting = new Set<Waiter>();
  #turn = 0;

  constructor(declaration: Declaration, limits: HostingLimits) {
    this.role = declaration.role;
    this.name = declaration.name;
    this.breaker = new Breaker(limits);
    this.#limits = limits;
    this.#declaration = declaration;
    this.project = createProjection(declaration.needs);
  }

  get declaration(): Declaration {
    return this.#declaration;
  }

  get sessions(): readonly Session[] {
    return [...this.#instances.keys()];
  }

  /** Takes a host in. Its declaration is like that of the others; where there are none, it is the one that holds from now on. */
  attach(session: Session, declaration: Declaration): void {
    if (this.#instances.size === 0) {
      this.#declaration = declaration;
      this.project = createProjection(declaration.needs);
    }
    this.#instances.set(session, { session, concurrency: declaration.concurrency, inFlight: 0, turn: 0 });
    this.pump();
  }

  /** Lets a host go; who waits for room is told where it was the last. */
  detach(session: Session): void {
    this.#instances.delete(session);
    if (this.#instances.size > 0) return;
    for (const waiter of [...this.#waiting]) waiter.leave(this.#detached());
  }

  /** Gives room that has come up to those who wait, first come first served. */
  pump(): void {
    for (const waiter of this.#waiting) {
      const instance = this.#reserve(waiter.not);
      if (instance !== undefined) waiter.take(instance);
    }
  }

  /** Asks a question and reads its answer; rejects with a `HostedError`, or with the signal's reason. */
  async ask<C extends Input["$case"], T>(
    input: Extract<Input, { $case: C }>,
    { signal, remainingMs }: Patience,
    read: (output: OutputOf<C>) => T,
  ): Promise<T> {
    const startMs = performance.now();
    const pausedMs = this.breaker.enter(startMs);
    if (pausedMs > 0) throw this.#error(new CallFailure("paused", "is paused after failing several times"), pausedMs);
    const times = {
      deadlineMs: startMs + Math.min(this.#declaration.timeoutMs, remainingMs),
      lastMs: startMs + Math.min(this.#limits.maxTimeoutMs, remainingMs),
    };
    try {
      const answer = read((await this.#askOneOrTwo(input, times, signal)) as OutputOf<C>);
      this.breaker.succeeded();
      this.stats.add(performance.now() - startMs, false);
      return answer;
    } catch (error) {
      const nowMs = performance.now();
      if (signal.aborted) {
        this.breaker.left();
        throw signal.reason;
      }
      const failure = failureOf(error);
      // A caller that is in a hurry says nothing of the component.
      const isHurried = failure.kind === "timeout" && remainingMs < this.#declaration.timeoutMs;
      if (isHurried || !failure.blames || SPARED.has(failure.kind)) this.breaker.left();
      else this.breaker.failed(nowMs);
      this.stats.add(nowMs - startMs, true);
      throw this.#error(failure, undefined, nowMs - startMs, error);
    }
  }

  /** Hears that the newest answer broke the contract of its role, which shows only where it is used. */
  rejected(): void {
    this.breaker.rejected(performance.now());
    this.stats.failures++;
  }

  /** Asks a host, and once another one where that may help. */
  async #askOneOrTwo(
    input: Input,
    times: { readonly deadlineMs: number; readonly lastMs: number },
    signal: AbortSignal,
  ): Promise<Output["value"]> {
    const first = this.#reserve(undefined) ?? (await this.#room(times.deadlineMs, signal, undefined));
    try {
      return await this.#askAt(first, input, times, signal);
    } catch (error) {
      const mayRetry = error instanceof CallFailure && RETRIED.has(error.kind) && this.#declaration.pure;
      const hasOther = [...this.#instances.keys()].some((session) => session !== first.session);
      if (!mayRetry || !hasOther || signal.aborted || performance.now() >= times.deadlineMs) throw error;
      const second = this.#reserve(first.session) ?? (await this.#room(times.deadlineMs, signal, first.session));
      return this.#askAt(second, input, times, signal);
    }
  }

  async #askAt(
    instance: Instance,
    input: Input,
    times: { readonly deadlineMs: number; readonly lastMs: number },
    signal: AbortSignal,
  ): Promise<Output["value"]> {
    try {
      return await instance.session.ask(this.name, input, times, signal);
    } finally {
      instance.inFlight--;
      instance.session.release();
    }
  }

  /** Takes room at the host that has most, of equals the one that was asked longest ago; nothing where none has any. */
  #reserve(not: Session | undefined): Instance | undefined {
    let best: Instance | undefined;
    for (const instance of this.#instances.values()) {
      const { session, inFlight, concurrency, turn } = instance;
      if (session === not || inFlight >= concurrency || !session.hasRoom()) continue;
      if (best === undefined || inFlight < best.inFlight || (inFlight === best.inFlight && turn < best.turn)) {
        best = instance;
      }
    }
    if (best !== undefined) {
      best.inFlight++;
      best.turn = ++this.#turn;
      best.session.reserve();
    }
    return best;
  }

  /** Waits until a host has room. */
  #room(deadlineMs: number, signal: AbortSignal, not: Session | undefined): Promise<Instance> {
    signal.throwIfAborted();
    if (this.#instances.size === 0) throw this.#detached();
    if (this.#waiting.size >= MAX_WAITING) throw new CallFailure("no_credit", `has ${MAX_WAITING} questions waiting`);
    return new Promise((resolve, reject) => {
      const abort = (): void => waiter.leave(signal.reason as CallFailure);
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", abort);
        this.#waiting.delete(waiter);
      };
      const waiter: Waiter = {
        not,
        take: (instance) => {
          done();
          resolve(instance);
        },
        leave: (failure) => {
          done();
          reject(failure);
        },
      };
      const timer = setTimeout(
        () => waiter.leave(new CallFailure("no_credit", "had no room for the question in its time")),
        Math.max(0, deadlineMs - performance.now()),
      );
      signal.addEventListener("abort", abort, { once: true });
      this.#waiting.add(waiter);
    });
  }

  #detached(): CallFailure {
    return new CallFailure("detached", "is not hosted by any client now");
  }

  #error(failure: CallFailure, retryAfterMs?: number, tookMs?: number, cause: unknown = failure): Error {
    return hostedError(this, failure.kind, failure.message, {
      cause,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(failure.kind === "timeout" && tookMs !== undefined && { timeoutMs: tookMs }),
    });
  }
}

function failureOf(error: unknown): CallFailure {
  if (error instanceof CallFailure) return error;
  if (error instanceof AnswerFault) return new CallFailure("invariant", error.message);
  return new CallFailure("malformed", "was asked or answered with what is no message of its type");
}
