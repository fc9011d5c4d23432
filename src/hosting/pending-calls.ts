import type { Result } from "../../gen/acms/v1/hosted_component.js";

/** What a host answers: the member of its result that belongs to the role. */
export type Output = NonNullable<Result["output"]>;

/** A question that waits for its answer. */
export interface PendingCall {
  readonly invocation: number;
  /** The kind of output that answers it. */
  readonly expects: Output["$case"];
  /** Since when its caller waits, which may be before it was sent. */
  readonly startMs: number;
  /** When it is given up; it moves once, where the host asks for more time. */
  deadlineMs: number;
  /** What no extension passes. */
  readonly lastMs: number;
  accepted: boolean;
  extended: boolean;
  resolve(output: Output): void;
  reject(error: unknown): void;
  timer: NodeJS.Timeout | undefined;
}

/** What is to be known of a new call. */
export interface NewCall {
  readonly expects: Output["$case"];
  readonly startMs: number;
  readonly deadlineMs: number;
  readonly lastMs: number;
}

/** The questions of one session that wait for answers, by number. Each is taken out once, by whatever comes first. */
export class PendingCalls {
  readonly #calls = new Map<number, PendingCall>();
  readonly #onTimeout: (call: PendingCall) => void;
  #last = 0;

  /** `onTimeout` hears of a call that was taken out because its time is over. */
  constructor(onTimeout: (call: PendingCall) => void) {
    this.#onTimeout = onTimeout;
  }

  get size(): number {
    return this.#calls.size;
  }

  /** True for a number that a question had, open or not. */
  wasIssued(invocation: number): boolean {
    return invocation >= 1 && invocation <= this.#last;
  }

  /** Opens a call under the next number. */
  open(
    { expects, startMs, deadlineMs, lastMs }: NewCall,
    settle: Pick<PendingCall, "resolve" | "reject">,
    nowMs: number,
  ): PendingCall {
    const call: PendingCall = {
      invocation: ++this.#last,
      expects,
      startMs,
      deadlineMs,
      lastMs,
      accepted: false,
      extended: false,
      ...settle,
      timer: undefined,
    };
    this.#calls.set(call.invocation, call);
    this.#arm(call, nowMs);
    return call;
  }

  get(invocation: number): PendingCall | undefined {
    return this.#calls.get(invocation);
  }

  /** Takes a call out, whose answer has come or is no longer waited for. */
  take(invocation: number): PendingCall | undefined {
    const call = this.#calls.get(invocation);
    if (call === undefined) return undefined;
    clearTimeout(call.timer);
    this.#calls.delete(invocation);
    return call;
  }

  /** Takes all calls out, which have no answer. */
  rejectAll(error: unknown): void {
    for (const invocation of [...this.#calls.keys()]) this.take(invocation)!.reject(error);
  }

  /** Gives a call more time, once, as far as it may have it; answers what is left to it. */
  extend(call: PendingCall, byMs: number, nowMs: number): number {
    if (!call.extended) {
      call.extended = true;
      call.deadlineMs = Math.min(call.lastMs, call.deadlineMs + byMs);
      this.#arm(call, nowMs);
    }
    return Math.max(0, call.deadlineMs - nowMs);
  }

  #arm(call: PendingCall, nowMs: number): void {
    clearTimeout(call.timer);
    call.timer = setTimeout(
      () => {
        if (this.take(call.invocation) !== undefined) this.#onTimeout(call);
      },
      Math.max(0, call.deadlineMs - nowMs),
    );
  }
}
