import type { HostRequest, HostResponse } from "../../gen/acms/v1/component_service.js";

/** The host at the other end of a stream, as a session speaks to it. */
export interface HostPeer {
  /** In whose namespace its components live; empty for all who name none. */
  readonly namespace: string;
  /** The largest message that the server receives; the stream does not survive a larger one. */
  readonly maxReceiveBytes: number;
  /** Sends a message; throws where it cannot be encoded. False: the host does not keep up, and more should wait for `drained`. */
  send(message: HostResponse): boolean;
  /** Sends a `HostResponse` that is encoded already. */
  sendBytes(bytes: Buffer): boolean;
  /** Ends the stream in order. */
  end(): void;
  /** Ends the stream with the status of an error. */
  fail(error: unknown): void;
  /** Writes a line in the server's log. */
  log(level: "info" | "warn", message: string, facts: Readonly<Record<string, unknown>>): void;
}

/** What a session hears of its stream. Nothing is called after `gone`. */
export interface HostListener {
  /** A message, and the bytes that it took. */
  message(request: HostRequest, bytes: number): void;
  /** What came is no message. True: it is dealt with; else the stream ends after this. */
  malformed(bytes: Uint8Array): boolean;
  /** What came is larger than the server receives; the stream ends after this. */
  oversized(): void;
  drained(): void;
  /** The host ended its half; where its call was cancelled or its process has ended, `gone` follows in a moment. */
  halfClosed(): void;
  /** The stream is over, whoever ended it, by the error where there was one. */
  gone(cause?: unknown): void;
  /** The server is about to stop, and the stream has at most so long. */
  stopping(graceMs: number): void;
}
