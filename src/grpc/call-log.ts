import { type Metadata, ServerInterceptingCall, type ServerInterceptor, status as Status } from "@grpc/grpc-js";
import type { Logger } from "pino";
import type { CallFacts } from "./call-context.js";
import { type Refusal, toStatus, wellFormed } from "./status.js";

type PartialStatusObject = Parameters<ServerInterceptingCall["sendStatus"]>[0];

/** What is known of a call, for its one line in the log. */
export interface CallRecord {
  requestId?: string;
  facts: CallFacts;
  /** What went wrong inside; it is logged, never sent. */
  cause?: unknown;
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
      const { requestId, facts, cause } = record;
      const durationMs = Math.round((performance.now() - startMs) * 1_000) / 1_000;
      const line = {
        method: method.path,
        requestId,
        status: Status[code],
        durationMs,
        ...facts,
        ...(cause !== undefined && { err: cause }),
      };
      if (code === Status.INTERNAL || code === Status.UNKNOWN) logger.error(line, message);
      else logger.info(line, "call");
    };
    const send = call.sendStatus.bind(call);
    call.sendStatus = (status) => {
      const safe = safeStatus(status, maxReceiveBytes);
      log(safe.code ?? Status.UNKNOWN, safe.details ?? "");
      send(safe);
    };
    return new ServerInterceptingCall(call, {
      start: (next) => {
        next({
          onReceiveMetadata: (metadata, nextMetadata) => {
            records.set(metadata, record);
            nextMetadata(metadata);
          },
          onCancel: () => {
            log(Status.CANCELLED, "the caller went away");
          },
        });
      },
    });
  };
}

function safeStatus(status: PartialStatusObject, maxReceiveBytes: number): PartialStatusObject {
  const refusal = status.metadata?.get("grpc-status-details-bin").length
    ? undefined
    : transportRefusal(status, maxReceiveBytes);
  const detailed = refusal === undefined ? status : { ...status, ...toStatus(refusal) };
  return { ...detailed, details: wellFormed(detailed.details ?? "") };
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
  if (code === Status.DEADLINE_EXCEEDED) {
    return { reason: "DEADLINE_EXCEEDED", message: "the deadline passed", metadata: {}, violations: [] };
  }
  return undefined;
}
