/** One host's stream: attach, then questions and answers until one side leaves. Liveness and work share it, so that neither outlives the other. */
import type { HostRequest, HostResponse } from "../../gen/acms/v1/component_service.js";
import type { Extend, Failure, Result } from "../../gen/acms/v1/hosted_component.js";
import { isLongerThan } from "../core/index.js";
import { broken } from "./broken.js";
import { CallFailure } from "./call-failure.js";
import { MAX_NAME_CHARACTERS, tooMany } from "./declaration.js";
import type { Input } from "./hosted-component.js";
import type { HostingLimits } from "./limits.js";
import { Liveness } from "./liveness.js";
import type { Membership } from "./membership.js";
import type { HostListener, HostPeer } from "./peer.js";
import { type Output, type PendingCall, PendingCalls } from "./pending-calls.js";
import { settleWithFailure, settleWithResult } from "./settle.js";
import { durationFromWire, durationToWire } from "./wire.js";

type Message = NonNullable<HostRequest["message"]>;
type MessageOf<C extends Message["$case"]> = Extract<Message, { $case: C }>["value"];

/** What gRPC libraries receive unless they are told otherwise. */
const DEFAULT_QUESTION_BYTES = 4 * 1024 * 1024;

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
  readonly #liveness: Liveness;
  #isAttached = false;
  #isDraining = false;
  #isOver = false;
  /** True while the host does not read what is sent. */
  #isCongested = false;
  #inFlight = 0;
  #credit = Number.POSITIVE_INFINITY;
  #maxQuestionBytes = DEFAULT_QUESTION_BYTES;
  constructor(around: SessionSurroundings) {
    this.id = around.id;
    this.#around = around;
    this.#calls = new PendingCalls((call) => this.#timedOut(call));
    this.#liveness = new Liveness(around.limits.heartbeatIntervalMs, (silent) => around.peer.fail(silent));
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
        this.#send({ $case: "invoke", value: { invocation, name, timeout, input } }, this.#maxQuestionBytes);
      } catch (error) {
        this.#calls.take(invocation)?.reject(error instanceof RangeError ? this.#tooLarge(error) : error);
      }
    });
  }

  message({ message }: HostRequest, bytes: number): void {
    this.#liveness.heard();
    if (message === undefined) throw broken("a message without content came");
    if (!this.#isAttached && message.$case !== "attach") throw broken(`${message.$case} came before attach`);
    if (message.$case !== "result" && bytes > this.#around.limits.maxAnswerBytes) {
      throw broken(`${message.$case} has ${bytes} bytes; at most ${this.#around.limits.maxAnswerBytes} are allowed`);
    }
    this.#hear(message, bytes);
  }

  malformed(): void {
    this.#calls.rejectAll(new CallFailure("malformed", "sent what is no message of its type"));
  }

  drained(): void {
    this.#isCongested = false;
    this.#pump();
  }

  halfClosed(): void {
    this.#calls.rejectAll(new CallFailure("lost", "was lost before it answered"));
    if (this.#isDraining) this.#around.peer.end();
    else this.#around.peer.fail(broken("the host ended its side without a drain"));
  }

  gone(): void {
    this.#isOver = true;
    this.#liveness.stop();
    this.#around.membership.leave(this, { inOrder: this.#isDraining });
    this.#calls.rejectAll(new CallFailure("lost", "was lost before it answered"));
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

  #attach({ components, host, maxQuestionBytes }: MessageOf<"attach">): void {
    if (this.#isAttached) throw broken("attach came a second time");
    if (components.length === 0) throw broken("attach has no components; at least one is required");
    if (isLongerThan(host, MAX_NAME_CHARACTERS)) {
      throw broken(`attach names a host of ${tooMany(host, MAX_NAME_CHARACTERS)}`);
    }
    this.#isAttached = true;
    this.host = host;
    if (maxQuestionBytes > 0) this.#maxQuestionBytes = maxQuestionBytes;
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
    this.#liveness.countUncalled();
    // A host that does not read gets no answers to pile up for it.
    if (!this.#isCongested) this.#send({ $case: "heartbeat", value: { number } });
  }

  #accept(invocation: number): void {
    const call = this.#open(invocation, "accept");
    if (call === undefined || call.accepted) this.#liveness.countUncalled();
    else call.accepted = true;
  }

  #result(result: Result, bytes: number): void {
    const call = this.#close(result.invocation, "result");
    if (call !== undefined) settleWithResult(call, result, bytes, this.#around.limits.maxAnswerBytes);
  }

  #failure(failure: Failure): void {
    const call = this.#close(failure.invocation, "failure");
    if (call !== undefined) settleWithFailure(call, failure);
  }

  /** Takes a question out that is answered; nothing where its time has passed, or where it had an answer before. */
  #close(invocation: number, kind: string): PendingCall | undefined {
    const call = this.#open(invocation, kind);
    if (call === undefined) this.#liveness.countUncalled();
    return this.#calls.take(invocation);
  }

  #extend({ invocation, time }: Extend): void {
    const call = this.#open(invocation, "extend");
    const byMs = time === undefined ? Number.NaN : durationFromWire(time);
    if (!(byMs > 0))
      throw broken(`extend asks for ${time === undefined ? "no time" : `${byMs} ms`}; allowed is above 0`);
    if (call === undefined) {
      this.#liveness.countUncalled();
      return;
    }
    if (call.extended) this.#liveness.countUncalled();
    const leftMs = this.#calls.extend(call, byMs, performance.now());
    this.#send({ $case: "extend", value: { invocation, time: durationToWire(leftMs) } });
  }

  #setCredit(invocations: number): void {
    this.#liveness.countUncalled();
    this.#credit = invocations;
    this.#pump();
  }

  #update({ add, remove }: MessageOf<"update">): void {
    this.#liveness.countUncalled();
    const { membership } = this.#around;
    membership.remove(this, remove);
    const { taken, refused } = membership.join(this, this.#isDraining ? [] : add);
    this.#send({ $case: "updated", value: { taken, refused } });
  }

  #drain(): void {
    this.#liveness.countUncalled();
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

  #tooLarge({ message }: RangeError): CallFailure {
    const fault = `was not asked: the question ${message}, and the host takes ${this.#maxQuestionBytes}`;
    return new CallFailure("oversized", fault, { blames: false });
  }

  #send(message: NonNullable<HostResponse["message"]>, maxBytes?: number): void {
    if (this.#isOver) return;
    if (!this.#around.peer.send({ message }, maxBytes)) this.#isCongested = true;
  }

  #pump(): void {
    if (this.hasRoom()) for (const component of this.#around.membership.componentsOf(this)) component.pump();
  }
}
