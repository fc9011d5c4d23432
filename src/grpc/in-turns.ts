import { setImmediate } from "node:timers/promises";
import type { Slices } from "../core/index.js";

/** Does work in slices, between which others have a turn; an abort that they bring ends it with the signal's reason. */
export async function inTurns<T>(slices: Slices<T>, signal: AbortSignal): Promise<T> {
  for (let slice = slices.next(); ; slice = slices.next()) {
    if (slice.done) return slice.value;
    await setImmediate();
    signal.throwIfAborted();
  }
}
