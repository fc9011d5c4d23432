import { type Metadata, ServerInterceptingCall, type ServerInterceptor, status as Status } from "@grpc/grpc-js";
import type { Logger } from "pino";
import type { CallFacts } from "./call-context.js";
import { type ErrorReason, type Refusal, toStatus, wellFormed } from "./status.js";

type PartialStatusObject = Parameters<ServerInterceptingCall["sendStatus"]>[0];

/** What is known of a call, for its one line in the log. */
export interface CallRecord {
  requestId?: string;
  facts: CallFacts;
  /** Why it was refused. */
  reason?: ErrorReason;
  /** What went wrong inside; it is logged, never sent. */
  cause?: unknown;
  /** Hears that a message of the caller was larger than the server receives, before the call ends for it. */
  oversized?: () => void;
}

/** The records of running calls, by the metadata object that the interceptor and the handler both see. */
export type CallRecords = WeakMap<Metadata, CallRecord>;

/**
 * The door through which every status leaves: it makes the text safe, gives the transport's own refusals the details that ours have, and
 * writes one line in the log for each call.
 *
 * The library sends some statuses past all interceptors (a message too large, a deadline passed), by the call object's own method; so that
 * method is wrapped, and with it every way out.
 */
export function createCallLog(logger: Logger, records: CallRecords, maxReceiveBytes: number): ServerInterceptor {
  return (method, call) => {
    const startMs = performance.now();
    const record: CallRecord = { facts: {} };
    let logged = false;
    const log = (code: number, message: string): void => {
      if (logged) return;
      logged = true;
      writeLine(logger, method.path, code, message, performance.now() - startMs, record);
    };
    const send = call.sendStatus.bind(call);
    call.sendStatus = (status) => {
      const safe = safeStatus(status, maxReceiveBytes, record);
      // Of all refusals for want of room only the library's own come without details.
      if (status.code === Status.RESOURCE_EXHAUSTED && !hasDetails(status)) record.oversized?.();
      // First the caller, then the log: what cannot be logged must not leave anybody waiting.
      send(safe);
      log(safe.code ?? Status.UNKNOWN, safe.details ?? "");
    };
    return new ServerInterceptingCall(call, {
      start: (next) => {
        next({
          onReceiveMetadata: (metadata, nextMetadata) => {
            records.set(metadata, record);
            nextMetadata(metadata);
          },
          onCancel: () => {
            record.reason = "CANCELLED";
            log(Status.CANCELLED, "the caller went away");
          },
        });
      },
    });
  };
}

const MAX_ID_CHARACTERS = 128;

function writeLine(
  logger: Logger,
  method: string,
  code: number,
  message: string,
  ms: number,
  { requestId, reason, facts, cause }: CallRecord,
): void {
  const line = {
    method,
    requestId: requestId?.slice(0, MAX_ID_CHARACTERS).toWellFormed(),
    status: Status[code],
    ...(code !== Status.OK && { reason }),
    durationMs: Math.round(ms * 1_000) / 1_000,
    ...facts,
  };
  const isOurs = code === Status.INTERNAL || code === Status.UNKNOWN;
  try {
    if (isOurs || facts.err !== undefined)
      logger.error({ ...line, ...(cause !== undefined && { err: cause }) }, message);
    else logger.info(line, "call");
  } catch (error) {
    // A thrown object may itself throw when it is looked at; the line is worth more than the cause.
    logger.error(
      line,
      `${message} (its cause cannot be logged: ${error instanceof Error ? error.name : typeof error})`,
    );
  }
}

function safeStatus(status: PartialStatusObject, maxReceiveBytes: number, record: CallRecord): PartialStatusObject {
  const refusal = hasDetails(status) ? undefined : transportRefusal(status, maxReceiveBytes);
  if (refusal !== undefined) record.reason = refusal.reason;
  const detailed = refusal === undefined ? status : { ...status, ...toStatus(refusal) };
  return { ...detailed, details: wellFormed(detailed.details ?? "") };
}

function hasDetails({ metadata }: PartialStatusObject): boolean {
  return metadata !== undefined && metadata !== null && metadata.get("grpc-status-details-bin").length > 0;
}

function transportRefusal({ code, details }: PartialStatusObject, maxReceiveBytes: number): Refusal | undefined {
  const message = details ?? "";
  if (code === Status.RESOURCE_EXHAUSTED) {
    const metadata = { limit_bytes: String(maxReceiveBytes) };
    return {
      reason: "MESSAGE_TOO_LARGE",
      message: `${message}; the server receives at most ${maxReceiveBytes} bytes`,
      metadata,
      violations: [],
    };
  }
  if (code === Status.INTERNAL || code === Status.UNKNOWN) {
    return { reason: "INTERNAL", message: "the server failed to answer", metadata: {}, violations: [] };
  }
  if (code === Status.DEADLINE_EXCEEDED) {
    return { reason: "DEADLINE_EXCEEDED", message: "the deadline passed", metadata: {}, violations: [] };
  }
  return undefined;
}
