/**
 * The adapter around handlers of streams in both directions, with the guarantees of the one for single calls: whatever a handler does, the
 * stream ends exactly once, with a status; what is sent after that goes nowhere; nothing that is thrown leaves anybody waiting.
 */
import type { MethodDefinition, ServerDuplexStream } from "@grpc/grpc-js";
import { ContextError } from "../core/index.js";
import { namespaceOf } from "./call-context.js";
import { refusalOf, toStatus } from "./status.js";
import { type AnyMethod, type Decoded, decodingStrictly } from "./strict-decoding.js";
import type { CallSurroundings } from "./unary.js";

/** The other side of a stream, as a handler speaks to it. */
export interface Peer<Response> {
  /** Whose registered and hosted names hold: the one that the metadata names, else the one of all who name none. */
  readonly namespace: string;
  /** The largest message that the server receives; the stream does not survive a larger one. */
  readonly maxReceiveBytes: number;
  /**
   * Sends a message; throws where it cannot be encoded. False: the other side does not keep up, and more should wait for `drained`.
   */
  send(message: Response): boolean;
  /** Sends a message that is encoded already. */
  sendBytes(bytes: Buffer): boolean;
  /** Ends the stream in order. */
  end(): void;
  /** Ends the stream with the status of an error. */
  fail(error: unknown): void;
  /** Writes a line in the log, beside the one that every call has. */
  log(level: "info" | "warn", message: string, facts: Readonly<Record<string, unknown>>): void;
}

/** What a handler does with what comes in. Nothing is called after `gone`. */
export interface StreamListener<Request> {
  /** A message, and the bytes that it took. */
  message(request: Request, bytes: number): void;
  /** What came is no message of its type. True: it is dealt with; else the stream ends after this. */
  malformed?(bytes: Uint8Array): boolean;
  /** What came is larger than the server receives; the stream ends after this. */
  oversized?(): void;
  /** The other side has read what waited for it. */
  drained(): void;
  /** The other side has ended its half; where its call was cancelled or its process has ended, `gone` follows in a moment. */
  halfClosed(): void;
  /** The stream is over, whoever ended it, by the error where there was one. */
  gone(cause?: unknown): void;
  /** The server is about to stop, and the stream has at most so long. */
  stopping(graceMs: number): void;
}

/** Begins a conversation; it throws a `ContextError` to refuse it. */
export type DuplexHandler<Request, Response> = (peer: Peer<Response>) => StreamListener<Request>;

/** A stream that is open, as a server that stops sees it. */
export interface OpenStream {
  stopping(graceMs: number): void;
  /** Ends it as one that the server's stop cut off. */
  close(): void;
}

/** The definition of a streaming method, in which messages are decoded strictly and encoded before they are sent. */
export function duplexDefinition(method: AnyMethod): object {
  return { ...decodingStrictly(method), responseSerialize: (bytes: Buffer) => bytes };
}

/** The implementation of a streaming method that converses as a handler does. */
export function converseWith<Request, Response>(
  method: MethodDefinition<Request, Response>,
  handler: DuplexHandler<Request, Response>,
  around: CallSurroundings,
) {
  return (call: ServerDuplexStream<Decoded<Request>, Buffer>): void => {
    const record = around.records.get(call.metadata) ?? { facts: {} };
    const requestId = around.newId();
    record.requestId = requestId;
    let listener: StreamListener<Request> | undefined;
    let over = false;
    const finish = (end: () => void, cause?: unknown): void => {
      if (over) return;
      over = true;
      around.streams.delete(stream);
      end();
      try {
        listener?.gone(cause);
      } catch (error) {
        record.cause ??= error;
      }
    };
    const fail = (error: unknown): void => {
      const refusal = refusalOf(error, requestId);
      if (refusal.reason === "INTERNAL") record.cause = error;
      // The library takes a status from an error event, and from nowhere else.
      finish(() => {
        record.reason = refusal.reason;
        call.emit("error", toStatus(refusal));
      }, error);
    };
    const guarded = (step: () => void): void => {
      if (over) return;
      try {
        step();
      } catch (error) {
        fail(error);
      }
    };
    const stream: OpenStream = {
      stopping: (graceMs) => guarded(() => listener?.stopping(graceMs)),
      close: () => fail(new ContextError("SERVER_STOPPING", "the server stops")),
    };
    // What comes after the stream is over is not listened to; an error of the transport is a loss like any other.
    call.on("cancelled", () => finish(() => undefined));
    call.on("error", () => finish(() => undefined));
    call.on("data", (decoded: Decoded<Request>) =>
      guarded(() => {
        if ("request" in decoded) return listener?.message(decoded.request, decoded.bytes);
        if (listener?.malformed?.(decoded.buffer) === true) return;
        throw decoded.fault;
      }),
    );
    call.on("drain", () => guarded(() => listener?.drained()));
    call.on("end", () => guarded(() => listener?.halfClosed()));
    record.oversized = () => guarded(() => listener?.oversized?.());
    if (call.cancelled) return;
    around.streams.add(stream);
    guarded(() => {
      listener = handler({
        namespace: namespaceOf(call.metadata),
        maxReceiveBytes: around.maxReceiveBytes,
        log: (level, message, facts) => around.logger[level]({ requestId, ...facts }, message),
        send: (message) => over || call.write(method.responseSerialize(message)),
        sendBytes: (bytes) => over || call.write(bytes),
        end: () => finish(() => call.end()),
        fail,
      });
    });
  };
}
