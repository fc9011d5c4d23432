import type { MaybePromise, Run } from "./run.js";

/** Runs work that yields now and then to its end; wherever it yields, other calls may have a turn. */
export function runInSlices<T>(slices: Generator<void, T>, run: Run): MaybePromise<T> {
  for (let slice = slices.next(); ; slice = slices.next()) {
    if (slice.done) return slice.value;
    const pause = run.breathe();
    if (pause !== undefined) return pause.then(() => runInSlices(slices, run));
  }
}
