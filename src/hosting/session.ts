/** One host's stream: attach, then questions and answers until one side leaves. Liveness and work share it, so that neither outlives the other. */
import type { HostRequest, HostResponse } from "../../gen/acms/v1/component_service.js";
import { type Extend, type Failure, HostFailureCode, type Result } from "../../gen/acms/v1/hosted_component.js";
import { ContextError, cutToUnits } from "../core/index.js";
import { CallFailure } from "./call-failure.js";
import type { Input } from "./hosted-component.js";
import type { HostingLimits } from "./limits.js";
import type { Membership } from "./membership.js";
import type { HostListener, HostPeer } from "./peer.js";
import { type Output, type PendingCall, PendingCalls } from "./pending-calls.js";
import { durationFromWire, durationToWire } from "./wire.js";

type Message = NonNullable<HostRequest["message"]>;
type MessageOf<C extends Message["$case"]> = Extract<Message, { $case: C }>["value"];

/** Messages in one heartbeat interval that no question called for; more are a flood. */
const MAX_UNCALLED = 1_000;

const MAX_MESSAGE_CHARACTERS = 512;

/** What a session needs of the host that opened it. */
export interface SessionSurroundings {
  readonly id: string;
  readonly peer: HostPeer;
  readonly limits: HostingLimits;
  /** Its components come and go here. */
  readonly membership: Membership;
  /** The session is over. */
  closed(): void;
}

export class Session implements HostListener {
  readonly id: string;
  /** The name that the host gave itself; empty where it gave none. */
  host = "";
  readonly #around: SessionSurroundings;
  readonly #calls: PendingCalls;
  readonly #startMs = performance.now();
  #isAttached = false;
  #isDraining = false;
  #isOver = false;
  /** True while the host does not read what is sent. */
  #isCongested = false;
  #inFlight = 0;
  #credit = Number.POSITIVE_INFINITY;
  #heardMs = this.#startMs;
  #uncalled = 0;
  #uncalledSinceMs = this.#startMs;
  #silence: NodeJS.Timeout;

  constructor(around: SessionSurroundings) {
    this.id = around.id;
    this.#around = around;
    this.#calls = new PendingCalls((call) => this.#timedOut(call));
    this.#silence = this.#watch(around.limits.heartbeatIntervalMs * 2);
  }

  /** True where the host takes one question more. */
  hasRoom(): boolean {
    return !this.#isOver && !this.#isDraining && !this.#isCongested && this.#inFlight < this.#credit;
  }

  reserve(): void {
    this.#inFlight++;
  }

  release(): void {
    this.#inFlight--;
    this.#pump();
    this.#leaveIfDone();
  }

  /** Sends a question; rejects with a `CallFailure`, or with the signal's reason. */
  ask(
    name: string,
    input: Input,
    times: { readonly deadlineMs: number; readonly lastMs: number },
    signal: AbortSignal,
  ): Promise<Output["value"]> {
    return new Promise((resolve, reject) => {
      if (this.#isOver || signal.aborted) {
        reject(signal.aborted ? signal.reason : new CallFailure("lost", "was lost before it was asked"));
        return;
      }
      const abort = (): void => {
        if (this.#calls.take(call.invocation) === undefined) return;
        this.#cancel(call);
        call.reject(signal.reason);
      };
      const nowMs = performance.now();
      const settle = {
        resolve: ({ value }: Output) => {
          signal.removeEventListener("abort", abort);
          resolve(value);
        },
        reject: (error: unknown) => {
          signal.removeEventListener("abort", abort);
          reject(error);
        },
      };
      const call = this.#calls.open({ expects: input.$case, ...times }, settle, nowMs);
      signal.addEventListener("abort", abort, { once: true });
      const { invocation } = call;
      const timeout = durationToWire(Math.max(0, call.deadlineMs - nowMs));
      try {
        this.#send({ $case: "invoke", value: { invocation, name, timeout, input } });
      } catch (error) {
        this.#calls.take(invocation)?.reject(error);
      }
    });
  }

  message({ message }: HostRequest, bytes: number): void {
    this.#heardMs = performance.now();
    if (message === undefined) throw broken("a message without content came");
    if (!this.#isAttached && message.$case !== "attach") throw broken(`${message.$case} came before attach`);
    if (message.$case !== "result" && bytes > this.#around.limits.maxAnswerBytes) {
      throw broken(`${message.$case} has ${bytes} bytes; at most ${this.#around.limits.maxAnswerBytes} are allowed`);
    }
    this.#hear(message, bytes);
  }

  drained(): void {
    this.#isCongested = false;
    this.#pump();
  }

  halfClosed(): void {
    if (this.#isDraining) {
      // It can answer nothing any more.
      this.#loseCalls("left before it answered");
      this.#around.peer.end();
    } else {
      this.#loseCalls("was lost before it answered");
      this.#around.peer.fail(broken("the host ended its side without a drain"));
    }
  }

  gone(): void {
    this.#isOver = true;
    clearTimeout(this.#silence);
    this.#around.membership.leave(this, { inOrder: this.#isDraining });
    this.#loseCalls("was lost before it answered");
    this.#around.closed();
  }

  stopping(graceMs: number): void {
    if (this.#isAttached) this.#send({ $case: "drain", value: { grace: durationToWire(graceMs) } });
  }

  #hear(message: Message, bytes: number): void {
    switch (message.$case) {
      case "attach":
        this.#attach(message.value);
        break;
      case "heartbeat":
        this.#heartbeat(message.value);
        break;
      case "accept":
        this.#accept(message.value.invocation);
        break;
      case "result":
        this.#result(message.value, bytes);
        break;
      case "failure":
        this.#failure(message.value);
        break;
      case "extend":
        this.#extend(message.value);
        break;
      case "credit":
        this.#setCredit(message.value.invocations);
        break;
      case "update":
        this.#update(message.value);
        break;
      case "drain":
        this.#drain();
    }
  }

  #attach({ components, host }: MessageOf<"attach">): void {
    if (this.#isAttached) throw broken("attach came a second time");
    if (components.length === 0) throw broken("attach has no components; at least one is required");
    if (host.length > 128) throw broken(`attach names a host of ${host.length} characters; at most 128 are allowed`);
    this.#isAttached = true;
    this.host = host;
    const { limits, membership } = this.#around;
    const { taken, refused, first } = membership.join(this, components);
    this.#send({
      $case: "welcome",
      value: {
        sessionId: this.id,
        taken,
        refused,
        heartbeatInterval: durationToWire(limits.heartbeatIntervalMs),
        maxComponents: limits.maxComponents,
        maxAnswerBytes: limits.maxAnswerBytes,
        maxTimeout: durationToWire(limits.maxTimeoutMs),
      },
    });
    if (taken.length === 0) throw first!;
  }

  #heartbeat({ number }: MessageOf<"heartbeat">): void {
    this.#countUncalled();
    // A host that does not read gets no answers to pile up for it.
    if (!this.#isCongested) this.#send({ $case: "heartbeat", value: { number } });
  }

  #accept(invocation: number): void {
    const call = this.#open(invocation, "accept");
    if (call === undefined || call.accepted) this.#countUncalled();
    else call.accepted = true;
  }

  #result({ invocation, output }: Result, bytes: number): void {
    const call = this.#open(invocation, "result");
    // Its time may have passed while it was on its way, and a second answer is no answer.
    if (call === undefined) {
      this.#countUncalled();
      return;
    }
    this.#calls.take(invocation);
    const { maxAnswerBytes } = this.#around.limits;
    if (bytes > maxAnswerBytes) {
      call.reject(new CallFailure("oversized", `answered with ${bytes} bytes; at most ${maxAnswerBytes} are allowed`));
    } else if (output?.$case !== call.expects) {
      const came = output === undefined ? "nothing" : `a ${output.$case}`;
      call.reject(new CallFailure("malformed", `answered with ${came}, where a ${call.expects} was asked`));
    } else {
      call.resolve(output);
    }
  }

  #failure({ invocation, code, message }: Failure): void {
    const call = this.#open(invocation, "failure");
    if (call === undefined) {
      this.#countUncalled();
      return;
    }
    this.#calls.take(invocation);
    const said = message === "" ? "" : `: ${cutToUnits(message, MAX_MESSAGE_CHARACTERS)}`;
    call.reject(
      code === HostFailureCode.HOST_FAILURE_CODE_BUSY
        ? new CallFailure("no_credit", `said that it has no room${said}`)
        : code === HostFailureCode.HOST_FAILURE_CODE_CANCELLED
          ? new CallFailure("cancelled", `gave the question up${said}`)
          : new CallFailure("failed", `failed${said}`),
    );
  }

  #extend({ invocation, time }: Extend): void {
    const call = this.#open(invocation, "extend");
    const byMs = time === undefined ? Number.NaN : durationFromWire(time);
    if (!(byMs > 0))
      throw broken(`extend asks for ${time === undefined ? "no time" : `${byMs} ms`}; allowed is above 0`);
    if (call === undefined) {
      this.#countUncalled();
      return;
    }
    if (call.extended) this.#countUncalled();
    const leftMs = this.#calls.extend(call, byMs, performance.now());
    this.#send({ $case: "extend", value: { invocation, time: durationToWire(leftMs) } });
  }

  #setCredit(invocations: number): void {
    this.#countUncalled();
    this.#credit = invocations;
    this.#pump();
  }

  #update({ add, remove }: MessageOf<"update">): void {
    this.#countUncalled();
    const { membership } = this.#around;
    membership.remove(this, remove);
    const { taken, refused } = membership.join(this, this.#isDraining ? [] : add);
    this.#send({ $case: "updated", value: { taken, refused } });
  }

  #drain(): void {
    this.#countUncalled();
    this.#isDraining = true;
    this.#around.membership.leave(this, { inOrder: true });
    this.#leaveIfDone();
  }

  #leaveIfDone(): void {
    if (this.#isDraining && !this.#isOver && this.#calls.size === 0 && this.#inFlight === 0) this.#around.peer.end();
  }

  /** The open question of a number; throws for a number that no question had. */
  #open(invocation: number, kind: string): PendingCall | undefined {
    if (!this.#calls.wasIssued(invocation))
      throw broken(`${kind} names the question ${invocation}, which was not asked`);
    return this.#calls.get(invocation);
  }

  #timedOut(call: PendingCall): void {
    this.#cancel(call);
    const ms = Math.round(call.deadlineMs - call.sentMs);
    const begun = call.accepted ? ", though it had begun" : "";
    call.reject(new CallFailure("timeout", `did not answer within ${ms} ms${begun}`));
  }

  #cancel({ invocation }: PendingCall): void {
    if (!this.#isCongested) this.#send({ $case: "cancel", value: { invocation } });
  }

  #loseCalls(fault: string): void {
    for (const call of this.#calls.takeAll()) call.reject(new CallFailure("lost", fault));
  }

  #send(message: NonNullable<HostResponse["message"]>): void {
    if (this.#isOver) return;
    if (!this.#around.peer.send({ message })) this.#isCongested = true;
  }

  #pump(): void {
    if (this.hasRoom()) for (const component of this.#around.membership.componentsOf(this)) component.pump();
  }

  /** Counts what came uncalled for, which some hosts do some of, and a broken one without end. */
  #countUncalled(): void {
    const nowMs = performance.now();
    if (nowMs - this.#uncalledSinceMs > this.#around.limits.heartbeatIntervalMs) {
      this.#uncalledSinceMs = nowMs;
      this.#uncalled = 0;
    }
    if (++this.#uncalled > MAX_UNCALLED) {
      throw broken(`more than ${MAX_UNCALLED} messages that nothing called for came within a heartbeat interval`);
    }
  }

  /** Waits for silence: one timer, which a message only has to prove wrong. */
  #watch(afterMs: number): NodeJS.Timeout {
    const timer = setTimeout(
      () => {
        const allowedMs = this.#around.limits.heartbeatIntervalMs * 2;
        const silentMs = performance.now() - this.#heardMs;
        if (silentMs < allowedMs) this.#silence = this.#watch(allowedMs - silentMs);
        else this.#around.peer.fail(this.#heartbeatMissed());
      },
      Math.max(1, afterMs),
    );
    timer.unref();
    return timer;
  }

  #heartbeatMissed(): ContextError {
    const { heartbeatIntervalMs } = this.#around.limits;
    return new ContextError(
      "HEARTBEAT_MISSED",
      `the host said nothing for two heartbeat intervals of ${heartbeatIntervalMs} ms`,
      { metadata: { interval_ms: String(heartbeatIntervalMs) }, retryAfterMs: heartbeatIntervalMs },
    );
  }
}

function broken(what: string): ContextError {
  return new ContextError("CONVERSATION_BROKEN", what, { metadata: { message: what.split(" ")[0]! } });
}
