import { type ServiceError, status as Status } from "@grpc/grpc-js";
import { BadRequest, ErrorInfo } from "../../gen/google/rpc/error_details.js";
import { Status as RpcStatus } from "../../gen/google/rpc/status.js";

/** A call that failed, as its client sees it. */
export interface Refusal {
  /** Name of the status, such as `INVALID_ARGUMENT`. */
  readonly status: string;
  readonly message: string;
  /** The reason in the details; empty where there are none. */
  readonly reason: string;
  readonly metadata: ReadonlyMap<string, string>;
  readonly violations: readonly { readonly field: string; readonly description: string }[];
}

/** Whether a call failed, and not something else. */
export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && "code" in error && "metadata" in error;
}

/** Reads the status of a failed call and the details in its trailer. */
export function refusalOf(error: ServiceError): Refusal {
  const [trailer] = error.metadata.get("grpc-status-details-bin");
  const { details } = RpcStatus.decode(trailer === undefined ? new Uint8Array() : (trailer as Buffer));
  const find = (typeName: string): Uint8Array =>
    details.find(({ typeUrl }) => typeUrl === `type.googleapis.com/${typeName}`)?.value ?? new Uint8Array();
  const { reason, metadata } = ErrorInfo.decode(find("google.rpc.ErrorInfo"));
  const { fieldViolations } = BadRequest.decode(find("google.rpc.BadRequest"));
  return { status: Status[error.code], message: error.details, reason, metadata, violations: fieldViolations };
}
