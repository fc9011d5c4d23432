/** How answers end questions. */
import { type Failure, HostFailureCode, type Result } from "../../gen/acms/v1/hosted_component.js";
import { cutToCodePoints } from "../core/index.js";
import { CallFailure } from "./call-failure.js";
import type { PendingCall } from "./pending-calls.js";

const MAX_MESSAGE_CHARACTERS = 512;

/** Ends a question with a result of so many bytes: one that is too large, or another role's, is none. */
export function settleWithResult(call: PendingCall, { output }: Result, bytes: number, maxBytes: number): void {
  if (bytes > maxBytes) {
    call.reject(new CallFailure("oversized", `answered with ${bytes} bytes; at most ${maxBytes} are allowed`));
  } else if (output?.$case !== call.expects) {
    const came = output === undefined ? "nothing" : `a ${output.$case}`;
    call.reject(new CallFailure("malformed", `answered with ${came}, where a ${call.expects} was asked`));
  } else {
    call.resolve(output);
  }
}

/** Ends a question with what the host says of its failure. */
export function settleWithFailure(call: PendingCall, { code, message }: Failure): void {
  const said = message === "" ? "" : `: ${cutToCodePoints(message, MAX_MESSAGE_CHARACTERS)}`;
  switch (code) {
    case HostFailureCode.HOST_FAILURE_CODE_BUSY:
      call.reject(new CallFailure("no_credit", `said that it has no room${said}`));
      break;
    case HostFailureCode.HOST_FAILURE_CODE_CANCELLED:
      call.reject(new CallFailure("cancelled", `gave the question up${said}`));
      break;
    default:
      call.reject(new CallFailure("failed", `failed${said}`));
  }
}
