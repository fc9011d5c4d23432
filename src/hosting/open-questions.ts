/** The questions that one host has and has not answered: each is asked, and ends once, by whatever comes first. */
import type { HostResponse } from "../../gen/acms/v1/component_service.js";
import type { Extend, Failure, Result } from "../../gen/acms/v1/hosted_component.js";
import { broken } from "./broken.js";
import { CallFailure } from "./call-failure.js";
import type { FragmentWriter } from "./encode/fragment-writer.js";
import { type Asked, encodeQuestion } from "./encode/question.js";
import { type Output, type PendingCall, PendingCalls } from "./pending-calls.js";
import { settleWithFailure, settleWithResult } from "./settle.js";
import { durationFromWire, durationToWire } from "./wire.js";

/** What gRPC libraries receive unless they are told otherwise. */
const DEFAULT_QUESTION_BYTES = 4 * 1024 * 1024;

/** Since when a question waits, until when it may be answered, and what no extension passes. */
export interface Times {
  readonly startMs: number;
  readonly deadlineMs: number;
  readonly lastMs: number;
}

/** A question to a component of a name. */
export interface NamedQuestion {
  readonly name: string;
  readonly asked: Asked;
  /** Writes the fragments as the component needs them. */
  readonly write: FragmentWriter;
}

/** What questions need of their session. */
export interface QuestionSurroundings {
  readonly maxAnswerBytes: number;
  send(message: NonNullable<HostResponse["message"]>): void;
  /** Sends a message that is encoded. */
  sendBytes(bytes: Buffer): void;
  /** True while the host does not read what is sent. */
  isCongested(): boolean;
  /** A message came that no question called for. */
  countUncalled(): void;
}

export class OpenQuestions {
  /** The largest question that the host takes. */
  maxBytes = DEFAULT_QUESTION_BYTES;
  readonly #around: QuestionSurroundings;
  readonly #calls = new PendingCalls((call) => this.#timedOut(call));

  constructor(around: QuestionSurroundings) {
    this.#around = around;
  }

  get size(): number {
    return this.#calls.size;
  }

  /** Sends a question; rejects with a `CallFailure`, or with the signal's reason. */
  ask({ name, asked, write }: NamedQuestion, times: Times, signal: AbortSignal): Promise<Output["value"]> {
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        if (this.#calls.take(call.invocation) === undefined) return;
        this.#cancel(call);
        call.reject(signal.reason);
      };
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
      const nowMs = performance.now();
      const call = this.#calls.open({ expects: asked.$case, ...times }, settle, nowMs);
      signal.addEventListener("abort", abort, { once: true });
      const { invocation } = call;
      const timeout = durationToWire(Math.max(0, call.deadlineMs - nowMs));
      try {
        const { maxBytes } = this;
        this.#around.sendBytes(encodeQuestion({ invocation, name, timeout }, asked, { write, maxBytes }));
      } catch (error) {
        this.#calls.take(invocation)?.reject(error instanceof RangeError ? this.#tooLarge(error) : error);
      }
    });
  }

  accept(invocation: number): void {
    const call = this.#open(invocation, "accept");
    if (call === undefined || call.accepted) this.#around.countUncalled();
    else call.accepted = true;
  }

  result(result: Result, bytes: number): void {
    const call = this.#close(result.invocation, "result");
    if (call !== undefined) settleWithResult(call, result, bytes, this.#around.maxAnswerBytes);
  }

  failure(failure: Failure): void {
    const call = this.#close(failure.invocation, "failure");
    if (call !== undefined) settleWithFailure(call, failure);
  }

  extend({ invocation, time }: Extend): void {
    const call = this.#open(invocation, "extend");
    const byMs = time === undefined ? Number.NaN : durationFromWire(time);
    if (!(byMs > 0))
      throw broken(`extend asks for ${time === undefined ? "no time" : `${byMs} ms`}; allowed is above 0`);
    if (call === undefined) {
      this.#around.countUncalled();
      return;
    }
    if (call.extended) this.#around.countUncalled();
    const leftMs = this.#calls.extend(call, byMs, performance.now());
    this.#around.send({ $case: "extend", value: { invocation, time: durationToWire(leftMs) } });
  }

  /** What came in answer to a question is no message of its type. False where no question had the number. */
  malformed(invocation: number): boolean {
    if (!this.#calls.wasIssued(invocation)) return false;
    const call = this.#calls.take(invocation);
    if (call === undefined) this.#around.countUncalled();
    else call.reject(new CallFailure("malformed", "answered with what is no message of its type"));
    return true;
  }

  /** What came is larger than the server receives: it can only be told whose answer it is where there is one question. */
  oversized(): void {
    if (this.size > 1) return;
    this.#calls.rejectAll(new CallFailure("oversized", "answered with more bytes than the server receives"));
  }

  /** The host is gone, or says no more. */
  lost(): void {
    this.#calls.rejectAll(new CallFailure("lost", "was lost before it answered"));
  }

  /** Takes a question out that is answered; nothing where its time has passed, or where it had an answer before. */
  #close(invocation: number, kind: string): PendingCall | undefined {
    if (this.#open(invocation, kind) === undefined) this.#around.countUncalled();
    return this.#calls.take(invocation);
  }

  /** The open question of a number; throws for a number that no question had. */
  #open(invocation: number, kind: string): PendingCall | undefined {
    if (!this.#calls.wasIssued(invocation))
      throw broken(`${kind} names the question ${invocation}, which was not asked`);
    return this.#calls.get(invocation);
  }

  #timedOut(call: PendingCall): void {
    this.#cancel(call);
    const ms = Math.round(call.deadlineMs - call.startMs);
    const begun = call.accepted ? ", though it had begun" : "";
    call.reject(new CallFailure("timeout", `did not answer within ${ms} ms${begun}`));
  }

  #cancel({ invocation }: PendingCall): void {
    if (!this.#around.isCongested()) this.#around.send({ $case: "cancel", value: { invocation } });
  }

  #tooLarge({ message }: RangeError): CallFailure {
    const fault = `was not asked: the question ${message}, and the host takes ${this.maxBytes}`;
    return new CallFailure("oversized", fault, { blames: false });
  }
}
