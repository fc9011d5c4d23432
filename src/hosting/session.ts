/** One host's stream: attach, then questions and answers until one side leaves. Liveness and work share it, so that neither outlives the other. */
import type { HostRequest, HostResponse } from "../../gen/acms/v1/component_service.js";
import { isLongerThan } from "../core/index.js";
import { broken } from "./broken.js";
import { CallFailure } from "./call-failure.js";
import { MAX_NAME_CHARACTERS, tooMany } from "./declaration.js";
import { type HostingLimits, receivableAnswer } from "./limits.js";
import { Liveness } from "./liveness.js";
import type { Membership } from "./membership.js";
import { namedInvocation } from "./named-invocation.js";
import { type NamedQuestion, OpenQuestions, type Times } from "./open-questions.js";
import type { HostListener, HostPeer } from "./peer.js";
import type { Output } from "./pending-calls.js";
import { causeOfEnd, SessionLog } from "./session-log.js";
import { durationToWire } from "./wire.js";

type Message = NonNullable<HostRequest["message"]>;
type MessageOf<C extends Message["$case"]> = Extract<Message, { $case: C }>["value"];

/** How long the end of a call may come after that of its half. A call that is cancelled ends both, the half first, which alone breaks the rules. */
const HALF_CLOSE_MS = 250;

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
  readonly #maxAnswerBytes: number;
  readonly #questions: OpenQuestions;
  readonly #liveness: Liveness;
  readonly #log: SessionLog;
  #isAttached = false;
  #isDraining = false;
  /** True once its components are no longer its own. */
  #hasLeft = false;
  #isOver = false;
  /** True while the host does not read what is sent. */
  #isCongested = false;
  /** Waits whether a host that ended its half is gone altogether. */
  #judging: NodeJS.Timeout | undefined;
  #inFlight = 0;
  #credit = Number.POSITIVE_INFINITY;

  constructor(around: SessionSurroundings) {
    const { id, peer, limits } = around;
    this.id = id;
    this.#around = around;
    this.#maxAnswerBytes = Math.min(limits.maxAnswerBytes, receivableAnswer(peer.maxReceiveBytes));
    this.#liveness = new Liveness(limits.heartbeatIntervalMs, (silent) => peer.fail(silent));
    this.#log = new SessionLog(peer, id);
    this.#questions = new OpenQuestions({
      maxAnswerBytes: this.#maxAnswerBytes,
      send: (message) => this.#send(message),
      sendBytes: (bytes) => this.#noteRoom(this.#isOver || peer.sendBytes(bytes)),
      isCongested: () => this.#isCongested,
      countUncalled: () => this.#liveness.countUncalled(),
    });
  }

  /** True where the host takes one question more. */
  hasRoom(): boolean {
    return !this.#isOver && !this.#hasLeft && !this.#isCongested && this.#inFlight < this.#credit;
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
  ask(question: NamedQuestion, times: Times, signal: AbortSignal): Promise<Output["value"]> {
    if (signal.aborted) return Promise.reject(signal.reason);
    if (this.#isOver) return Promise.reject(new CallFailure("lost", "was lost before it was asked"));
    return this.#questions.ask(question, times, signal);
  }

  message({ message }: HostRequest, bytes: number): void {
    this.#liveness.heard();
    if (message === undefined) throw broken("a message without content came");
    if (!this.#isAttached && message.$case !== "attach") throw broken(`${message.$case} came before attach`);
    if (message.$case !== "result" && bytes > this.#maxAnswerBytes) {
      throw broken(`${message.$case} has ${bytes} bytes; at most ${this.#maxAnswerBytes} are allowed`);
    }
    this.#hear(message, bytes);
  }

  malformed(bytes: Uint8Array): boolean {
    this.#liveness.heard();
    const invocation = namedInvocation(bytes);
    return invocation !== undefined && this.#questions.malformed(invocation);
  }

  oversized(): void {
    this.#questions.oversized();
  }

  drained(): void {
    this.#isCongested = false;
    this.#pump();
  }

  halfClosed(): void {
    const { peer } = this.#around;
    this.#leave();
    this.#questions.lost();
    if (this.#isDraining) {
      peer.end();
      return;
    }
    const judge = (): void => peer.fail(broken("the host ended its side without a drain"));
    // The wait ends after one more look at what came in, so that a busy process takes no lost host for a broken one.
    this.#judging = setTimeout(() => setImmediate(judge), HALF_CLOSE_MS).unref();
  }

  gone(cause?: unknown): void {
    this.#isOver = true;
    this.#liveness.stop();
    clearTimeout(this.#judging);
    this.#leave();
    if (this.#isAttached) this.#log.ended(causeOfEnd(cause, this.#isDraining));
    this.#questions.lost();
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
        this.#questions.accept(message.value.invocation);
        break;
      case "result":
        this.#questions.result(message.value, bytes);
        break;
      case "failure":
        this.#questions.failure(message.value);
        break;
      case "extend":
        this.#questions.extend(message.value);
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
    if (maxQuestionBytes > 0) this.#questions.maxBytes = maxQuestionBytes;
    const { limits, membership } = this.#around;
    const { taken, refused, first } = membership.join(this, components);
    this.#log.attached(host, { taken, refused });
    this.#send({
      $case: "welcome",
      value: {
        sessionId: this.id,
        taken,
        refused,
        heartbeatInterval: durationToWire(limits.heartbeatIntervalMs),
        maxComponents: limits.maxComponents,
        maxAnswerBytes: this.#maxAnswerBytes,
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

  #setCredit(invocations: number): void {
    this.#liveness.countUncalled();
    this.#credit = invocations;
    this.#pump();
  }

  #update({ add, remove }: MessageOf<"update">): void {
    this.#liveness.countUncalled();
    const { membership } = this.#around;
    membership.remove(this, remove);
    const { taken, refused } = this.#isDraining ? membership.refuse(add, DRAINED) : membership.join(this, add);
    this.#log.updated({ taken, refused }, remove);
    this.#send({ $case: "updated", value: { taken, refused } });
  }

  #drain(): void {
    this.#liveness.countUncalled();
    this.#isDraining = true;
    this.#leave();
    this.#leaveIfDone();
  }

  #leave(): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    const { membership } = this.#around;
    this.#log.leaving(membership.componentsOf(this));
    membership.leave(this, { inOrder: this.#isDraining });
  }

  #leaveIfDone(): void {
    if (this.#isDraining && !this.#isOver && this.#questions.size === 0 && this.#inFlight === 0) {
      this.#around.peer.end();
    }
  }

  #send(message: NonNullable<HostResponse["message"]>): void {
    this.#noteRoom(this.#isOver || this.#around.peer.send({ message }));
  }

  #noteRoom(keepsUp: boolean): void {
    if (!keepsUp) this.#isCongested = true;
  }

  /** Gives room that has come up to the question that has waited longest, whichever of the components it is for. */
  #pump(): void {
    while (this.hasRoom()) {
      let oldest: { readonly sinceMs: number; take(): void } | undefined;
      for (const component of this.#around.membership.componentsOf(this)) {
        const waiting = component.waitingFor(this);
        if (waiting !== undefined && (oldest === undefined || waiting.sinceMs < oldest.sinceMs)) oldest = waiting;
      }
      if (oldest === undefined) return;
      oldest.take();
    }
  }
}

const DRAINED = "comes after a drain; a host that leaves adds nothing";
