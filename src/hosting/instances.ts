/** The hosts that serve one component now, how much room each has, and who waits for some. */
import { CallFailure } from "./call-failure.js";
import type { Session } from "./session.js";

/** One host's share of a component. */
export interface Instance {
  readonly session: Session;
  readonly concurrency: number;
  inFlight: number;
  /** Counts up with each question, so that equals take turns. */
  turn: number;
}

/** Somebody who waits until a host has room. */
interface Waiter {
  readonly sinceMs: number;
  readonly not: Session | undefined;
  take(instance: Instance): void;
  leave(failure: unknown): void;
}

/** A question that could be asked now. */
export interface Waiting {
  readonly sinceMs: number;
  /** Asks it. */
  take(): void;
}

/** How long somebody waits for room. */
export interface Wait {
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /** A host that shall not take the question. Absent: any may. */
  readonly not?: Session;
}

/** Questions that may wait for room at once. */
const MAX_WAITING = 1_000;

export class Instances {
  readonly #bySession = new Map<Session, Instance>();
  readonly #waiting = new Set<Waiter>();
  #turn = 0;

  get size(): number {
    return this.#bySession.size;
  }

  get sessions(): readonly Session[] {
    return [...this.#bySession.keys()];
  }

  /** True where there is another host than one. */
  hasOther(session: Session): boolean {
    return this.#bySession.size > 1 || (this.#bySession.size === 1 && !this.#bySession.has(session));
  }

  add(session: Session, concurrency: number): void {
    this.#bySession.set(session, { session, concurrency, inFlight: 0, turn: 0 });
    for (const waiter of this.#waiting) {
      const instance = this.reserve(waiter.not);
      if (instance !== undefined) waiter.take(instance);
    }
  }

  /** Lets a host go; who waits for room is told where it was the last that could have taken the question. */
  delete(session: Session): void {
    this.#bySession.delete(session);
    for (const waiter of [...this.#waiting]) if (!this.#hasBut(waiter.not)) waiter.leave(detached());
  }

  #hasBut(not: Session | undefined): boolean {
    return not === undefined ? this.size > 0 : this.hasOther(not);
  }

  /** The question that has waited longest among those that a host could take, if it has room; nothing where there is none. */
  waitingFor(session: Session): Waiting | undefined {
    const instance = this.#bySession.get(session);
    if (instance === undefined || instance.inFlight >= instance.concurrency) return undefined;
    for (const waiter of this.#waiting) {
      if (waiter.not === session) continue;
      return { sinceMs: waiter.sinceMs, take: () => waiter.take(this.#occupy(instance)) };
    }
    return undefined;
  }

  /** Takes room at the host that has most, of equals the one that was asked longest ago; nothing where none has any. */
  reserve(not: Session | undefined): Instance | undefined {
    let best: Instance | undefined;
    for (const instance of this.#bySession.values()) {
      const { session, inFlight, concurrency, turn } = instance;
      if (session === not || inFlight >= concurrency || !session.hasRoom()) continue;
      if (best === undefined || inFlight < best.inFlight || (inFlight === best.inFlight && turn < best.turn)) {
        best = instance;
      }
    }
    return best === undefined ? undefined : this.#occupy(best);
  }

  /** Gives room back. */
  release(instance: Instance): void {
    instance.inFlight--;
    instance.session.release();
  }

  /** Waits until a host has room. */
  room({ deadlineMs, signal, not }: Wait): Promise<Instance> {
    signal.throwIfAborted();
    if (!this.#hasBut(not)) throw detached();
    if (this.#waiting.size >= MAX_WAITING) throw new CallFailure("no_credit", `has ${MAX_WAITING} questions waiting`);
    return new Promise((resolve, reject) => {
      const abort = (): void => waiter.leave(signal.reason);
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", abort);
        this.#waiting.delete(waiter);
      };
      const waiter: Waiter = {
        sinceMs: performance.now(),
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

  #occupy(instance: Instance): Instance {
    instance.inFlight++;
    instance.turn = ++this.#turn;
    instance.session.reserve();
    return instance;
  }
}

function detached(): CallFailure {
  return new CallFailure("detached", "is not hosted by any client now");
}
