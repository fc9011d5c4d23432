import type {
  AssembleRequest,
  AssembleResponse,
  CompareStrategiesRequest,
  CompareStrategiesResponse,
} from "../../../gen/acms/v1/assembly_service.js";
import type { FitPromptRequest, FitPromptResponse } from "../../../gen/acms/v1/prompt_service.js";
import type { ListStrategiesRequest, ListStrategiesResponse } from "../../../gen/acms/v1/strategy_service.js";
import type { Violation } from "../../core/index.js";

/**
 * A way to the service: in this process, or over the wire. Both answer alike, and both refuse with a `RefusedError`; anything else that they
 * throw is a fault of this program.
 */
export interface Door {
  assemble(request: AssembleRequest): Promise<AssembleResponse>;
  compareStrategies(request: CompareStrategiesRequest): Promise<CompareStrategiesResponse>;
  listStrategies(request: ListStrategiesRequest): Promise<ListStrategiesResponse>;
  fitPrompt(request: FitPromptRequest): Promise<FitPromptResponse>;
  /** Lets go of what the door holds. It has no use afterwards. */
  close(): void;
}

/** What is known of a refusal beside its status and message. */
export interface RefusalFacts {
  /** The reason of its `ErrorInfo`, such as `TOO_MANY_FRAGMENTS`. Absent: none is known. */
  readonly reason?: string;
  /** Every fault that is known, where the request has any. */
  readonly violations?: readonly Violation[];
  readonly cause?: unknown;
}

/** A request that was refused, or that did not come through. */
export class RefusedError extends Error {
  /** Name of the gRPC status, such as `INVALID_ARGUMENT`. */
  readonly status: string;
  /** As in the facts; empty where none is known. */
  readonly reason: string;
  readonly violations: readonly Violation[];

  constructor(status: string, message: string, { reason = "", violations = [], cause }: RefusalFacts = {}) {
    super(message, { cause });
    this.name = "RefusedError";
    this.status = status;
    this.reason = reason;
    this.violations = violations;
  }
}
