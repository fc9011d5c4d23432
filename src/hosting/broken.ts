import { ContextError } from "../core/index.js";

/** The error that ends a conversation in which a host said what it may not; its first word is the message that it was. */
export function broken(what: string): ContextError {
  return new ContextError("CONVERSATION_BROKEN", what, { metadata: { message: what.split(" ")[0]! } });
}
