import type { FailureKind } from "../core/index.js";

/** A question that has no answer. The component adds its name, and decides whether to ask another host. */
export class CallFailure extends Error {
  readonly kind: FailureKind;

  /** `fault` says what happened, as in "was lost before it answered". */
  constructor(kind: FailureKind, fault: string) {
    super(fault);
    this.kind = kind;
  }
}
