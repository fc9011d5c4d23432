import { type ComponentRole, type FailureKind, hostedError } from "../core/index.js";
import { Breaker } from "./breaker.js";
import { CallFailure } from "./call-failure.js";
import { CallStats } from "./call-stats.js";
import type { Declaration } from "./declaration.js";
import { createFragmentWriter, type FragmentWriter } from "./encode/fragment-writer.js";
import type { Asked, Input } from "./encode/question.js";
import { type Instance, Instances, type Waiting } from "./instances.js";
import type { HostingLimits } from "./limits.js";
import type { Times } from "./open-questions.js";
import type { Output } from "./pending-calls.js";
import type { Session } from "./session.js";
import { AnswerFault } from "./wire.js";

/** The answer that belongs to a question. */
export type OutputOf<C extends Input["$case"]> = Extract<Output, { $case: C }>["value"];

/** How long a question may take beside what its component may, and who stops waiting. */
export interface Patience {
  readonly signal: AbortSignal;
  /** What the caller and the stage leave; infinite where they say nothing. */
  readonly remainingMs: number;
}

/** A question on its way. */
interface Question {
  readonly asked: Asked;
  readonly times: Times;
  readonly patience: Patience;
  /** Makes the answer of what came; throws an `AnswerFault`. */
  read(output: Output["value"]): unknown;
}

/** A first answer: what was asked, and who answered. */
interface Answered {
  readonly question: Question;
  readonly by: Session;
}

/** Failures that say nothing of the component: nobody was asked, or one client of several went away. */
const SPARED: ReadonlySet<FailureKind> = new Set(["detached", "no_credit", "lost"]);

/** Failures of one host after which another one may do better: all but those of the component as a whole, and of its time. */
const RETRIED: ReadonlySet<FailureKind> = new Set([
  "lost",
  "failed",
  "cancelled",
  "no_credit",
  "malformed",
  "oversized",
  "invariant",
]);

/** A component of a namespace, known by role and name, with all hosts that serve it now. */
export class HostedComponent {
  readonly role: ComponentRole;
  readonly name: string;
  readonly stats = new CallStats();
  readonly breaker: Breaker;
  /** Writes fragments with the fields that the component needs. */
  #write: FragmentWriter;
  #declaration: Declaration;
  readonly #limits: HostingLimits;
  readonly #instances = new Instances();
  /** Where first answers of a pure component came from, for as long as anybody has them. */
  readonly #answers = new WeakMap<object, Answered>();

  constructor(declaration: Declaration, limits: HostingLimits) {
    this.role = declaration.role;
    this.name = declaration.name;
    this.breaker = new Breaker(limits);
    this.#limits = limits;
    this.#declaration = declaration;
    this.#write = createFragmentWriter(declaration.needs);
  }

  get declaration(): Declaration {
    return this.#declaration;
  }

  get sessions(): readonly Session[] {
    return this.#instances.sessions;
  }

  /** Takes a host in. Its declaration is like that of the others; where there are none, it is the one that holds from now on. */
  attach(session: Session, declaration: Declaration): void {
    if (this.#instances.size === 0) {
      this.#declaration = declaration;
      this.#write = createFragmentWriter(declaration.needs);
    }
    this.#instances.add(session, declaration.concurrency);
  }

  /** Lets a host go. */
  detach(session: Session): void {
    this.#instances.delete(session);
  }

  /** The question that has waited longest among those that a host could take now. */
  waitingFor(session: Session): Waiting | undefined {
    return this.#instances.waitingFor(session);
  }

  /** Asks a question and reads its answer; rejects with a `HostedError`, or with the signal's reason. */
  async ask<C extends Input["$case"], T>(
    asked: Asked<C>,
    patience: Patience,
    read: (output: OutputOf<C>) => T,
  ): Promise<T> {
    const startMs = performance.now();
    const pausedMs = this.breaker.enter(startMs);
    if (pausedMs > 0) throw this.#error(new CallFailure("paused", "is paused after failing several times"), pausedMs);
    const times = {
      startMs,
      deadlineMs: startMs + Math.min(this.#declaration.timeoutMs, patience.remainingMs),
      lastMs: startMs + Math.min(this.#limits.maxTimeoutMs, patience.remainingMs),
    };
    const question: Question = { asked, times, patience, read: (output) => read(output as OutputOf<C>) };
    try {
      const answer = (await this.#askOneOrTwo(question)) as T;
      this.breaker.succeeded();
      this.stats.add(performance.now() - startMs, false);
      return answer;
    } catch (error) {
      if (patience.signal.aborted) {
        this.breaker.left();
        throw patience.signal.reason;
      }
      const failure = failureOf(error);
      // A caller that is in a hurry says nothing of the component.
      const isHurried = failure.kind === "timeout" && patience.remainingMs < this.#declaration.timeoutMs;
      const nowMs = performance.now();
      if (isHurried || !failure.blames || SPARED.has(failure.kind)) this.breaker.left();
      else this.breaker.failed(nowMs);
      this.stats.add(nowMs - startMs, true);
      throw this.#error(failure, undefined, nowMs - startMs, error);
    }
  }

  /**
   * Hears that an answer broke the contract of its role, which shows only where it is used. Where another host may do better it answers with
   * that one's answer, else with nothing.
   */
  rejected(fault: string, answer: unknown): Promise<unknown> | undefined {
    const known = isObject(answer) ? this.#answers.get(answer) : undefined;
    if (known !== undefined && this.#mayRetry(known)) return this.#askAgain(known, fault);
    this.#countRejected();
    return undefined;
  }

  async #askAgain({ question, by }: Answered, fault: string): Promise<unknown> {
    const { patience, times } = question;
    try {
      return await this.#askOther(question, by, new CallFailure("invariant", fault));
    } catch (error) {
      if (patience.signal.aborted) throw patience.signal.reason;
      this.#countRejected();
      throw this.#error(failureOf(error), undefined, performance.now() - times.startMs, error);
    }
  }

  /** What counted as answered was not. */
  #countRejected(): void {
    this.breaker.rejected(performance.now());
    this.stats.failures++;
  }

  /** Asks a host, and once another one where that may help. */
  async #askOneOrTwo(question: Question): Promise<unknown> {
    const instance = this.#instances.reserve(undefined) ?? (await this.#room(question));
    const answered = { question, by: instance.session };
    try {
      const answer = await this.#askAt(instance, question);
      if (this.#declaration.pure && isObject(answer)) this.#answers.set(answer, answered);
      return answer;
    } catch (error) {
      if (!RETRIED.has(failureOf(error).kind) || !this.#mayRetry(answered)) throw error;
      return this.#askOther(question, answered.by, error);
    }
  }

  #mayRetry({ question: { times, patience }, by }: Answered): boolean {
    const hasTime = !patience.signal.aborted && performance.now() < times.deadlineMs;
    return this.#declaration.pure && hasTime && this.#instances.hasOther(by);
  }

  /** Asks a host that is not the one that failed; where none has room in time, or is left, that failure stands. */
  async #askOther(question: Question, not: Session, failure: unknown): Promise<unknown> {
    const { signal } = question.patience;
    const other =
      this.#instances.reserve(not) ??
      (await this.#room(question, not).catch(() => {
        throw signal.aborted ? signal.reason : failure;
      }));
    return this.#askAt(other, question);
  }

  async #askAt(instance: Instance, { asked, times, patience, read }: Question): Promise<unknown> {
    const { name } = this;
    try {
      return read(await instance.session.ask({ name, asked, write: this.#write }, times, patience.signal));
    } finally {
      this.#instances.release(instance);
    }
  }

  #room({ times, patience }: Question, not?: Session): Promise<Instance> {
    const { deadlineMs } = times;
    return this.#instances.room({ deadlineMs, signal: patience.signal, ...(not !== undefined && { not }) });
  }

  #error(failure: CallFailure, retryAfterMs?: number, tookMs?: number, cause: unknown = failure): Error {
    return hostedError(this, failure.kind, failure.message, {
      cause,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(failure.kind === "timeout" && tookMs !== undefined && { timeoutMs: tookMs }),
    });
  }
}

function isObject(answer: unknown): answer is object {
  return typeof answer === "object" && answer !== null;
}

function failureOf(error: unknown): CallFailure {
  if (error instanceof CallFailure) return error;
  if (error instanceof AnswerFault) return new CallFailure("invariant", error.message);
  return new CallFailure("malformed", "was asked or answered with what is no message of its type");
}
