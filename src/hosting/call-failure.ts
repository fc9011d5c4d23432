import type { FailureKind } from "../core/index.js";

/** A question that has no answer. The component adds its name, and decides whether to ask another host. */
export class CallFailure extends Error {
  readonly kind: FailureKind;
  /** False where the question, and not the component, is to blame. */
  readonly blames: boolean;

  /** `fault` says what happened, as in "was lost before it answered". */
  constructor(kind: FailureKind, fault: string, { blames = true }: { readonly blames?: boolean } = {}) {
    super(fault);
    this.kind = kind;
    this.blames = blames;
  }
}
