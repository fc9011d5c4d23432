import type { MaybePromise, Pauses } from "./run.js";

/** Work that yields now and then, and answers at its end. */
export type Slices<T> = Generator<void, T>;

/**
 * Runs work that yields now and then to its end; wherever it yields, other calls may have a turn, and an abort that they bring ends the
 * work with the signal's reason.
 */
export function runInSlices<T>(slices: Slices<T>, run: Pauses): MaybePromise<T> {
  for (let slice = slices.next(); ; slice = slices.next()) {
    if (slice.done) return slice.value;
    const pause = run.breathe();
    if (pause !== undefined) return pause.then(() => goOn(slices, run));
  }
}

/** Runs the same without a turn for anybody else. */
export function runAtOnce<T>(slices: Slices<T>): T {
  for (let slice = slices.next(); ; slice = slices.next()) if (slice.done) return slice.value;
}

function goOn<T>(slices: Slices<T>, run: Pauses): MaybePromise<T> {
  run.signal.throwIfAborted();
  return runInSlices(slices, run);
}
